import { isCurrency } from '@tillbridge/protocol/payment/currency-codes.js';
import { amountOrFault } from '@tillbridge/protocol/payment/money.js';
import { parseJson } from '@tillbridge/protocol/text/parse-json.js';
import {
  RISK_SCORE_LIMIT,
  type RuleEffect,
  type VerificationRule,
} from '../../../core/payments/rules/assess-risk.js';

/** Bounds of a set of rules. */
export const RISK_RULE_LIMITS = {
  rules: 200,
  /** Values of one list. */
  values: 10_000,
  /** Longest time over which attempts are counted: 31 days. */
  minutes: 44_640,
  /** Highest number of attempts that is counted. */
  count: 1_000,
} as const;

/** What attempts are counted by. */
export type VelocityKey = 'card' | 'email' | 'ip';
/** What a list is of; cards as keyed fingerprints. */
type ListKey = VelocityKey | 'bin' | 'country';
/** Whose country. */
export type CountryKey = 'billing' | 'shipping' | 'card' | 'ip';

/** A rule on the risk of payments. */
export type RiskRule =
  | VerificationRule
  | (RuleEffect &
      (
        | {
            readonly kind: 'velocity';
            readonly by: VelocityKey;
            /** More attempts than these, this one counted, within so many minutes. */
            readonly count: number;
            readonly minutes: number;
          }
        | { readonly kind: 'amount'; readonly currency: string; readonly aboveMinor: number }
        | { readonly kind: 'country-mismatch'; readonly between: readonly [CountryKey, CountryKey] }
        | { readonly kind: 'list'; readonly of: ListKey; readonly values: readonly string[] }
      ));

/** The rules of an entity. */
export interface RiskRules {
  readonly rules: readonly RiskRule[];
  /** From this score on a person decides; absent: none does because of the score. */
  readonly reviewFrom?: number;
  /** From this score on a payment is refused. */
  readonly refuseFrom: number;
}

/** Where an entity has no rules. */
export const NO_RISK_RULES: RiskRules = { rules: [], refuseFrom: 100 };

