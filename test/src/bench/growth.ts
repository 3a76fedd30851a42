import { referenceOf } from '../load/fill-payments.js';
import { type FilledGateway, filledGateway } from '../load/filled-gateway.js';
import { formRequest, getRequest } from '../load/http-load.js';
import { answeredLoad } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { type BenchRow, median } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

/** Payments of the small and of the large gateway. */
const COUNTS: Readonly<Record<BenchSize, readonly [small: number, large: number]>> = {
  full: [10_000, 1_000_000],
  short: [10_000, 50_000],
};
/** Small and large take turns, so that a busy machine slows both alike. */
const ROUNDS = 3;
const CONNECTIONS = 64;
/** Connections of requests that give a hundred payments or records each. */
const LIST_CONNECTIONS = 8;
const WARM_UP_MS = 1_000;
const DURATION_MS = 4_000;
/** How many different payments are requested. */
const SAMPLES = 640;
/** What the p99 may grow to. */
const ALLOWED = 1.25;
/** A time frame has 1,200 payments. */
const FRAME_MS = 60_000;
const DAY_MS = 86_400_000;

/** What is requested, and how. */
interface Kind {
  readonly text: string;
  readonly connections: number;
  /** A request by its place among the samples, from 0 to below 1. */
  readonly request: (filled: FilledGateway, place: number, count: number) => string;
}

const get = (filled: FilledGateway, path: string, query: Readonly<Record<string, string>>): string => {
  const [{ entityId, token }] = filled.gateway.merchants;
  return getRequest(`${path}?${new URLSearchParams({ entityId, ...query })}`, token);
};
const pick = (ids: readonly string[], place: number): string => ids[Math.floor(place * ids.length)] ?? '';
const time = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The frame of a minute that begins at a place of the whole time. */
function frameAt({ fromMs, toMs }: FilledGateway, place: number): Readonly<Record<string, string>> {
  const from = fromMs + place * (toMs - fromMs - FRAME_MS);
  return { 'date.from': time(from), 'date.to': time(from + FRAME_MS) };
}

const PAYMENTS: Kind = {
  text: 'durable card DB',
  connections: CONNECTIONS,
  request: ({ gateway }) => {
    const [{ entityId, token }] = gateway.merchants;
    return formRequest('/v1/payments', { entityId, ...PAYMENT }, token);
  },
};
const BY_DATE: Kind = {
  text: 'query by date',
  connections: LIST_CONNECTIONS,
  request: (filled, place) => get(filled, '/v3/query', frameAt(filled, place)),
};
const KINDS: readonly Kind[] = [
  PAYMENTS,
  {
    text: 'GET of a payment',
    connections: CONNECTIONS,
    request: (filled, place) => get(filled, `/v1/payments/${pick(filled.paymentIds, place)}`, {}),
  },
  {
    text: 'query by reference',
    connections: CONNECTIONS,
    request: (filled, place, count) =>
      get(filled, '/v3/query', { merchantTransactionId: referenceOf(Math.floor(place * count)) }),
  },
  BY_DATE,
  {
    text: 'query by date with types and methods, its third page',
    connections: LIST_CONNECTIONS,
    request: (filled, place) =>
      get(filled, '/v3/query', {
        ...frameAt(filled, place),
        paymentTypes: 'DB,RF',
        paymentMethods: 'CC',
        pageNo: '3',
      }),
  },
  {
    text: 'query of the whole time',
    connections: LIST_CONNECTIONS,
    request: (filled) =>
      get(filled, '/v3/query', { 'date.from': time(filled.fromMs), 'date.to': time(filled.toMs + 1_000) }),
  },
  {
    text: 'list of settlements',
    connections: LIST_CONNECTIONS,
    request: (filled) =>
      get(filled, '/reports/v1/reconciliations/aggregations', {
        'date.from': day(filled.fromMs - DAY_MS),
        'date.to': day(filled.toMs + DAY_MS),
        currency: 'EUR',
      }),
  },
  {
    text: 'page of a settlement',
    connections: LIST_CONNECTIONS,
    request: (filled, place) =>
      get(filled, `/reports/v2/reconciliations/aggregations/${pick(filled.settlementIds, place)}`, {
        sortOrder: 'DESC',
      }),
  },
];

/** Sends the requests of a kind; the p99 of their answers. */
async function p99Of(kind: Kind, filled: FilledGateway, count: number): Promise<number> {
  const requests = Array.from({ length: SAMPLES }, (_none, at) => kind.request(filled, at / SAMPLES, count));
  const { p99Ms } = await answeredLoad({
    port: filled.gateway.port,
    requests: kind === PAYMENTS ? requests.slice(0, 1) : requests,
    connections: kind.connections,
    warmUpMs: WARM_UP_MS,
    durationMs: DURATION_MS,
    isEachNext: true,
  });
  return p99Ms;
}

/** The p99 of payments while others query by date all the time. */
async function p99Concurrent(filled: FilledGateway, count: number): Promise<number> {
  const [payments] = await Promise.all([p99Of(PAYMENTS, filled, count), p99Of(BY_DATE, filled, count)]);
  return payments;
}

/** The p99 of payments, queries and reports in a gateway with many payments, compared with the same in one with few. */
export async function benchGrowth(size: BenchSize): Promise<BenchRow[]> {
  const counts = COUNTS[size];
  const [small, large] = [await filledGateway(counts[0], PAYMENT), await filledGateway(counts[1], PAYMENT)];
  const measured: readonly (readonly [string, (filled: FilledGateway, count: number) => Promise<number>])[] =
    [
      ...KINDS.map((kind) => [kind.text, p99Of.bind(undefined, kind)] as const),
      [`${PAYMENTS.text} during ${BY_DATE.text}`, p99Concurrent],
    ];
  try {
    await small.gateway.start();
    await large.gateway.start();
    // The first requests read the files from the disk.
    for (const [at, filled] of [small, large].entries()) await p99Of(PAYMENTS, filled, counts[at] ?? 0);
    const rows: BenchRow[] = [];
    for (const [text, p99] of measured) {
      const [few, many]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        few.push(await p99(small, counts[0]));
        many.push(await p99(large, counts[1]));
      }
      const name = `growth: p99 of ${text} at ${counts[1]} payments, against ${ALLOWED} x at ${counts[0]}`;
      rows.push(atMost(name, 'ms', median(many), ALLOWED * median(few)));
    }
    return rows;
  } finally {
    await small.gateway.end();
    await large.gateway.end();
  }
}
