import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allRows } from '../../../kernel/store/all-rows.js';
import { entityRow } from '../../entities/entities.js';
import { overTime } from '../harness-clock.test.support.js';
import {
  bankPayment,
  ENTITY,
  MASTERCARD_DECLINED,
  NOW_MS,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  tillSale,
  VISA,
} from '../payment-harness.test.support.js';
import { DEFAULT_CARD_TRY_LIMITS } from '../policy/card-tries.js';
import { GatewayPaymentService } from '../service.js';

const { pairsAtMerchant, pairsOfCard, pairWindowMs } = DEFAULT_CARD_TRY_LIMITS;
const TESTED = '800.300.500';

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness();
});
afterEach(() => harness.dispose());

/** A payment by one card with its own pair. */
const tryOf = (at: number, entityId?: string, number = VISA) =>
  restPayment({
    ...(entityId !== undefined && { origin: { kind: 'rest', entityId } }),
    card: cardOf(at, number),
  });

const cardOf = (at: number, number = VISA) => ({
  number,
  expiryMonth: String((at % 12) + 1).padStart(2, '0'),
  expiryYear: String(2030 + (at % 5)),
  cvv: String(100 + at),
});

const codes = async (tries: readonly ReturnType<typeof tryOf>[]): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const each of tries) all.push((await harness.service.authorize(each)).resultCode);
  return all;
};
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const approved = (all: readonly string[]) => all.filter((code) => code !== TESTED).length;

/** Eight bits distinguish pairs: so many of those beyond the limit may be taken for one that was used. */
const BY_CHANCE = 8;

describe('one card with many pairs of expiry and card verification value', () => {
  it('is approved for no more than the limit, with whatever is sent, and its cardholder pays again the next day', async () => {
    const all = await codes(numbers(60).map((at) => tryOf(at)));
    expect(approved(all)).toBeGreaterThanOrEqual(pairsAtMerchant);
    expect(approved(all)).toBeLessThanOrEqual(pairsAtMerchant + BY_CHANCE);
    // Not even a pair that was taken is taken any more.
    expect(await codes([tryOf(0)])).toEqual([TESTED]);
    const sent = (await harness.transactions()).length;
    expect(sent).toBe(approved(all));
    await harness.clock.advance(pairWindowMs);
    expect(await codes([tryOf(0)])).toEqual(['000.100.110']);
  });

  it('is counted for its merchant, and for all merchants together', async () => {
    const here = numbers(pairsAtMerchant).map((at) => tryOf(at));
    const there = numbers(60).map((at) => tryOf(100 + at, OTHER_ENTITY));
    await codes(here);
    const all = await codes(there);
    expect(approved(all)).toBeLessThanOrEqual(pairsOfCard - pairsAtMerchant + BY_CHANCE);
    expect(approved(all)).toBeGreaterThan(0);
  });

  it('is counted for a merchant with all of its channels', async () => {
    const channels = ['c'.repeat(32), 'd'.repeat(32)];
    for (const id of channels)
      await harness.store.commit([
        { op: 'insert', table: 'entities', row: entityRow(id, 'Channel', ENTITY, 1) },
      ]);
    const all = await codes(numbers(40).map((at) => tryOf(at, channels[at % 2])));
    expect(approved(all)).toBeLessThanOrEqual(pairsAtMerchant + BY_CHANCE);
  });

  it('is counted where its expiry alone is tried', async () => {
    const months = numbers(40).map((at) => {
      const { cvv: _, ...card } = cardOf(at);
      return restPayment({ card });
    });
    expect(approved(await codes(months))).toBeLessThanOrEqual(pairsAtMerchant + BY_CHANCE);
  });

  it('is counted by two nodes together, also of tries at once', async () => {
    const services = [harness.service, new GatewayPaymentService(harness.context)];
    const tries = numbers(30).map((at) => (services[at % 2] ?? harness.service).authorize(tryOf(at)));
    const results = await overTime(harness.clock, Promise.allSettled(tries));
    await services[1]?.stop();
    const taken = results.filter(
      (result) => result.status === 'fulfilled' && result.value.resultCode !== TESTED,
    );
    expect(taken.length).toBeLessThanOrEqual(pairsAtMerchant + BY_CHANCE);
  });

  it('counts where the issuer declines, too', async () => {
    const all = await codes(numbers(40).map((at) => tryOf(at, undefined, MASTERCARD_DECLINED)));
    expect(approved(all)).toBeLessThanOrEqual(pairsAtMerchant + BY_CHANCE);
  });

  it('leaves every other card, and a cardholder who pays again and again, alone', async () => {
    await codes(numbers(40).map((at) => tryOf(at)));
    expect(new Set(await codes(numbers(40).map(() => tryOf(0, undefined, '4200000000000018'))))).toEqual(
      new Set(['000.100.110']),
    );
  });

  it('holds up no repeat by stored details, and counts verification values that are tried with them', async () => {
    await harness.service.authorize({ ...tryOf(0), createRegistration: true });
    const id = (await allRows(harness.store, 'registrations'))[0]?.id ?? '';
    await codes(numbers(40).map((at) => tryOf(at)));
    const { card: _, ...bare } = tryOf(0);
    expect(await codes([{ ...bare, registration: { id } }])).toEqual(['000.100.110']);
    expect(await codes([{ ...bare, registration: { id, cvv: '123' } }])).toEqual([TESTED]);
  });

  it('is no question of a card that is typed at a terminal', async () => {
    const sale = (at: number) => ({ ...tillSale(`m${at}`, `R-${at}`), card: cardOf(at) });
    const all: string[] = [];
    for (const at of numbers(15)) all.push((await harness.service.authorize(sale(at))).resultCode);
    expect(all).not.toContain(TESTED);
  });

  it('counts nothing where no card is typed, and nothing without limits', async () => {
    await codes([tryOf(0)]);
    const storedCard = (await allRows(harness.store, 'payments'))[0]?.vaultId ?? '';
    const counted = await allRows(harness.store, 'recentUses');
    const { card: _, ...bare } = restPayment();
    const { cardTries: __, ...uncounted } = harness.context;
    const service = new GatewayPaymentService(uncounted);
    const paid = [
      await harness.service.authorize(bankPayment()),
      // As a schedule pays: with no more than what was stored.
      await harness.service.authorize({ ...bare, storedCard }),
      await service.authorize(tryOf(1)),
    ];
    await service.stop();
    expect(paid.slice(1).map(({ resultCode }) => resultCode)).toEqual(['000.100.110', '000.100.110']);
    expect(await allRows(harness.store, 'recentUses')).toEqual(counted);
  });

  it('leaves nothing of the card verification value: a row has eight bits of each pair', async () => {
    await codes([tryOf(1), tryOf(2)]);
    const rows = await allRows(harness.store, 'recentUses');
    const texts = rows.map(({ uses }) => uses);
    expect(texts).toHaveLength(1);
    expect(rows[0]?.expiresAtMs).toBe(NOW_MS + pairWindowMs);
    expect(JSON.parse(texts[0] ?? '[]')).toEqual([
      [expect.stringMatching(/^[0-9a-f]{12} [0-9a-f]{2}$/), expect.any(Number)],
      [expect.stringMatching(/^[0-9a-f]{12} [0-9a-f]{2}$/), expect.any(Number)],
    ]);
  });
});
