import type { Money } from '@tillbridge/wire/payment/money.js';
import { limited, RISK_CODES } from '../../../core/payments/rules/assess-risk.js';
import type { CountryKey, RiskRule, RiskRules, VelocityKey } from './risk-rules.js';

/** What is known of a payment before its authorization. No mandate is among it. */
export interface RiskFacts {
  readonly amount: Money;
  /** Keyed fingerprint. */
  readonly card?: string;
  /** Six digits. */
  readonly bin?: string;
  readonly email?: string;
  readonly ip?: string;
  /** Two letters each. */
  readonly countries: { readonly [Key in CountryKey]?: string };
  /** Attempts so far by name of the rule that counts them, this one among them. */
  readonly attempts: Readonly<Record<string, number>>;
}

/** A rule that fits, and its decision; for the timeline. */
interface RiskFinding {
  readonly rule: string;
  readonly points: number;
  readonly action?: RiskRule['action'] | undefined;
  /** Result code where it refuses. */
  readonly resultCode?: string | undefined;
}

/** The external screening's answer; `silent`: it gave no answer in time. */
export interface ScreeningResult {
  readonly decision: 'accept' | 'review' | 'deny' | 'silent';
  readonly score?: number;
}

/** What is done with a payment whose screening is silent. `flag`: it is approved, with a code that requires a review. */
export type WhenSilent = 'pass' | 'flag' | 'review' | 'refuse';

/** The verdict on a payment. */
export interface RiskAssessment {
  readonly score: number;
  readonly findings: readonly RiskFinding[];
  readonly verdict: 'pass' | 'review' | 'refuse';
  /** Of a refusal, or of an approval that requires a review. */
  readonly resultCode?: string;
}

const VELOCITY_CODES: Readonly<Record<VelocityKey, string>> = {
  card: '800.120.101',
  ip: '800.120.102',
  email: '800.120.103',
};
const LIST_CODES: Readonly<Record<string, string>> = {
  card: '800.300.101',
  country: '800.300.102',
  email: '800.300.200',
  ip: '800.300.301',
  bin: '800.300.401',
};

/** Weighs a payment by the rules of its entity and by the screening's answer. Pure. */
export function assessRules(
  { rules, reviewFrom, refuseFrom }: RiskRules,
  facts: RiskFacts,
  screening: ScreeningResult | undefined,
  whenSilent: WhenSilent,
): RiskAssessment {
  const found = rules.filter((rule) => fits(rule, facts)).map(findingOf);
  const all = [...found, ...screeningFindings(screening, whenSilent)];
  const refusal = all.find(({ action }) => action === 'refuse');
  const isAllowed = all.some(({ action }) => action === 'allow');
  const findings = isAllowed && !refusal ? all.filter(({ action }) => action === 'allow') : all;
  const score = limited(findings.reduce((sum, { points }) => sum + points, 0));
  const about = { score, findings };
  if (refusal) return { ...about, verdict: 'refuse', resultCode: refusal.resultCode ?? RISK_CODES.refused };
  if (isAllowed) return { ...about, verdict: 'pass' };
  if (score >= refuseFrom) return { ...about, verdict: 'refuse', resultCode: RISK_CODES.refused };
  const isReviewed =
    all.some(({ action }) => action === 'review') || score >= (reviewFrom ?? Number.POSITIVE_INFINITY);
  if (isReviewed) return { ...about, verdict: 'review' };
  const isFlagged = screening?.decision === 'silent' && whenSilent === 'flag';
  return { ...about, verdict: 'pass', ...(isFlagged && { resultCode: RISK_CODES.approvedUnscreened }) };
}

function fits(rule: RiskRule, facts: RiskFacts): boolean {
  switch (rule.kind) {
    case 'velocity':
      return (facts.attempts[rule.name] ?? 0) > rule.count;
    case 'amount':
      return facts.amount.currency === rule.currency && facts.amount.minor > rule.aboveMinor;
    case 'country-mismatch': {
      const [one, other] = rule.between.map((key) => facts.countries[key]);
      return one !== undefined && other !== undefined && one !== other;
    }
    case 'list':
      return rule.values.some((value) => isListed(value, rule.of, facts));
    case 'avs':
    case 'cvv':
      return false;
  }
}

function isListed(value: string, of: string, { card, bin, email, ip, countries }: RiskFacts): boolean {
  if (of === 'country') return Object.values(countries).some((country) => country?.toLowerCase() === value);
  // A list may hold shorter or longer beginnings of card numbers than six digits.
  if (of === 'bin') return bin?.startsWith(value.slice(0, 6)) === true;
  return { card, email, ip }[of]?.toLowerCase() === value;
}

function findingOf(rule: RiskRule): RiskFinding {
  const { name, points, action } = rule;
  const resultCode = action === 'refuse' ? refusalCode(rule) : undefined;
  return { rule: name, points, ...(action && { action }), ...(resultCode && { resultCode }) };
}

function refusalCode(rule: RiskRule): string {
  if (rule.kind === 'velocity') return VELOCITY_CODES[rule.by];
  if (rule.kind === 'list') return LIST_CODES[rule.of] ?? RISK_CODES.refused;
  return rule.kind === 'country-mismatch' ? RISK_CODES.country : RISK_CODES.refused;
}

function screeningFindings(screening: ScreeningResult | undefined, whenSilent: WhenSilent): RiskFinding[] {
  if (!screening) return [];
  const { decision, score = 0 } = screening;
  const finding = { rule: 'screening', points: limited(score) };
  if (decision === 'deny') return [{ ...finding, action: 'refuse', resultCode: RISK_CODES.screening }];
  if (decision === 'silent') {
    if (whenSilent === 'refuse')
      return [
        { ...finding, rule: 'screening-silent', action: 'refuse', resultCode: RISK_CODES.screeningSilent },
      ];
    return [{ ...finding, rule: 'screening-silent', ...(whenSilent === 'review' && { action: 'review' }) }];
  }
  return [{ ...finding, ...(decision === 'review' && { action: 'review' }) }];
}
