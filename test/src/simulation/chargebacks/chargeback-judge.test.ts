import type { PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { describe, expect, it } from 'vitest';
import type { MadeChargeback } from './cardholders.js';
import { checkChargebacks, unbooked, withChargebacks } from './chargeback-judge.js';

const CHARGEBACK: MadeChargeback = {
  kind: 'chargeback',
  reference: 'c1',
  originalReference: 'r1',
  amount: { minor: 700, currency: 'EUR' },
  reason: '10.4',
  isDone: true,
};
const WON: MadeChargeback = { ...CHARGEBACK, kind: 'chargeback-reversal', reference: 'c2' };
const ROW = { type: 'CB', acquirerReference: 'c1', amountMinor: 700, currency: 'EUR', version: 1 };

async function storeOf(...rows: readonly object[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.commit(
    rows.map((row, at) => ({ op: 'insert', table: 'payments', row: { id: `p${at}`, ...row } as PaymentRow })),
  );
  return store;
}

describe('chargebacks', () => {
  const judged = async (made: readonly MadeChargeback[], ...rows: readonly object[]): Promise<number> => {
    let breaches = 0;
    await checkChargebacks(made, await storeOf(...rows), () => {
      breaches += 1;
    });
    return breaches;
  };

  it('are booked once, with their amount', async () => {
    expect(await judged([CHARGEBACK], ROW)).toBe(0);
    expect(await judged([CHARGEBACK])).toBe(1);
    expect(await judged([CHARGEBACK], ROW, ROW)).toBe(1);
    expect(await judged([CHARGEBACK], { ...ROW, amountMinor: 701 })).toBe(1);
    expect(await judged([WON], { ...ROW, acquirerReference: 'c2' })).toBe(1);
  });

  it('that were refused are not booked', async () => {
    const refused = { ...CHARGEBACK, isDone: false };
    expect(await judged([refused])).toBe(0);
    expect(await judged([refused], ROW)).toBe(1);
  });

  it('are waited for until they are booked', async () => {
    expect(await unbooked([CHARGEBACK, { ...WON, isDone: false }], await storeOf())).toEqual([CHARGEBACK]);
    expect(await unbooked([CHARGEBACK], await storeOf(ROW))).toEqual([]);
  });

  it('take from a merchant, and what it wins back it has again', () => {
    const had = new Map([['EUR', 1_000]]);
    expect(withChargebacks(had, [CHARGEBACK]).get('EUR')).toBe(300);
    expect(withChargebacks(had, [CHARGEBACK, WON]).get('EUR')).toBe(1_000);
    expect(withChargebacks(had, [{ ...CHARGEBACK, isDone: false }]).get('EUR')).toBe(1_000);
  });
});
