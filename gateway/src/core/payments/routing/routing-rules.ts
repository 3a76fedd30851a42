import { isCountry } from '@tillbridge/protocol/api/iso-codes.js';
import { findBrand } from '@tillbridge/protocol/payment/brands.js';
import { isCurrency } from '@tillbridge/protocol/payment/currency-codes.js';
import { holds, type RuleLists, readRuleLists, readRules } from './rule-lists.js';

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

const LISTS: RuleLists = {
  currencies: ['an ISO 4217 code such as EUR', isCurrency],
  brands: ['a brand of the API such as VISA', (value) => findBrand(value) !== undefined],
  countries: ['an ISO 3166-1 alpha-2 code such as DE', (value) => isCountry(value, 'alpha-2')],
};

const refuse = (reason: string) => new RoutingRulesError(reason);

/**
 * Rules from JSON: an array of objects with `channelId` and any of `currencies`, `brands`, `countries`.
 * @throws RoutingRulesError
 */
export function readRoutingRules(json: string): readonly RoutingRule[] {
  return readRules(json, 'routing rules', MAX_ROUTING_RULES, refuse).map((rule, at) =>
    readRule(`rule ${at + 1}`, rule),
  );
}

function readRule(place: string, value: unknown): RoutingRule {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse(`${place} must be an object with channelId`);
  const { channelId, ...lists } = value as Readonly<Record<string, unknown>>;
  if (typeof channelId !== 'string' || !/^[0-9a-f]{32}$/.test(channelId))
    throw refuse(`${place}: channelId must have 32 lowercase hex digits`);
  return { channelId, ...readRuleLists(place, LISTS, lists, refuse) };
}
