import type { AcquirerDecision } from '../../acquirers/acquirer.js';

/** Lowest and highest score (signed, five digits). */
export const RISK_SCORE_LIMIT = 99_999;

/** The effect of a rule where it matches: points for the score, and its own verdict. */
export interface RuleEffect {
  /** Unique within a set; for the timeline. */
  readonly name: string;
  readonly points: number;
  /** `allow`: no other rule counts but a refusal. `review`: a person decides. */
  readonly action?: 'allow' | 'review' | 'refuse';
}

/** A rule on the issuer's AVS or CVV results. */
export interface VerificationRule extends RuleEffect {
  readonly kind: 'avs' | 'cvv';
  readonly answers: readonly string[];
}

/** Result codes (docs/result-codes.md). */
export const RISK_CODES = {
  refused: '100.400.020',
  country: '100.400.021',
  screening: '100.400.319',
  screeningSilent: '100.400.325',
  approvedUnscreened: '000.400.082',
  reviewAvs: '000.400.010',
  reviewCvv: '000.400.020',
} as const;

/** What the check of a payment goes by once the issuer has answered; kept with its intent. Nothing sensitive. */
export interface RiskPolicy {
  /** The score that a test requests. */
  readonly forcedScore?: number;
  /** The score of what was known before. */
  readonly score?: number;
  /** The entity's rules on AVS and CVV results; absent: {@link STANDARD_RULES}. */
  readonly rules?: readonly VerificationRule[];
  /** From this score on a payment is refused; absent: {@link REFUSED_FROM}. */
  readonly refuseFrom?: number;
}

/** The rules for an entity that has set none. */
const STANDARD_RULES: readonly VerificationRule[] = [
  { name: 'cvv', kind: 'cvv', answers: ['N'], points: 100 },
  { name: 'avs', kind: 'avs', answers: ['N'], points: 60 },
  { name: 'avs in part', kind: 'avs', answers: ['A', 'Z'], points: 20 },
];
/** From this score on the check refuses a payment. */
const REFUSED_FROM = 100;
/** Codes of a rule that refuses. */
const REFUSED_BY = { avs: '800.400.100', cvv: RISK_CODES.refused } as const;

/** Verdict of the risk check. */
interface RiskVerdict {
  /** 0 where nothing was found. */
  readonly score: number;
  /** Result code where the score or a rule refuses the payment. */
  readonly refusal?: string;
  /** The entity's own rules refuse it: whatever its type, it does not stand. */
  readonly isOwn?: true;
  /** Result code of an approval that a person is to look at. */
  readonly review?: string;
  /** Names of the rules that fit. */
  readonly found: readonly string[];
}

/** The risk check once the issuer has answered. Pure, so that its verdict is the same after a crash. */
export function assessRisk(answer: AcquirerDecision, policy: RiskPolicy = {}): RiskVerdict {
  const { forcedScore, score: before = 0, rules = STANDARD_RULES, refuseFrom = REFUSED_FROM } = policy;
  const found = rules.filter(({ kind, answers }) =>
    answers.includes((kind === 'avs' ? answer.avsResponse : answer.cvvResponse) ?? ''),
  );
  const score = forcedScore ?? limited(found.reduce((sum, { points }) => sum + points, before));
  const own = policy.rules && ({ isOwn: true } as const);
  const about = { score, found: found.map(({ name }) => name) };
  const refused = found.find(({ action }) => action === 'refuse');
  if (refused) return { ...about, refusal: REFUSED_BY[refused.kind], ...own };
  if (score >= refuseFrom) return { ...about, refusal: RISK_CODES.refused, ...own };
  const review = found.find(({ action }) => action === 'review');
  if (!review) return about;
  return { ...about, review: review.kind === 'avs' ? RISK_CODES.reviewAvs : RISK_CODES.reviewCvv };
}

/** A score within its bounds. */
export function limited(score: number): number {
  return Math.max(-RISK_SCORE_LIMIT, Math.min(RISK_SCORE_LIMIT, score));
}
