import { referenceOf } from './load/fill-payments.js';
import { type FilledGateway, filledGateway } from './load/filled-gateway.js';
import { formRequest, getRequest, type LoadResult } from './load/http-load.js';
import { loadFromProcess } from './load/load-process.js';
import { PAYMENT } from './load/payment-example.js';
import { type BenchRow, median } from './measure.js';
import { atMost } from './row.js';
import type { BenchSize } from './suites.js';

/** Payments of the small and of the large gateway. */
const COUNTS: Readonly<Record<BenchSize, readonly [small: number, large: number]>> = {
  full: [10_000, 1_000_000],
  short: [10_000, 50_000],
};
/** Small and large take turns, so that a busy machine slows both alike. */
const ROUNDS = 3;
const CONNECTIONS = 64;
const WARM_UP_MS = 1_000;
const DURATION_MS = 4_000;
/** How many different payments are asked for. */
const SAMPLES = 640;
/** What the p99 may grow to. */
const ALLOWED = 1.25;

type Kind = 'payments' | 'status' | 'query';
const TEXTS: Readonly<Record<Kind, string>> = {
  payments: 'durable card DB',
  status: 'GET of a payment',
  query: 'query by reference',
};

function requestsOf(kind: Kind, { gateway, ids }: FilledGateway, count: number): readonly string[] {
  const [{ entityId, token }] = gateway.merchants;
  if (kind === 'payments') return [formRequest('/v1/payments', { entityId, ...PAYMENT }, token)];
  return Array.from({ length: SAMPLES }, (_none, at) => {
    const number = Math.floor((at * count) / SAMPLES);
    const path =
      kind === 'status'
        ? `/v1/payments/${ids[Math.floor((at * ids.length) / SAMPLES)]}?entityId=${entityId}`
        : `/v3/query?entityId=${entityId}&merchantTransactionId=${referenceOf(number)}`;
    return getRequest(path, token);
  });
}

async function p99Of(kind: Kind, filled: FilledGateway, count: number): Promise<number> {
  const result: LoadResult = await loadFromProcess({
    port: filled.gateway.port,
    requests: requestsOf(kind, filled, count),
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    durationMs: DURATION_MS,
    isEachNext: true,
  });
  const others = Object.entries(result.statuses).filter(([status]) => status !== '200');
  if (others.length > 0) throw new Error(`answers other than 200 to ${kind}: ${JSON.stringify(others)}`);
  return result.p99Ms;
}

/** The p99 of payments, status and query by reference in a gateway with many payments, beside the same in one with few. */
export async function benchGrowth(size: BenchSize): Promise<BenchRow[]> {
  const counts = COUNTS[size];
  const [small, large] = [await filledGateway(counts[0], PAYMENT), await filledGateway(counts[1], PAYMENT)];
  try {
    await small.gateway.start();
    await large.gateway.start();
    const rows: BenchRow[] = [];
    for (const kind of Object.keys(TEXTS) as Kind[]) {
      const [few, many]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        few.push(await p99Of(kind, small, counts[0]));
        many.push(await p99Of(kind, large, counts[1]));
      }
      const name = `growth: p99 of ${TEXTS[kind]} at ${counts[1]} payments, against ${ALLOWED} x at ${counts[0]}`;
      rows.push(atMost(name, 'ms', median(many), ALLOWED * median(few)));
    }
    return rows;
  } finally {
    await small.gateway.end();
    await large.gateway.end();
  }
}
