import { describe, expect, it } from 'vitest';
import type { UsedAtcRow } from '../../../kernel/store/rows.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { checkAtcReplay, ReplayError, usedAtcOf } from './atc-replay.js';
import type { PaymentRequest } from './requests.js';

const PAN = '4200000000000000';
const fingerprint = ((use: string, text: string) => `${use}:${text}`) as Fingerprint;
const request = (iccData: string | undefined, panSequenceNumber?: string): PaymentRequest =>
  ({
    origin: { kind: 'rest', entityId: 'e' },
    pos: {
      entryMode: 'ICC',
      ...(iccData !== undefined && { iccData: Buffer.from(iccData, 'hex') }),
      ...(panSequenceNumber !== undefined && { panSequenceNumber }),
    },
  }) as unknown as PaymentRequest;
const use = (...about: Parameters<typeof request>) => usedAtcOf(fingerprint, request(...about), PAN, 'p');

describe('the use of a card', () => {
  it('has its counter and its sequence number', () => {
    const used = use('9F36020142');
    expect(used).toMatchObject({ counter: 0x0142, paymentId: 'p', sale: '["p"]' });
    expect(used?.card).toMatch(new RegExp(`^card:${PAN}/`));
    expect(use('9F360201425F340102')?.card).not.toBe(used?.card);
  });

  it.each([
    ['without chip data', undefined],
    ['without a counter', '5F340101'],
    ['with a counter of one byte', '9F360142'],
    ['with a counter of three bytes', '9F3603000142'],
    ['with chip data that cannot be read', '9F36FF'],
  ])('is none %s', (_what, iccData) => {
    expect(use(iccData)).toBeUndefined();
  });

  it('is none of a request without a terminal', () => {
    const { pos: _, ...typed } = request('9F36020142');
    expect(usedAtcOf(fingerprint, typed as PaymentRequest, PAN, 'p')).toBeUndefined();
  });
});

describe('a counter', () => {
  const wanted = { card: 'c', counter: 7, sale: 's', paymentId: 'p' };
  const stored: UsedAtcRow = { ...wanted, paymentId: 'before', createdAtMs: 1, version: 3 };

  it('that no sale has used is taken', () => {
    expect(checkAtcReplay(undefined, wanted, 5)).toEqual({
      free: true,
      change: { op: 'insert', table: 'usedAtcs', row: { ...wanted, createdAtMs: 5, version: 1 } },
    });
  });

  it('that the same sale has used goes to its next payment', () => {
    expect(checkAtcReplay(stored, wanted, 5)).toEqual({
      free: true,
      change: { op: 'update', table: 'usedAtcs', row: { ...stored, paymentId: 'p' } },
    });
  });

  it('that another sale has used is not free', () => {
    expect(checkAtcReplay({ ...stored, sale: 'other' }, wanted, 5)).toEqual({
      free: false,
      heldBy: 'before',
    });
    expect(new ReplayError(wanted, 'before').message).toBe(
      'payment p uses counter 7 of a card that payment before has used',
    );
  });
});
