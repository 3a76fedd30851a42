import { setTimeout } from 'node:timers/promises';
import { type BenchGateway, startBenchGateway } from '../load/bench-gateway.js';
import { formRequest, type LoadResult } from '../load/http-load.js';
import { answeredLoad, floodFromProcess, loadFromProcess, socketsFromProcess } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { residentBytes } from '../load/process/resident-memory.js';
import { type BenchRow, round2 } from './rows/measure.js';

/** Connections of honest merchants, and how often each pays: 128 payments a second together. */
const HONEST = { connections: 64, merchants: 16, pauseMs: 500 } as const;
/** Connections of the client that sends as fast as it can, whatever the answers. */
const HOSTILE_CONNECTIONS = 200;
/** Sockets that never prove themselves, and how many one address may hold. */
const SOCKETS = { count: 1_000, perAddress: 60 } as const;
/** How long the hostile client runs without others, in milliseconds: until its burst of 2,000 is used up and it is held at its rate. */
const BURST_MS = 5_000;
const WARM_UP_MS = 3_000;
const DURATION_MS = 10_000;
/** What a flood without a token may make of the gateway's memory, in bytes. */
const ALLOWED_BYTES = 400 * 1_048_576;
const LOOK_MS = 100;
/** What the 99th percentile of honest merchants may grow to. */
const ALLOWED = 2;

/** The p99 of honest merchants during the load of a client at its throttle and a thousand unproven sockets, and during a flood, against the same without them. */
export async function benchHostile(): Promise<BenchRow[]> {
  // The throttle as it is by default: it is a part of what is measured.
  const gateway = await startBenchGateway({}, HONEST.merchants);
  try {
    const quiet = await honest(gateway);
    const endSockets = await socketsFromProcess({
      url: `${gateway.url.replace('http', 'ws')}/bridge`,
      ...SOCKETS,
    });
    const ended = hostile(gateway);
    await setTimeout(BURST_MS);
    const disturbed = await honest(gateway);
    await ended;
    endSockets();
    const flooded = await duringFlood(gateway);
    return [
      {
        name: `hostile: p99 of ${HONEST.connections} honest connections next to ${HOSTILE_CONNECTIONS} at their throttle and ${SOCKETS.count} unproven sockets, against ${ALLOWED} x without`,
        value: round2(disturbed.p99Ms),
        unit: 'ms',
        baseline: round2(ALLOWED * quiet.p99Ms),
        ratio: round2((ALLOWED * quiet.p99Ms) / disturbed.p99Ms),
        goal: 1,
      },
      {
        name: `hostile: p99 of ${HONEST.connections} honest connections during pipelined requests for a public document, unread, against ${ALLOWED} x without`,
        value: round2(flooded.p99Ms),
        unit: 'ms',
        baseline: round2(ALLOWED * quiet.p99Ms),
        ratio: round2((ALLOWED * quiet.p99Ms) / flooded.p99Ms),
        goal: 1,
      },
      {
        name: 'hostile: most memory of the gateway next to them, against what it may take',
        value: round2(flooded.mostBytes / 1_048_576),
        unit: 'MiB',
        baseline: ALLOWED_BYTES / 1_048_576,
        ratio: round2(ALLOWED_BYTES / flooded.mostBytes),
        goal: 1,
      },
    ];
  } finally {
    await gateway.end();
  }
}

/** Honest merchants during a flood without a token, and the most memory that the gateway had meanwhile. */
async function duringFlood(gateway: BenchGateway): Promise<{ p99Ms: number; mostBytes: number }> {
  const endFlood = floodFromProcess({ url: gateway.url, path: '/docs/openapi.json' });
  let mostBytes = 0;
  const timer = setInterval(() => {
    mostBytes = Math.max(mostBytes, residentBytes(gateway.pid));
  }, LOOK_MS);
  try {
    const { p99Ms } = await honest(gateway);
    return { p99Ms, mostBytes };
  } finally {
    clearInterval(timer);
    endFlood();
  }
}

function honest({ port, merchants }: BenchGateway): Promise<LoadResult> {
  const requests = merchants
    .slice(1)
    .map(({ entityId, token }) => formRequest('/v1/payments', { entityId, ...PAYMENT }, token));
  const { connections, pauseMs } = HONEST;
  return answeredLoad({
    port,
    requests,
    connections,
    pauseMs,
    warmUpMs: WARM_UP_MS,
    durationMs: DURATION_MS,
  });
}

function hostile({ port, merchants: [{ entityId, token }] }: BenchGateway): Promise<LoadResult> {
  return loadFromProcess({
    port,
    requests: [formRequest('/v1/payments', { entityId, ...PAYMENT }, token)],
    connections: HOSTILE_CONNECTIONS,
    warmUpMs: 0,
    durationMs: BURST_MS + WARM_UP_MS + DURATION_MS,
  });
}
