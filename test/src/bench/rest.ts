import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BenchGateway, NO_THROTTLE, startBenchGateway } from '../load/bench-gateway.js';
import { ECHO_SERVER } from '../load/echo-server.js';
import { formRequest, getRequest, type LoadResult } from '../load/http-load.js';
import { loadFromProcess } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { type ProcessorTime, perRequest, processorTime } from '../load/process/processor-time.js';
import { requestLogCosts } from './rest-cost/request-log.js';
import { type BenchRow, median, round2 } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

const CONNECTIONS = 64;
const WARM_UP_MS = 2_000;
const DURATION_MS = 6_000;
/** Payments after which processor time is measured, and the most warm-ups for them. */
const WARM_UP_PAYMENTS = 6_000;
const MAX_WARM_UPS = 10;
/** What a durable payment needs at least: intent, ledger, result, one after the other. */
const SYNCS = 3;
/** Rounds of raw writes for the baseline of one connection. */
const RAW_ROUNDS = 300;
/** About what is in the rows of one payment: intent, ledger entry, payment, idempotency. */
const RAW_BYTES = 4_096;
/** What the rows of one payment may hold at most, by the goal of bytes. */
const GOAL_BYTES = 16 * 1_024;
/** Processor that one payment may use, in microseconds. A rate depends on all that the machine does; this on the gateway alone. */
const GOAL_US: ProcessorTime = { main: 300, workers: 110, collector: 40 };

/** What the log of requests may use of it for each payment, in microseconds, and how often that is measured. */
const GOAL_LOG_US = { main: 30, workers: 60 };
const LOG_TURNS = { full: 9, short: 3 };

/** Ratios of a rate are far below 1: they need a place more. */
const round3 = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Only answers of the expected status count as work done. */
function must(result: LoadResult, status: string): LoadResult {
  const others = Object.entries(result.statuses).filter(([name]) => name !== status);
  if (others.length > 0) throw new Error(`answers other than ${status}: ${JSON.stringify(others)}`);
  return result;
}

/** Starts the echo; resolves with its port and how to end it. */
async function startEcho(): Promise<{ port: number; end: () => void }> {
  const child = spawn(process.execPath, [ECHO_SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('listening ')) continue;
    const { port } = JSON.parse(line.slice('listening '.length)) as { port: number };
    return { port, end: () => child.kill() };
  }
  throw new Error('the echo server did not listen');
}

/** The middle time of raw writes with a sync after each, as many one after the other as a payment needs. */
function rawSyncsMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'raw-syncs-'));
  const file = openSync(join(folder, 'raw'), 'w');
  const bytes = Buffer.alloc(RAW_BYTES, 7);
  const times: number[] = [];
  for (let at = 0; at < RAW_ROUNDS; at += 1) {
    const start = performance.now();
    for (let sync = 0; sync < SYNCS; sync += 1) {
      writeSync(file, bytes);
      fsyncSync(file);
    }
    times.push(performance.now() - start);
  }
  closeSync(file);
  rmSync(folder, { recursive: true });
  return median(times);
}

const load = (port: number, request: string, connections: number): Promise<LoadResult> =>
  loadFromProcess({ port, requests: [request], connections, warmUpMs: WARM_UP_MS, durationMs: DURATION_MS });

/** Requests of a load that were answered. */
const answered = ({ statuses }: LoadResult): number =>
  Object.values(statuses).reduce((sum, number) => sum + number, 0);

/**
 * The load of payments, and what the gateway used for each. Nothing of the warm-up is counted, and it goes on until the runtime has compiled what
 * it runs often: on a slow machine that would be most of what is measured otherwise.
 */
async function payUnderLoad(gateway: BenchGateway, request: string) {
  const { port, pid } = gateway;
  const pay = (durationMs: number): Promise<LoadResult> =>
    loadFromProcess({ port, requests: [request], connections: CONNECTIONS, warmUpMs: 0, durationMs });
  for (let round = 0, made = 0; round < MAX_WARM_UPS && made < WARM_UP_PAYMENTS; round += 1)
    made += answered(await pay(WARM_UP_MS));
  const [bytes, time] = [gateway.writtenBytes(), processorTime(pid)];
  const paid = must(await pay(DURATION_MS), '200');
  const count = answered(paid);
  return {
    paid,
    bytesEach: (gateway.writtenBytes() - bytes - paid.answerBytes) / count,
    timeEach: perRequest(time, processorTime(pid), count),
  };
}

