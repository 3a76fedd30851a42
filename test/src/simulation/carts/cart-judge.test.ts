import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import type { CartPaymentRow, IntentRow, PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { TEST_GIFT_CARDS } from '@tillbridge/wire/payment/test-gift-cards.js';
import { describe, expect, it } from 'vitest';
import { checkCarts } from './cart-judge.js';
import { CartRecorder } from './cart-recorder.js';
import type { CartRequest } from './cart-request.js';

const ENTITY = 'd'.repeat(32);
const OTHER = 'e'.repeat(32);
const [GIFT_CARD] = TEST_GIFT_CARDS;

let count = 0;
function request(kind: CartRequest['kind'], about: Partial<CartRequest> = {}): CartRequest {
  count += 1;
  const amount = { minor: 1_000, currency: 'EUR' };
  return { kind, reference: `G-${count}`, entityId: ENTITY, amount, outcome: 'approved', ...about };
}

const newPart = (about: Partial<CartRequest> = {}): CartRequest =>
  request('part', { ...about, giftCard: GIFT_CARD?.number ?? '' });

/** What is found wrong. @param standing minor units of parts that still stand; absent: as answered */
async function judged(
  requests: readonly CartRequest[],
  standing: ReadonlyMap<CartRequest, number> = new Map(),
): Promise<readonly string[]> {
  const breaches: string[] = [];
  const rowOf = (each: CartRequest): LedgerRow => {
    const { minor, currency } = each.amount;
    const isApproved = each.outcome === 'approved';
    const back = minor - (standing.get(each) ?? minor);
    const kind = each.kind === 'load' ? 'credit' : 'authorization';
    const row = { acquirerReference: each.reference, kind, amountMinor: minor, currency };
    const state = { approved: isApproved ? 1 : 0, reversedMinor: back, refundedMinor: 0 };
    return { ...row, ...state, giftCard: each.giftCard ?? null } as LedgerRow;
  };
  const store = new MemoryStore();
  await store.commit(
    requests.map(({ reference, entityId, outcome }): Change => {
      const state = outcome === 'declined' ? 'declined' : 'captured';
      const row = {
        id: reference,
        entityId,
        reference,
        state,
        acquirerReference: reference,
        rootId: null,
        version: 1,
      };
      return { op: 'insert', table: 'payments', row: row as PaymentRow };
    }),
  );
  await checkCarts({ requests, entityIds: [ENTITY, OTHER] }, store, requests.map(rowOf), {
    isComplete: true,
    breach: (text) => breaches.push(text),
  });
  return breaches;
}

describe('orders that gift cards pay for', () => {
  it('have their parts, and those that are refused have none', async () => {
    const part = newPart();
    const order = request('order', { parts: [part] });
    const refused = request('order', { parts: [part], outcome: 'declined' });
    expect(await judged([part, order, refused])).toEqual([]);
    expect(await judged([part, refused], new Map([[part, 0]]))).toEqual([]);
    expect(await judged([part, refused])).toHaveLength(1);
    expect(await judged([part, order], new Map([[part, 0]]))).toHaveLength(1);
  });

  it('have no part of another order, or of another merchant', async () => {
    const part = newPart();
    const [order, second] = [request('order', { parts: [part] }), request('order', { parts: [part] })];
    expect(await judged([part, order, second])).toHaveLength(1);
    const foreign = request('order', { parts: [part], entityId: OTHER });
    expect(await judged([part, foreign])).toHaveLength(1);
    expect(await judged([part, { ...foreign, outcome: 'declined' }])).toEqual([]);
  });

  it('leave on a gift card what is left', async () => {
    const part = newPart();
    expect(await judged([part, { ...newPart(), kind: 'load' }])).toEqual([]);
    const much = newPart({ amount: { minor: 1_000_000, currency: 'EUR' } });
    expect(await judged([much])).toHaveLength(1);
  });
});

describe('the commit of an order', () => {
  const payment = { id: 'p', entityId: ENTITY, state: 'captured', refundedMinor: 0, reversedMinor: 0 };
  const paid = (row: object): Change => ({ op: 'insert', table: 'payments', row: row as PaymentRow });
  const taken = (entityId: string): readonly Change[] => [
    { op: 'insert', table: 'intents', row: { paymentId: 'o', entityId } as IntentRow },
    {
      op: 'insert',
      table: 'cartPayments',
      row: { paymentId: 'p', orderId: 'o', state: 'open' } as CartPaymentRow,
    },
  ];

  it('takes a payment of its merchant that stands whole', () => {
    const seen = (...commits: readonly (readonly Change[])[]): number => {
      let breaches = 0;
      const recorder = new CartRecorder(() => {
        breaches += 1;
      });
      for (const commit of commits) recorder.committed(commit);
      return breaches;
    };
    expect(seen([paid(payment)], taken(ENTITY))).toBe(0);
    expect(seen([paid(payment)], taken(OTHER))).toBe(1);
    expect(seen([paid({ ...payment, refundedMinor: 1 })], taken(ENTITY))).toBe(1);
    expect(seen(taken(ENTITY))).toBe(1);
  });
});
