import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import type { FollowUpRequest, PaymentResult } from '../rules/requests.js';
import { reversePayment } from './reverse-payment.js';

const PAID = {
  id: 'p',
  entityId: 'e',
  currency: 'EUR',
  state: 'captured',
  authorizedMinor: 100,
  capturedMinor: 100,
  refundedMinor: 0,
  reversedMinor: 0,
} as PaymentRow;

let row: PaymentRow | undefined;
let requests: FollowUpRequest[];
/** What the payment service makes of a follow-up. */
let carryOut: (request: FollowUpRequest) => PaymentResult['disposition'];
beforeEach(() => {
  row = PAID;
  requests = [];
  carryOut = () => 'declined';
});
const reverse = () =>
  reversePayment(
    {
      store: {
        get: async (_table: string, [id]: readonly unknown[]) => (id === 'p' ? row : undefined),
      } as never,
      fingerprint: ((use: string, text: string) => `${text}${use.repeat(9)}`) as Fingerprint,
      followUp: async (request) => {
        requests.push(request);
        return { disposition: carryOut(request) } as PaymentResult;
      },
    },
    'p',
  );
const sent = () =>
  requests.map(({ type, amount }) => `${type}${amount ? ` ${amount.minor} ${amount.currency}` : ''}`);

describe('a payment is given back', () => {
  it('by a reversal', async () => {
    carryOut = () => {
      row = { ...PAID, state: 'reversed', capturedMinor: 0, reversedMinor: 100 };
      return 'reversed';
    };
    expect(await reverse()).toBe(true);
    expect(sent()).toEqual(['RV']);
    expect(requests[0]).toMatchObject({
      origin: { kind: 'rest', entityId: 'e' },
      target: { by: 'payment', paymentId: 'p' },
    });
  });

  it('by a refund of what a reversal cannot give back', async () => {
    row = { ...PAID, refundedMinor: 30 };
    carryOut = ({ type }) => (type === 'RF' ? 'approved' : 'declined');
    expect(await reverse()).toBe(true);
    expect(sent()).toEqual(['RV', 'RF 70 EUR']);
    const [first, second] = requests.map(
      ({ origin }) => (origin as { readonly paymentId?: string }).paymentId,
    );
    expect(first).not.toBe(second);
    expect(first).toHaveLength(32);
  });

  it('once', async () => {
    row = { ...PAID, state: 'reversed', capturedMinor: 0, reversedMinor: 100 };
    expect(await reverse()).toBe(true);
    expect(sent()).toEqual([]);
    row = { ...PAID, refundedMinor: 100 };
    expect(await reverse()).toBe(true);
    expect(sent()).toEqual(['RV']);
  });
});

describe('a payment is not given back', () => {
  it('where its refund is declined', async () => {
    expect(await reverse()).toBe(false);
    expect(sent()).toEqual(['RV', 'RF 100 EUR']);
  });

  it('while it is held', async () => {
    row = { ...PAID, state: 'authorized', capturedMinor: 0 };
    carryOut = () => 'approved';
    expect(await reverse()).toBe(false);
    row = { ...PAID, state: 'captured', capturedMinor: 60, reversedMinor: 39 };
    expect(await reverse()).toBe(false);
    expect(sent()).toEqual(['RV', 'RV']);
    row = { ...PAID, state: 'captured', capturedMinor: 60, reversedMinor: 40 };
    expect(await reverse()).toBe(true);
  });

  it('where it is not there, or gone after its reversal', async () => {
    row = undefined;
    expect(await reverse()).toBe(false);
    expect(sent()).toEqual([]);
    row = PAID;
    carryOut = () => {
      row = undefined;
      return 'reversed';
    };
    expect(await reverse()).toBe(false);
  });
});