/** The rules are invalid; the message names the rule and the field. */
export class RiskRulesError extends Error {
  override readonly name = 'RiskRulesError';
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields of each kind, and how they are read. */
const KINDS: Readonly<Record<RiskRule['kind'], (fields: Fields, where: string) => object>> = {
  velocity: (fields, where) => ({
    by: word(fields, where, 'by', ['card', 'email', 'ip']),
    count: whole(fields, where, 'count', 1, RISK_RULE_LIMITS.count),
    minutes: whole(fields, where, 'minutes', 1, RISK_RULE_LIMITS.minutes),
  }),
  amount: ({ currency, above }, where) => ({ currency, aboveMinor: minorOf(currency, above, where) }),
  'country-mismatch': (fields, where) => {
    const between = texts(fields, where, 'between', 2);
    const keys: readonly string[] = ['billing', 'shipping', 'card', 'ip'];
    if (between.length !== 2 || between[0] === between[1] || !between.every((key) => keys.includes(key)))
      throw new RiskRulesError(`${where}: between must name two of ${keys.join(', ')}`);
    return { between };
  },
  list: (fields, where) => ({
    of: word(fields, where, 'of', ['card', 'bin', 'email', 'ip', 'country']),
    values: texts(fields, where, 'values', RISK_RULE_LIMITS.values).map((value) => value.toLowerCase()),
  }),
  avs: (fields, where) => ({ answers: texts(fields, where, 'answers', 26) }),
  cvv: (fields, where) => ({ answers: texts(fields, where, 'answers', 26) }),
};

/**
 * Rules from JSON (docs/risk.md), such as `{"rules": [{"name": "fast", "kind": "velocity", "by": "card", "count": 3, "minutes": 60,
 * "points": 100}], "reviewFrom": 50, "refuseFrom": 100}`.
 * @throws RiskRulesError
 */
export function readRiskRules(json: string): RiskRules {
  const parsed = parseJson(json, () => new RiskRulesError('the rules are not JSON'));
  const fields = objectOf(parsed, 'the rules');
  refuseUnknown(fields, ['rules', 'reviewFrom', 'refuseFrom'], 'the rules');
  const { rules = [] } = fields;
  if (!Array.isArray(rules) || rules.length > RISK_RULE_LIMITS.rules)
    throw new RiskRulesError(`rules must be a list of at most ${RISK_RULE_LIMITS.rules}`);
  const read = rules.map((rule, at) => readRule(rule, `rule ${at + 1}`));
  if (new Set(read.map(({ name }) => name)).size < read.length)
    throw new RiskRulesError('two rules have the same name');
  const { refuseFrom = NO_RISK_RULES.refuseFrom, reviewFrom } = fields;
  return {
    rules: read,
    refuseFrom: score(refuseFrom, 'refuseFrom'),
    ...(reviewFrom !== undefined && { reviewFrom: score(reviewFrom, 'reviewFrom') }),
  };
}

/** The same rules with other values in their lists of cards, such as fingerprints in place of numbers. */
export function withCards({ rules, ...rest }: RiskRules, change: (card: string) => string): RiskRules {
  const changed = rules.map((rule) =>
    rule.kind === 'list' && rule.of === 'card' ? { ...rule, values: rule.values.map(change) } : rule,
  );
  return { ...rest, rules: changed };
}

function readRule(value: unknown, where: string): RiskRule {
  const { name, kind, points = 0, action, ...rest } = objectOf(value, where);
  if (typeof name !== 'string' || !/^[\x20-\x7e]{1,64}$/.test(name))
    throw new RiskRulesError(`${where}: name must be 1 to 64 printable characters`);
  const read =
    typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind as RiskRule['kind']] : undefined;
  if (!read) throw new RiskRulesError(`${where}: kind must be one of ${Object.keys(KINDS).join(', ')}`);
  const actions: readonly unknown[] = ['allow', 'review', 'refuse', undefined];
  if (!actions.includes(action)) throw new RiskRulesError(`${where}: action must be allow, review or refuse`);
  if (action === 'allow' && kind !== 'list') throw new RiskRulesError(`${where}: allow is for lists`);
  const own = read(rest, where);
  const written = kind === 'amount' ? ['currency', 'above'] : Object.keys(own);
  refuseUnknown(rest, written, where);
  const effect = { name, points: score(points, `${where}: points`), ...(action !== undefined && { action }) };
  return { ...effect, kind, ...own } as RiskRule;
}

function minorOf(currency: unknown, above: unknown, where: string): number {
  const isText = typeof currency === 'string' && isCurrency(currency) && typeof above === 'string';
  const read = isText ? amountOrFault(above, currency) : '';
  if (typeof read !== 'string') return read.minor;
  throw new RiskRulesError(`${where}: needs a currency, and above as an amount of it such as "100.00"`);
}

function objectOf(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RiskRulesError(`${where} must be an object`);
  return value as Fields;
}

function refuseUnknown(fields: Fields, known: readonly string[], where: string): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RiskRulesError(`${where}: there is no field ${unknown}`);
}

function word(fields: Fields, where: string, name: string, words: readonly string[]): string {
  const value = fields[name];
  if (typeof value === 'string' && words.includes(value)) return value;
  throw new RiskRulesError(`${where}: ${name} must be one of ${words.join(', ')}`);
}

function whole(fields: Fields, where: string, name: string, least: number, most: number): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RiskRulesError(`${where}: ${name} must be a whole number from ${least} to ${most}`);
}

function texts(fields: Fields, where: string, name: string, most: number): readonly string[] {
  const value = fields[name];
  const isList = Array.isArray(value) && value.length > 0 && value.length <= most;
  if (isList && value.every((text) => typeof text === 'string' && text.length > 0 && text.length <= 128))
    return value as string[];
  throw new RiskRulesError(`${where}: ${name} must be a list of 1 to ${most} texts`);
}

function score(value: unknown, where: string): number {
  const isScore = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= RISK_SCORE_LIMIT;
  if (isScore) return value;
  throw new RiskRulesError(
    `${where} must be a whole number from -${RISK_SCORE_LIMIT} to ${RISK_SCORE_LIMIT}`,
  );
}
