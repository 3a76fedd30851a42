import { isCountry } from '@tillbridge/protocol/api/iso-codes.js';
import { findBrand } from '@tillbridge/protocol/payment/brands.js';
import { isCurrency } from '@tillbridge/protocol/payment/currency-codes.js';
import { parseJson } from '@tillbridge/protocol/text/parse-json.js';

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
/** Values of one list at most. */
const MAX_ROUTING_VALUES = 250;

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

function holds(values: readonly string[] | undefined, value: string | undefined): boolean {
  return values === undefined || (value !== undefined && values.includes(value));
}

const LISTS: Readonly<
  Record<'currencies' | 'brands' | 'countries', readonly [what: string, knows: (v: string) => boolean]>
> = {
  currencies: ['an ISO 4217 code such as EUR', isCurrency],
  brands: ['a brand of the API such as VISA', (value) => findBrand(value) !== undefined],
  countries: ['an ISO 3166-1 alpha-2 code such as DE', (value) => isCountry(value, 'alpha-2')],
};

/**
 * Rules from JSON: an array of objects with `channelId` and any of `currencies`, `brands`, `countries`.
 * @throws RoutingRulesError
 */
export function readRoutingRules(json: string): readonly RoutingRule[] {
  const parsed = parseJson(json, () => new RoutingRulesError('the routing rules are not JSON'));
  if (!Array.isArray(parsed)) throw new RoutingRulesError('the routing rules must be an array');
  if (parsed.length > MAX_ROUTING_RULES)
    throw new RoutingRulesError(`there are ${parsed.length} rules: at most ${MAX_ROUTING_RULES} may be`);
  return parsed.map((rule: unknown, at) => readRule(`rule ${at + 1}`, rule));
}

function readRule(place: string, value: unknown): RoutingRule {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RoutingRulesError(`${place} must be an object with channelId`);
  const { channelId, ...lists } = value as Readonly<Record<string, unknown>>;
  if (typeof channelId !== 'string' || !/^[0-9a-f]{32}$/.test(channelId))
    throw new RoutingRulesError(`${place}: channelId must have 32 lowercase hex digits`);
  const read = Object.entries(lists).map(([name, list]) => readList(place, name, list));
  return { channelId, ...Object.fromEntries(read) };
}

function readList(place: string, name: string, value: unknown): readonly [string, readonly string[]] {
  if (!Object.hasOwn(LISTS, name))
    throw new RoutingRulesError(
      `${place}: ${name} is no criterion: expected ${Object.keys(LISTS).join(', ')}`,
    );
  const [what, knows] = LISTS[name as keyof typeof LISTS];
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_ROUTING_VALUES;
  if (!isList) {
    throw new RoutingRulesError(`${place}: ${name} must be an array of 1 to ${MAX_ROUTING_VALUES} values`);
  }
  const wrong = value.find((entry: unknown) => typeof entry !== 'string' || !knows(entry));
  if (wrong !== undefined)
    throw new RoutingRulesError(
      `${place}: ${name} has ${JSON.stringify(wrong).slice(0, 40)}: expected ${what}`,
    );
  return [name, value as string[]];
}
