import type { BenchGateway } from '../load/bench-gateway.js';
import { filledGateway } from '../load/filled-gateway.js';
import { holdCheck, releaseCheck } from '../load/held-check.js';
import { formRequest } from '../load/http-load.js';
import { type RoundResult, startRound } from '../load/invariants-round.js';
import { answeredLoad } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { type BenchRow, median } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

const COUNTS: Readonly<Record<BenchSize, number>> = { full: 1_000_000, short: 50_000 };
/** How long the check runs at its own pace. */
const PACED_MS = 20_000;
/** What a round may take, in times of reading the same rows, and the share of a core at its own pace. */
const ALLOWED_TIMES = 3;
const ALLOWED_SHARE = 0.1;
/** What the p99 of payments may grow to during the check; with and without take turns, so that a busy machine slows both alike. */
const ALLOWED_GROWTH = 1.25;
const ROUNDS = 3;
const LOAD = { connections: 64, warmUpMs: 1_000, durationMs: 4_000 };

/**
 * One whole round of the consistency check, compared with reading the rows of the same tables; what it takes of a core at its own pace; and the p99
 * of payments meanwhile, compared with that of the same gateway without the check.
 */
export async function benchInvariants(size: BenchSize): Promise<BenchRow[]> {
  const count = COUNTS[size];
  const { gateway } = await filledGateway(count, PAYMENT);
  const child = startRound({ home: gateway.home, count, pacedMs: PACED_MS });
  try {
    const { raw, round, share, differences } = await child.next<RoundResult>();
    if (differences > 0)
      throw new Error(`the check found ${differences} differences among copies of one payment`);
    const about = `invariants: a round of ${count} payments`;
    return [
      atMost(
        `${about}, processor time against ${ALLOWED_TIMES} x reading the rows`,
        's',
        round.cpuMs / 1_000,
        (ALLOWED_TIMES * raw.cpuMs) / 1_000,
      ),
      atMost(
        `${about}, without pauses, against ${ALLOWED_TIMES} x reading the rows`,
        's',
        round.ms / 1_000,
        (ALLOWED_TIMES * raw.ms) / 1_000,
      ),
      atMost(`invariants: share of a core at its own pace`, 'of 1', share, ALLOWED_SHARE),
      await duringPayments(gateway),
    ];
  } finally {
    await child.end();
    await gateway.end();
  }
}

/** The p99 of payments while the gateway's own check goes on, against that without it. */
async function duringPayments(gateway: BenchGateway): Promise<BenchRow> {
  const {
    port,
    home,
    merchants: [{ entityId, token }],
  } = gateway;
  const load = { port, requests: [formRequest('/v1/payments', { entityId, ...PAYMENT }, token)], ...LOAD };
  await gateway.start();
  // The first requests read the files from the disk.
  await answeredLoad(load);
  const [without, during]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await holdCheck(home);
    without.push((await answeredLoad(load)).p99Ms);
    await releaseCheck(home);
    during.push((await answeredLoad(load)).p99Ms);
  }
  return atMost(
    `invariants: p99 of payments during the check, against ${ALLOWED_GROWTH} x without`,
    'ms',
    median(during),
    ALLOWED_GROWTH * median(without),
  );
}
