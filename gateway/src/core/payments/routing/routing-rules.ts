import { section } from '@tillbridge/platform/schema/fields.js';
import { isCountry } from '@tillbridge/wire/payment/country-codes.js';
import { COMMON_LISTS, holds, knownText, ruleList, rulesReader } from './rule-lists.js';

/**
 * One rule of a merchant's routing: which payments go to the channel. An absent list matches every payment; a present one matches a
 * payment that has one of its values, and no payment without a value.
 */
export interface RoutingRule {
  readonly channelId: string;
  /** ISO 4217, alphabetic. */
  readonly currencies?: readonly string[];
  /** `paymentBrand` as the API spells it. */
  readonly brands?: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly countries?: readonly string[];
}

/** The facts of a payment that routing rules use. */
export interface RoutingFacts {
  readonly currency?: string;
  readonly brand?: string;
  /** Where the shopper is billed. */
  readonly country?: string;
}

/** Rules of one merchant at most. */
const MAX_ROUTING_RULES = 500;

/** The rules are invalid; the message names the rule and the field. */
export class RoutingRulesError extends Error {
  override readonly name = 'RoutingRulesError';
}

/** The channel of the first rule that the payment meets; undefined where it meets none. Pure. */
export function channelFor(rules: readonly RoutingRule[], facts: RoutingFacts): string | undefined {
  return rules.find((rule) => meets(rule, facts))?.channelId;
}

function meets({ currencies, brands, countries }: RoutingRule, facts: RoutingFacts): boolean {
  return holds(currencies, facts.currency) && holds(brands, facts.brand) && holds(countries, facts.country);
}

const RULE = section(
  {
    channelId: knownText('32 lowercase hex digits', (value) => /^[0-9a-f]{32}$/.test(value)),
    ...COMMON_LISTS,
    countries: ruleList('an ISO 3166-1 alpha-2 code such as DE', (value) => isCountry(value, 'alpha-2')),
  },
  { expected: 'an object with channelId' },
);

/**
 * Rules from JSON: an array of objects with `channelId` and any of `currencies`, `brands`, `countries`.
 * @throws RoutingRulesError
 */
export const readRoutingRules: (json: string) => readonly RoutingRule[] = rulesReader(
  RULE,
  'routing rules',
  MAX_ROUTING_RULES,
  (reason) => new RoutingRulesError(reason),
);
