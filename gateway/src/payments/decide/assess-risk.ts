import type { AcquirerDecision } from '../../acquirers/acquirer.js';

/** A finding of the risk check, and how much it weighs. */
interface Finding {
  readonly points: number;
  readonly found: (answer: AcquirerDecision) => boolean;
}

/** What the check looks at once the issuer has answered: its CVV and AVS results. */
const FINDINGS: readonly Finding[] = [
  { points: 100, found: ({ cvvResponse }) => cvvResponse === 'N' },
  { points: 60, found: ({ avsResponse }) => avsResponse === 'N' },
  { points: 20, found: ({ avsResponse }) => avsResponse === 'A' || avsResponse === 'Z' },
];
/** From this score on the check refuses a payment. */
const REFUSED_FROM = 100;
/** Code of a payment that the check refuses. */
const REFUSED = '100.400.020';

/** Verdict of the risk check. */
export interface RiskVerdict {
  /** 0 where nothing was found. */
  readonly score: number;
  /** Result code where the payment is refused. */
  readonly refusal?: string;
}

/**
 * The risk check of the simulator. Pure, so that its verdict is the same after a crash.
 * @param forcedScore the score that a test asks for
 */
export function assessRisk(answer: AcquirerDecision, forcedScore?: number): RiskVerdict {
  const found = FINDINGS.filter((finding) => finding.found(answer));
  const score = forcedScore ?? found.reduce((sum, { points }) => sum + points, 0);
  return score >= REFUSED_FROM ? { score, refusal: REFUSED } : { score };
}
