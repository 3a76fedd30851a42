import type { AcquirerAnswer } from '../../acquirers/acquirer.js';

/** A finding of the risk check, and how much it weighs. */
interface Finding {
  readonly points: number;
  readonly found: (answer: AcquirerAnswer) => boolean;
}

/** What the check looks at once the issuer has answered: what it said to the card verification value and to the address. */
const FINDINGS: readonly Finding[] = [
  { points: 100, found: ({ cvvResponse }) => cvvResponse === 'N' },
  { points: 60, found: ({ avsResponse }) => avsResponse === 'N' },
  { points: 20, found: ({ avsResponse }) => avsResponse === 'A' || avsResponse === 'Z' },
];
/** A payment with as many points is refused by the check. */
const REFUSED_FROM = 100;
/** Bounds of a score (spec 2.10, risk.score). */
export const RISK_SCORE_LIMIT = 99_999;
/** Code of a payment that the check refuses. */
const REFUSED = '100.400.020';

/** What the risk check says to a payment. */
export interface RiskVerdict {
  /** 0 where nothing was found. */
  readonly score: number;
  /** Why the payment must not go on. */
  readonly refusal?: string;
}

/**
 * The risk check of the simulator. Pure, so that it says the same again after a crash.
 * @param forcedScore the score that a test asks for
 */
export function assessRisk(answer: AcquirerAnswer, forcedScore?: number): RiskVerdict {
  const found = FINDINGS.filter((finding) => finding.found(answer));
  const score = forcedScore ?? found.reduce((sum, { points }) => sum + points, 0);
  return score >= REFUSED_FROM ? { score, refusal: REFUSED } : { score };
}
