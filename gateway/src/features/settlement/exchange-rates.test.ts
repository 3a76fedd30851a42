import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { ExchangeRates } from './exchange-rates.js';
import { ONE_FOR_ONE } from './rules/exchange.js';

const NOW_MS = 1_000_000;

let store: MemoryStore;
let clock: VirtualClock;
let rates: ExchangeRates;
let reads: number;
beforeEach(() => {
  store = new MemoryStore();
  clock = new VirtualClock(NOW_MS);
  reads = 0;
  const findRange: MemoryStore['findRange'] = (...of) => {
    reads += 1;
    return store.findRange(...of);
  };
  rates = new ExchangeRates({ store: { findRange }, clock });
});

const set = (fromMs: number, rate: number, untilMs: number | null = null, currency = 'EUR') =>
  store.commit([
    {
      op: 'insert',
      table: 'exchangeRates',
      row: {
        ...{ currency, settlementCurrency: 'USD', fromMs, untilMs, rate, source: `from ${fromMs}` },
        ...{ createdAtMs: 1, version: 1 },
      },
    },
  ]);
const AS_IT_IS = { currency: 'EUR', rate: ONE_FOR_ONE };
const by = (fromMs: number, rate: number) => ({
  currency: 'USD',
  rate,
  used: { currency: 'EUR', rate, fromMs, source: `from ${fromMs}` },
});
const at = (atMs: number, wanted: string | null = 'USD') => rates.conversionOf('EUR', wanted, atMs);

describe('a movement of money is settled', () => {
  it('as it is without another currency, or a rate in force', async () => {
    await set(100, 1_100_000, 200);
    await set(50, 3_000_000, null, 'JPY');
    for (const wanted of [null, 'EUR']) expect(await at(150, wanted)).toEqual(AS_IT_IS);
    expect(reads).toBe(0);
    expect(await at(99)).toEqual(AS_IT_IS);
    expect(await at(100)).toEqual(by(100, 1_100_000));
    expect(await at(199)).toEqual(by(100, 1_100_000));
    expect(await at(200)).toEqual(AS_IT_IS);
  });

  it('by the rate that began last', async () => {
    await set(100, 1_100_000);
    await set(200, 1_200_000);
    const found = [];
    for (const atMs of [99, 100, 199, 200, 5_000]) found.push(await at(atMs));
    expect(found).toEqual([
      ...[AS_IT_IS, by(100, 1_100_000), by(100, 1_100_000), by(200, 1_200_000), by(200, 1_200_000)],
    ]);
  });

  it('by the rate of its own time, also where that of a later time was looked up before', async () => {
    await set(100, 1_100_000);
    await set(200, 1_200_000);
    const found = [];
    for (const atMs of [250, 150, 50]) found.push(await at(atMs));
    expect(found).toEqual([by(200, 1_200_000), by(100, 1_100_000), AS_IT_IS]);
  });

  it('by a rate that was looked up, until another one begins, or may have begun since', async () => {
    await set(100, 1_100_000);
    await set(200, 1_200_000);
    for (const atMs of [150, 100, 199]) await at(atMs);
    expect(reads).toBe(2);
    for (const atMs of [200, 250, NOW_MS - 1]) await at(atMs);
    expect(reads).toBe(4);
    await set(NOW_MS, 1_300_000);
    expect(await at(NOW_MS)).toEqual(by(NOW_MS, 1_300_000));
    // At the moment of the look-up itself another one may begin.
    await at(NOW_MS);
    expect(reads).toBe(8);
    await clock.advance(10);
    await at(NOW_MS);
    await at(NOW_MS + 9);
    expect(reads).toBe(10);
  });

  it('as it is before the first rate, which is looked up once', async () => {
    await set(100, 1_100_000);
    for (const atMs of [99, 1, 98]) expect(await at(atMs)).toEqual(AS_IT_IS);
    expect(reads).toBe(2);
  });

  it('by a rate that was set after it was looked up for what came later', async () => {
    expect(await at(NOW_MS)).toEqual(AS_IT_IS);
    await set(NOW_MS, 1_300_000);
    expect(await at(NOW_MS)).toEqual(by(NOW_MS, 1_300_000));
  });
});