/** A row for each kind of thread, and one for all. */
function processorRows({ main, workers, collector }: ProcessorTime): BenchRow[] {
  const row = (threads: string, us: number, allowed: number): BenchRow =>
    atMost(`rest-payments: processor of a payment, ${threads}, against ${allowed} µs`, 'µs', us, allowed);
  const { main: ofMain, workers: ofWorkers, collector: ofCollector } = GOAL_US;
  return [
    row('all threads', main + workers + collector, ofMain + ofWorkers + ofCollector),
    row('main thread', main, ofMain),
    row('threads of the database and of ciphers', workers, ofWorkers),
    row('collector and compiler', collector, ofCollector),
  ];
}

async function onePayment({ url, merchants: [{ entityId, token }] }: BenchGateway): Promise<string> {
  const answer = await fetch(`${url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ entityId, ...PAYMENT }),
  });
  const { id } = (await answer.json()) as { id: string };
  return id;
}

/**
 * Durable card payments and status requests over REST, against a bare Fastify form echo of the same body, the writes of one
 * payment against its rows, and one connection against three raw writes with their syncs.
 */
export async function benchRest(): Promise<BenchRow[]> {
  const gateway = await startBenchGateway(NO_THROTTLE);
  const echo = await startEcho();
  try {
    const {
      port,
      merchants: [{ entityId, token }],
    } = gateway;
    const payment = formRequest('/v1/payments', { entityId, ...PAYMENT }, token);
    const echoed = must(await load(echo.port, payment, CONNECTIONS), '200');
    const { paid, bytesEach, timeEach } = await payUnderLoad(gateway, payment);
    const single = must(await load(port, payment, 1), '200');
    const rawMs = rawSyncsMs();
    const status = `/v1/payments/${await onePayment(gateway)}`;
    const read = must(
      await load(port, getRequest(`${status}?entityId=${entityId}`, token), CONNECTIONS),
      '200',
    );
    const echoRead = must(await load(echo.port, getRequest(status, token), CONNECTIONS), '200');
    return [
      {
        name: `rest-payments: durable card DB, ${CONNECTIONS} connections, against a bare Fastify echo`,
        value: Math.round(paid.perSecond),
        unit: '1/s',
        baseline: Math.round(echoed.perSecond),
        ratio: round2(paid.perSecond / echoed.perSecond),
        goal: 0.4,
      },
      {
        name: 'rest-payments: p99, against 4 x that of the echo',
        value: round3(paid.p99Ms),
        unit: 'ms',
        baseline: round2(4 * echoed.p99Ms),
        ratio: round2((4 * echoed.p99Ms) / paid.p99Ms),
        goal: 1,
      },
      ...processorRows(timeEach),
      {
        name: `rest-one: one connection, p50, against 1.5 x ${SYNCS} raw writes with a sync`,
        value: round3(single.p50Ms),
        unit: 'ms',
        baseline: round2(1.5 * rawMs),
        ratio: round2((1.5 * rawMs) / single.p50Ms),
        goal: 1,
      },
      {
        name: 'bytes-per-payment: bytes of write calls, against 16 KiB',
        value: Math.round(bytesEach),
        unit: 'bytes',
        baseline: GOAL_BYTES,
        ratio: round2(GOAL_BYTES / bytesEach),
        goal: 1,
      },
      {
        name: `rest-status: GET of a payment, ${CONNECTIONS} connections, against the echo`,
        value: Math.round(read.perSecond),
        unit: '1/s',
        baseline: Math.round(echoRead.perSecond),
        ratio: round2(read.perSecond / echoRead.perSecond),
        goal: 0.6,
      },
    ];
  } finally {
    echo.end();
    await gateway.end();
  }
}

/** What the log of requests costs a payment: a gateway that keeps all requests against one that keeps none, in turns. */
export async function benchRequestLog(size: BenchSize): Promise<BenchRow[]> {
  const costs = await requestLogCosts(LOG_TURNS[size]);
  const row = (threads: string, key: keyof typeof GOAL_LOG_US): BenchRow => {
    const us = Math.max(0.1, median(costs.map((each) => each[key])));
    return atMost(
      `request-log: processor of a payment, ${threads}, more than without`,
      'µs',
      us,
      GOAL_LOG_US[key],
    );
  };
  return [row('main thread and collector', 'main'), row('threads of the database', 'workers')];
}
