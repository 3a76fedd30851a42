import { setTimeout as pause } from 'node:timers/promises';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { type FilledGateway, filledGateway } from '../load/filled-gateway.js';
import { formRequest, getRequest } from '../load/http-load.js';
import { answeredLoad } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { type BenchRow, median } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

const COUNTS: Readonly<Record<BenchSize, number>> = { full: 1_000_000, short: 50_000 };
/** What a search may take at the 99th percentile, in milliseconds. */
const SEARCH_MS = 200;
/** What the p99 of payments may grow to while others search. */
const ALLOWED = 1.25;
const ROUNDS = 5;
const WARM_UP_MS = 1_000;
const DURATION_MS = 4_000;
/** Different requests of one kind. */
const SAMPLES = 200;
/** Merchants that pay, each after a pause, and persons that search: as fast as a person can look. */
const PAYING = { connections: 16, pauseMs: 200 } as const;
const SEARCHING = { connections: 4, pauseMs: 1_000 } as const;
/** How long the gateway may take to make the slices of all payments. */
const SLICES_MS = 15 * 60_000;

/** Gives the copies of one payment what distinguishes payments: cards, amounts, shoppers, terminals, brands, outcomes. */
async function vary({ gateway }: FilledGateway): Promise<void> {
  const database = await SqliteConnection.open(gatewayFiles(gateway.home).database, {});
  await database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000');
  await database.exec(`UPDATE payments SET
    last4Digits = printf('%04d', (rowid * 7919) % 10000),
    amountMinor = 100 + (rowid * 104729) % 500000,
    terminalId = printf('%04d', rowid % 500),
    brand = CASE rowid % 3 WHEN 0 THEN 'MASTER' ELSE 'VISA' END,
    state = CASE WHEN rowid % 20 = 0 THEN 'declined' ELSE state END,
    resultCode = CASE WHEN rowid % 100000 = 7 THEN '800.100.171' WHEN rowid % 20 = 0 THEN '800.100.152' ELSE resultCode END,
    echo = json_set(echo, '$.customer.email', printf('shopper-%d@example.com', (rowid * 31) % 200000))`);
  await database.all('PRAGMA wal_checkpoint(TRUNCATE)');
  await database.close();
}

const search = (filled: FilledGateway, query: Readonly<Record<string, string>>): string => {
  const [{ entityId, token }] = filled.gateway.merchants;
  return getRequest(`/v1/payments?${new URLSearchParams({ entityId, limit: '50', ...query })}`, token);
};

/** What people look for, by its place among the samples. */
const KINDS: Readonly<
  Record<string, (at: number, filled: FilledGateway) => Readonly<Record<string, string>>>
> = {
  'the newest': () => ({}),
  'a payment id': (at, { paymentIds }) => ({ id: paymentIds[at % paymentIds.length] ?? '' }),
  'last four digits': (at) => ({ 'card.last4Digits': String((at * 37) % 10_000).padStart(4, '0') }),
  'an amount': (at) => ({ amount: `${1 + ((at * 7) % 5_000)}.00` }),
  'an amount that no payment has': (at) => ({ amount: `${9_000 + at}.00` }),
  'an e-mail address': (at) => ({ 'customer.email': `shopper-${(at * 997) % 200_000}@example.com` }),
  'declines at a terminal': (at) => ({
    'pos.terminalId': String(at % 500).padStart(4, '0'),
    outcome: 'declined',
  }),
  'a rare result code': () => ({ 'result.code': '800.100.171' }),
};

async function p99Of(
  filled: FilledGateway,
  requests: readonly string[],
  pace: { readonly connections: number; readonly pauseMs?: number },
): Promise<number> {
  const { p99Ms } = await answeredLoad({
    ...{ port: filled.gateway.port, requests, ...pace, isEachNext: requests.length > 1 },
    ...{ warmUpMs: WARM_UP_MS, durationMs: DURATION_MS },
  });
  return p99Ms;
}

/** Waits until the gateway has made the slices: what it adds up is whole then. */
async function sliced(filled: FilledGateway): Promise<number> {
  const [{ entityId, token }] = filled.gateway.merchants;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const times = {
    'date.from': `${day(filled.fromMs)} 00:00:00`,
    'date.to': `${day(filled.toMs + 86_400_000)} 00:00:00`,
  };
  const url = `${filled.gateway.url}/v1/payments/totals?${new URLSearchParams({ entityId, ...times })}`;
  const began = performance.now();
  for (;;) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const { isWhole } = (await answer.json()) as { isWhole?: boolean };
    if (isWhole) return performance.now() - began;
    if (performance.now() - began > SLICES_MS) throw new Error('the slices of payments were not made');
    await pause(1_000);
  }
}

/** Searches among many payments, and payments meanwhile. */
export async function benchSearch(size: BenchSize): Promise<BenchRow[]> {
  const count = COUNTS[size];
  const filled = await filledGateway(count, PAYMENT);
  await vary(filled);
  const [{ entityId, token }] = filled.gateway.merchants;
  const payments = [formRequest('/v1/payments', { entityId, ...PAYMENT }, token)];
  const samples = (kind: (typeof KINDS)[string]) =>
    Array.from({ length: SAMPLES }, (_none, at) => search(filled, kind(at, filled)));
  try {
    await filled.gateway.start();
    const slicesMs = await sliced(filled);
    console.log(`search: slices of ${count} payments made in ${Math.round(slicesMs / 1_000)} s`);
    const rows: BenchRow[] = [];
    for (const [name, kind] of Object.entries(KINDS)) {
      const p99Ms = await p99Of(filled, samples(kind), { connections: 2 });
      rows.push(
        atMost(
          `search: p99 of ${name} among ${count} payments, against ${SEARCH_MS} ms`,
          'ms',
          p99Ms,
          SEARCH_MS,
        ),
      );
    }
    const mixed = Object.values(KINDS).flatMap((kind) => samples(kind).slice(0, 25));
    const [alone, together]: [number[], number[]] = [[], []];
    await p99Of(filled, payments, PAYING);
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await p99Of(filled, payments, PAYING));
      const [paying] = await Promise.all([p99Of(filled, payments, PAYING), p99Of(filled, mixed, SEARCHING)]);
      together.push(paying);
    }
    const about = `search: p99 of payments while ${SEARCHING.connections} search, against ${ALLOWED} x without`;
    return [...rows, atMost(about, 'ms', median(together), ALLOWED * median(alone))];
  } finally {
    await filled.gateway.end();
  }
}
