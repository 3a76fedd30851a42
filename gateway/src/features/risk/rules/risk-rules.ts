import { minorOf } from '@tillbridge/platform/schema/amount-fields.js';
import { oneOf, section, text, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import type { RuleFault } from '@tillbridge/platform/schema/rule.js';
import { type Static, type TProperties, type TSchema, Type } from '@tillbridge/platform/schema/type.js';
import { currencyCodes } from '@tillbridge/wire/payment/currency-codes.js';
import { amountOrFault } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
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

const OBJECT = { expected: 'an object' };
const KIND_NAMES = ['velocity', 'amount', 'country-mismatch', 'list', 'avs', 'cvv'] as const;
const COUNTRY_KEYS = ['billing', 'shipping', 'card', 'ip'] as const;
const score = (description: string, preset?: number) =>
  wholeNumber(-RISK_SCORE_LIMIT, RISK_SCORE_LIMIT, { description, default: preset });
const texts = (maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 128, expected: 'a text of 1 to 128 characters' }), {
    minItems: 1,
    maxItems,
    expected: `a list of 1 to ${maxItems} texts`,
  });
const action = <const T extends string>(words: readonly T[], expected?: string) =>
  Type.Optional(
    oneOf(words, { description: 'What a rule that fits does by itself.', ...present({ expected }) }),
  );
const ACTION = action(['review', 'refuse'], 'review or refuse (allow is for lists)');

/** The fields of the rules of a kind. */
function kindOf<const K extends (typeof KIND_NAMES)[number], P extends TProperties>(
  kind: K,
  fields: P,
  more: object = {},
) {
  const effect = {
    name: text('1 to 64 printable characters', /^[\x20-\x7e]{1,64}$/, { description: 'Unique in its set.' }),
    kind: Type.Unsafe<K>({ const: kind }),
    points: score('For the score of a payment.', 0),
    action: ACTION,
  };
  return section({ ...effect, ...fields }, { ...OBJECT, ...more });
}

const KINDS = [
  kindOf('velocity', {
    by: oneOf(['card', 'email', 'ip']),
    count: wholeNumber(1, RISK_RULE_LIMITS.count, { description: 'Attempts; it fits from the next one on.' }),
    minutes: wholeNumber(1, RISK_RULE_LIMITS.minutes, { description: 'Time in which they count.' }),
  }),
  kindOf(
    'amount',
    {
      currency: oneOf(currencyCodes(), { expected: 'an ISO 4217 code such as EUR' }),
      above: Type.String({ expected: 'an amount in quotes such as "100.00"' }),
    },
    { rule: amountFault },
  ),
  kindOf('country-mismatch', {
    between: Type.Unsafe<readonly [CountryKey, CountryKey]>({
      type: 'array',
      items: oneOf(COUNTRY_KEYS),
      minItems: 2,
      maxItems: 2,
      uniqueItems: true,
      expected: `two of ${COUNTRY_KEYS.join(', ')}`,
    }),
  }),
  kindOf('list', {
    of: oneOf(['card', 'bin', 'email', 'ip', 'country']),
    values: texts(RISK_RULE_LIMITS.values),
    action: action(['allow', 'review', 'refuse']),
  }),
  kindOf('avs', { answers: texts(26) }),
  kindOf('cvv', { answers: texts(26) }),
] as const;

type OfKind<S> = S extends TSchema ? Static<S> : never;
type WrittenRule = OfKind<(typeof KINDS)[number]>;

const RULE = Type.Unsafe<WrittenRule>({
  ...OBJECT,
  type: 'object',
  required: ['kind'],
  properties: { kind: oneOf(KIND_NAMES) },
  allOf: KINDS.map((own) => ({
    if: { type: 'object', properties: { kind: own.properties.kind }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: own,
  })),
});
const RULES = section(
  {
    rules: Type.Array(RULE, {
      maxItems: RISK_RULE_LIMITS.rules,
      expected: `a list of at most ${RISK_RULE_LIMITS.rules} rules`,
      default: [],
      rule: nameFault,
    }),
    reviewFrom: Type.Optional(score('Score from which on a person decides.')),
    refuseFrom: score('Score from which on a payment is refused.', NO_RISK_RULES.refuseFrom),
  },
  OBJECT,
);

const readRules = jsonReader(RULES, 'the set of rules', (reason) => new RiskRulesError(reason));

/**
 * Rules from JSON (docs/risk.md), such as `{"rules": [{"name": "fast", "kind": "velocity", "by": "card", "count": 3, "minutes": 60,
 * "points": 100}], "reviewFrom": 50, "refuseFrom": 100}`.
 * @throws RiskRulesError
 */
export function readRiskRules(json: string): RiskRules {
  const { rules, ...scores } = readRules(json);
  return { rules: rules.map(ruleOf), ...scores };
}

function ruleOf(rule: WrittenRule): RiskRule {
  if (rule.kind === 'list') return { ...rule, values: rule.values.map((value) => value.toLowerCase()) };
  if (rule.kind !== 'amount') return rule;
  const { above, ...rest } = rule;
  return { ...rest, aboveMinor: minorOf(above, rule.currency) };
}

/** What is wrong with the amount of a rule, whose currency and text may be wrong, too. */
function amountFault(rule: { readonly currency?: unknown; readonly above?: unknown }): RuleFault | undefined {
  const { currency, above } = rule;
  if (typeof currency !== 'string' || typeof above !== 'string') return undefined;
  const read = amountOrFault(above, currency);
  return typeof read === 'string' ? { at: 'above', problem: `is wrong: ${read}` } : undefined;
}

/** Whether two rules have one name. */
function nameFault(rules: unknown): RuleFault | undefined {
  if (!Array.isArray(rules)) return undefined;
  const names = rules.map((rule) => rule?.name);
  const at = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
  return at < 0 ? undefined : { at: String(at), problem: 'has the name of a rule above it' };
}

/** The same rules with other values in their lists of cards, such as fingerprints in place of numbers. */
export function withCards({ rules, ...rest }: RiskRules, change: (card: string) => string): RiskRules {
  const changed = rules.map((rule) =>
    rule.kind === 'list' && rule.of === 'card' ? { ...rule, values: rule.values.map(change) } : rule,
  );
  return { ...rest, rules: changed };
}
