import { placeText } from '@tillbridge/platform/schema/fault.js';
import { ruledText } from '@tillbridge/platform/schema/fields.js';
import { reader } from '@tillbridge/platform/schema/reader.js';
import { type Static, type TSchema, Type } from '@tillbridge/platform/schema/type.js';
import { findBrand } from '@tillbridge/wire/payment/brands.js';
import { isCurrency } from '@tillbridge/wire/payment/currency-codes.js';
import { parseJson } from '@tillbridge/wire/text/parse-json.js';

/** Values of one list at most. */
const MAX_RULE_VALUES = 250;

/** Whether a payment has one of a list's values: an absent list holds for every payment, a present one for no payment without a value. */
export function holds(values: readonly string[] | undefined, value: string | undefined): boolean {
  return values === undefined || (value !== undefined && values.includes(value));
}

/** The schema of a text that `knows` knows. */
export function knownText(expected: string, knows: (value: string) => boolean) {
  return ruledText(expected, (value) => (typeof value === 'string' && knows(value) ? undefined : {}));
}

/** The schema of a list of values that a rule may have. */
export function ruleList(expected: string, knows: (value: string) => boolean) {
  return Type.Optional(
    Type.Array(knownText(expected, knows), {
      minItems: 1,
      maxItems: MAX_RULE_VALUES,
      expected: `an array of 1 to ${MAX_RULE_VALUES} values`,
    }),
  );
}

/** Lists that each kind of rules has. */
export const COMMON_LISTS = {
  currencies: ruleList('an ISO 4217 code such as EUR', isCurrency),
  brands: ruleList('a brand of the API such as VISA', (value) => findBrand(value) !== undefined),
};

/**
 * A function that reads an array of at most so many rules from JSON; it throws what `refuse` makes of anything else.
 * @param what names the rules in messages
 */
export function rulesReader<S extends TSchema>(
  rule: S,
  what: string,
  most: number,
  refuse: (reason: string) => Error,
): (json: string) => readonly Static<S>[] {
  const rules = Type.Array(rule, { maxItems: most, expected: `an array of at most ${most} rules` });
  const read = reader(rules, ([at, ...path], problem) => {
    if (at === undefined) return refuse(`the ${what} ${problem}`);
    const place = placeText(path);
    return refuse(`rule ${Number(at) + 1}${place && `: ${place}`} ${problem}`);
  });
  return (json) => read(parseJson(json, () => refuse(`the ${what} are not JSON`)));
}
