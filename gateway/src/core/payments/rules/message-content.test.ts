import { describe, expect, it } from 'vitest';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { contentHash } from './message-content.js';
import type { BridgeOrigin, FollowUpRequest, PaymentRequest } from './requests.js';

const fingerprint = ((use: string, text: string) => `${use} ${text}`) as Fingerprint;
const ORIGIN = { terminalId: '1' } as BridgeOrigin;
const hash = (request: object) =>
  contentHash(fingerprint, ORIGIN, request as unknown as PaymentRequest | FollowUpRequest);
const amount = { minor: 100, currency: 'EUR' };

describe('the content of a payment', () => {
  const PAYMENT = { type: 'DB', reference: 'R-1', amount };
  it('is of its terminal, type, reference and amount', () => {
    expect(hash(PAYMENT)).toBe(
      `message ${JSON.stringify(['1', 'DB', 'R-1', amount, null, null, null, null, false])}`,
    );
  });

  it.each([
    ['without a reference', { reference: undefined }],
    ['of another amount', { amount: { minor: 101, currency: 'EUR' } }],
    ['taken offline', { offline: { kind: 'card-approved' } }],
    ['read by a terminal', { pos: { entryMode: 'ICC' } }],
    ['with another reading', { pos: { entryMode: 'ICC', iccData: Uint8Array.of(1) } }],
    [
      'with account data',
      { pos: { entryMode: 'ICC', sred: { ksn: Uint8Array.of(1), data: Uint8Array.of(2) } } },
    ],
    ['with a card', { card: { number: '4200000000000000', expiryMonth: '12', expiryYear: '2031' } }],
    ['of a call', { voice: { originalMessageId: 'm', approvalCode: 'A' } }],
    ['that takes a part', { partialAllowed: true }],
    ['with a tip', { tip: { minor: 1, currency: 'EUR' } }],
    ['with cash back', { cashBack: { minor: 1, currency: 'EUR' } }],
  ])('is another one %s', (_what, more) => {
    expect(hash({ ...PAYMENT, ...more })).not.toBe(hash(PAYMENT));
  });

  it('is of its card, and of the code of its call', () => {
    const card = { number: '4200000000000000', expiryMonth: '12', expiryYear: '2031' };
    const voice = { originalMessageId: 'm', approvalCode: 'A' };
    for (const more of [{ number: '4200000000000018' }, { expiryMonth: '11' }, { expiryYear: '2030' }])
      expect(hash({ ...PAYMENT, card: { ...card, ...more } })).not.toBe(hash({ ...PAYMENT, card }));
    for (const more of [{ originalMessageId: 'n' }, { approvalCode: 'B' }])
      expect(hash({ ...PAYMENT, voice: { ...voice, ...more } })).not.toBe(hash({ ...PAYMENT, voice }));
  });

  it('leaves out the PIN', () => {
    const pos = { entryMode: 'ICC', iccData: Uint8Array.of(0xab) };
    expect(hash({ ...PAYMENT, pos: { ...pos, pin: { block: Uint8Array.of(1) } } })).toBe(
      hash({ ...PAYMENT, pos }),
    );
    expect(hash({ ...PAYMENT, pos }).toLowerCase()).toContain('["icc","ab",null,null]');
  });
});

describe('the content of a follow-up', () => {
  const target = { messageId: 'm' };
  const CAPTURE = { type: 'CP', target, amount };
  it('is of what it follows, its amount and whether it is the last', () => {
    expect(hash(CAPTURE)).toBe(`message ${JSON.stringify(['1', 'CP', null, target, false, amount])}`);
    expect(hash({ ...CAPTURE, final: true })).not.toBe(hash(CAPTURE));
    expect(hash({ type: 'CP', target })).toContain('null]');
  });

  it('leaves out the amount of a reversal', () => {
    expect(hash({ type: 'RV', target, amount })).toBe(hash({ type: 'RV', target }));
  });

  it('states that it cancels what was never seen', () => {
    expect(hash({ type: 'RV', target, cancelIfUnseen: true })).not.toBe(hash({ type: 'RV', target }));
    expect(hash({ type: 'RV', target, cancelIfUnseen: true })).toContain('cancel if unseen');
  });
});
