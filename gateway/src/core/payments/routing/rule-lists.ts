import { parseJson } from '@tillbridge/protocol/text/parse-json.js';

/** Values of one list at most. */
const MAX_RULE_VALUES = 250;

/** The lists that a rule may have: what stands in each, and who knows a value. */
export type RuleLists = Readonly<Record<string, readonly [what: string, knows: (value: string) => boolean]>>;

/** Whether a payment has one of a list's values: an absent list holds for every payment, a present one for no payment without a value. */
export function holds(values: readonly string[] | undefined, value: string | undefined): boolean {
  return values === undefined || (value !== undefined && values.includes(value));
}

/**
 * The lists of a rule.
 * @param place for messages, such as `rule 1`
 * @param refuse makes the error
 * @throws what `refuse` makes of a name that is no list's, or of a value that nobody knows
 */
export function readRuleLists(
  place: string,
  lists: RuleLists,
  given: Readonly<Record<string, unknown>>,
  refuse: (reason: string) => Error,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, readList(place, lists, name, value, refuse)]),
  );
}

function readList(
  place: string,
  lists: RuleLists,
  name: string,
  value: unknown,
  refuse: (reason: string) => Error,
): readonly string[] {
  const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
  if (!list) throw refuse(`${place}: ${name} is no criterion: expected ${Object.keys(lists).join(', ')}`);
  const [what, knows] = list;
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_RULE_VALUES)
    throw refuse(`${place}: ${name} must be an array of 1 to ${MAX_RULE_VALUES} values`);
  const wrong = value.find((entry: unknown) => typeof entry !== 'string' || !knows(entry));
  if (wrong !== undefined)
    throw refuse(`${place}: ${name} has ${JSON.stringify(wrong).slice(0, 40)}: expected ${what}`);
  return value as string[];
}

/** An array of at most so many rules from JSON. @throws what `refuse` makes of anything else */
export function readRules(
  json: string,
  what: string,
  most: number,
  refuse: (reason: string) => Error,
): readonly unknown[] {
  const parsed = parseJson(json, () => refuse(`the ${what} are not JSON`));
  if (!Array.isArray(parsed)) throw refuse(`the ${what} must be an array`);
  if (parsed.length > most) throw refuse(`there are ${parsed.length} rules: at most ${most} may be`);
  return parsed;
}
