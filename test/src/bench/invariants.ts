import { filledGateway } from './load/filled-gateway.js';
import { type RoundResult, startRound } from './load/invariants-round.js';
import { PAYMENT } from './load/payment-example.js';
import type { BenchRow } from './measure.js';
import { atMost } from './row.js';
import type { BenchSize } from './suites.js';

const COUNTS: Readonly<Record<BenchSize, number>> = { full: 1_000_000, short: 50_000 };
/** How long the check runs at its own pace. */
const PACED_MS = 20_000;
/** What a round may take, in times of reading the same rows, and the share of a core at its own pace. */
const ALLOWED_TIMES = 3;
const ALLOWED_SHARE = 0.1;

/** One whole round of the consistency check, beside reading the rows of the same tables, and what it takes of a core at its own pace. */
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
    ];
  } finally {
    await child.end();
    await gateway.end();
  }
}
