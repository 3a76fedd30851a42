import { describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { followUp, message, NOW_MS, restPayment } from '../payment-harness.test.support.js';
import { BEGINNING, cardOf, draftFollowUp, draftPayment, NO_CARD } from './drafts.js';
import type { FollowUpType, PaymentRequest } from './requests.js';

const made = {
  id: '1'.repeat(32),
  acquirer: 'INTERNAL',
  acquirerReference: 'i1',
  captureReference: 'c1',
  nowMs: NOW_MS,
};
const CARD = {
  brand: 'VISA',
  bin: '420000',
  last4Digits: '0000',
  holder: 'Jane Jones',
  expiryMonth: '12',
  expiryYear: '2031',
  numberType: null,
  wallet: null,
} as const;
const draft = (request: Partial<PaymentRequest> = {}, card: typeof CARD | typeof NO_CARD = CARD) =>
  draftPayment({ ...restPayment(), ...request } as PaymentRequest, made, card, 'v1');

describe('the draft of a payment', () => {
  it('has what its request states, and no outcome', () => {
    const request = restPayment({ type: 'DB' });
    expect(draftPayment(request, made, CARD, 'v1')).toMatchObject({
      ...BEGINNING,
      ...CARD,
      id: made.id,
      entityId: request.origin.entityId,
      type: 'DB',
      amountMinor: request.amount.minor,
      currency: request.amount.currency,
      captureReference: null,
      referencedId: null,
      rootId: null,
      maxCaptures: null,
      method: 'CC',
      vaultId: 'v1',
      acquirer: 'INTERNAL',
      acquirerReference: 'i1',
      agentId: null,
      messageId: null,
      terminalId: null,
      offline: null,
      createdAtMs: NOW_MS,
    });
  });

  it('of a PA.CP is a preauthorization with a capture', () => {
    expect(draft({ type: 'PA.CP' })).toMatchObject({ type: 'PA', captureReference: 'c1' });
    expect(draft({ type: 'PA' })).toMatchObject({ type: 'PA', captureReference: null });
    const { captureReference: _, ...without } = made;
    expect(draftPayment(restPayment({ type: 'PA.CP' }), without, CARD, null).captureReference).toBeNull();
  });

  it('has what else a request may state', () => {
    expect(
      draft({
        referencedId: 'r',
        numberOfCaptures: 2,
        reference: 'R-1',
        offline: { kind: 'card-approved' } as never,
        echo: { a: 'b' },
      }),
    ).toMatchObject({
      referencedId: 'r',
      maxCaptures: 2,
      reference: 'R-1',
      offline: 'card-approved',
      echo: '{"a":"b"}',
    });
    const { reference: _, echo: _echo, ...plain } = restPayment();
    expect(draftPayment(plain as PaymentRequest, made, CARD, null)).toMatchObject({
      reference: null,
      echo: '{}',
    });
  });

  it('of a message has its place, and the terminal that read the card or where the issuer was called', () => {
    const origin = message('m1');
    const terminalId = (origin as { readonly terminalId: string }).terminalId;
    expect(draft({ origin })).toMatchObject({
      messageId: 'm1',
      agentId: (origin as { agentId: string }).agentId,
      terminalId: null,
    });
    expect(draft({ origin, voice: {} as never }).terminalId).toBe(terminalId);
    expect(draft({ origin, pos: { terminalId: 'T9' } as never }).terminalId).toBe('T9');
    expect(draft({ voice: {} as never }).terminalId).toBeNull();
  });
});

describe('the draft of a follow-up', () => {
  const root = { ...draft({ echo: { lifecycleId: 'one' } }), id: 'root', method: 'DD' } as PaymentRow;
  const target = { ...root, id: 'target' };
  const amount = { minor: 7, currency: 'USD' };
  const follow = (type: FollowUpType, more: object = {}, followed: object = { target, root }) =>
    draftFollowUp({ ...followUp(type, 'target', 7), ...more } as never, made, followed as never, amount);

  it('shows no card and is followed by its root', () => {
    expect(follow('CP')).toMatchObject({
      ...NO_CARD,
      type: 'CP',
      referencedId: 'target',
      rootId: 'root',
      captureReference: null,
      amountMinor: 7,
      currency: 'USD',
      maxCaptures: null,
      method: 'DD',
      vaultId: null,
      terminalId: null,
      offline: null,
    });
    expect(follow('CP', { numberOfCaptures: 2 }).maxCaptures).toBeNull();
  });

  it('has the card of its root where the issuer decides again', () => {
    expect(follow('REAUTHORIZATION', { numberOfCaptures: 2 })).toMatchObject({
      ...CARD,
      type: 'PA',
      rootId: null,
      vaultId: 'v1',
      maxCaptures: 2,
    });
    expect(follow('RB')).toMatchObject({ ...CARD, maxCaptures: null });
    expect(follow('RC')).toMatchObject({ ...NO_CARD, rootId: null, vaultId: null });
    expect(follow('INCREMENTAL_AUTH')).toMatchObject({ ...NO_CARD, type: 'PA', rootId: 'root' });
  });

  it('has the lifecycle of its root, or its own', () => {
    expect(follow('CP', { echo: {} }).echo).toBe('{"lifecycleId":"one"}');
    expect(JSON.parse(follow('CP', { echo: { lifecycleId: 'two' } }).echo)).toEqual({ lifecycleId: 'two' });
    expect(follow('CP', { echo: { a: 'b' } }, { target, root: { ...root, echo: '{}' } }).echo).toBe(
      '{"a":"b"}',
    );
    expect(follow('CP', { echo: undefined }, { target, root: { ...root, echo: '{}' } }).echo).toBe('{}');
  });

  it('may follow what is not there', () => {
    expect(follow('CP', { echo: {} }, {})).toMatchObject({
      referencedId: null,
      rootId: null,
      method: 'CC',
      echo: '{}',
    });
    expect(follow('RB', {}, {})).toMatchObject({ ...NO_CARD, vaultId: null });
  });

  it('of a message has its terminal and its reference', () => {
    const origin = message('m1');
    expect(follow('CP', { origin, reference: 'R-1' })).toMatchObject({
      terminalId: (origin as { readonly terminalId: string }).terminalId,
      messageId: 'm1',
      reference: 'R-1',
    });
    expect(follow('CP', { reference: undefined }).reference).toBeNull();
  });
});

it('names the card of a payment', () => {
  expect(cardOf({ ...draft(), ...CARD })).toEqual(CARD);
});
