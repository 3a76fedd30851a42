import type { ParameterError } from '../validate.js';
import type { Rule, RuleFacts } from './rule.js';
import { amountIn, itemsOf, notThe, smallestWritten } from './sums.js';

const ITEM = /^cart\.items\[\d+\]\./;
const QUANTITY = /^(\d{1,12})(?:\.(\d{1,3}))?$/;
const THOUSAND = 1_000n;

/** A field of an item with an amount per unit, and the field with that of all units. */
const TOTALS = [
  { unit: 'price', total: 'totalAmount' },
  { unit: 'taxAmount', total: 'totalTaxAmount' },
] as const;

/** What an item includes in another of its amounts: `price` is "including tax", and so is its total. */
const INCLUDED = [
  { part: 'taxAmount', of: 'price' },
  { part: 'totalTaxAmount', of: 'totalAmount' },
] as const;

/**
 * Sums of the items of a cart, as the specification gives them (2.6). What it leaves open is not compared: how a discount is counted, what a
 * percentage of tax is of, whether shipping belongs to an item, and what of the cart a payment pays.
 */
export const cartSumRule: Rule = (facts) => {
  if (facts.compatibility === 'legacy' || !facts.groups.has('cart')) return [];
  return [...itemsOf(facts, ITEM)].flatMap((item) => [
    ...totalFaults(facts, item),
    ...inclusionFaults(facts, item),
    ...priceFaults(facts, item),
  ]);
};

/**
 * A total is the value per unit times the quantity. Half of the smallest amount for each unit is left to rounding, since the value per unit may be a
 * rounded part of the total, and half for the total.
 */
function totalFaults(facts: RuleFacts, item: string): ParameterError[] {
  const quantity = thousandths(facts.values.get(`${item}quantity`));
  if (quantity === undefined) return [];
  const smallest = smallestWritten(currencyOf(facts, item));
  const tolerance = (smallest * (quantity + THOUSAND)) / 2n;
  // Where an item has its own shipping, the total may have it or not.
  const shipping = amountIn(facts, `${item}shipping`) ?? 0n;
  return TOTALS.flatMap(({ unit, total }) => {
    const [each, all] = [amountIn(facts, item + unit), amountIn(facts, item + total)];
    if (each === undefined || all === undefined) return [];
    const most = unit === 'price' ? shipping * THOUSAND : 0n;
    const off = all * THOUSAND - each * quantity;
    if (off >= -tolerance && off <= most + tolerance) return [];
    const expected = (2n * each * quantity + THOUSAND) / (2n * THOUSAND);
    return [notThe(facts, item + total, `be ${unit} × quantity of the item`, expected)];
  });
}

function inclusionFaults(facts: RuleFacts, item: string): ParameterError[] {
  return INCLUDED.flatMap(({ part, of }) => {
    const [included, whole] = [amountIn(facts, item + part), amountIn(facts, item + of)];
    if (included === undefined || whole === undefined || included <= whole) return [];
    return [notThe(facts, item + part, `not exceed "${of}" of the item, which includes it`, whole)];
  });
}

/** The price has the tax and not the discount in it, the original price neither: with no discount the tax alone is between them. */
function priceFaults(facts: RuleFacts, item: string): ParameterError[] {
  const [original, tax, price] = ['originalPrice', 'taxAmount', 'price'].map((name) =>
    amountIn(facts, item + name),
  );
  if (original === undefined || tax === undefined || price === undefined) return [];
  const smallest = smallestWritten(currencyOf(facts, item));
  const most = original + tax;
  const discounts = ['discount', 'totalDiscountAmount'].map((name) => amountIn(facts, item + name));
  const isUndiscounted = discounts.includes(0n) && discounts.every((each) => !each);
  const isTooMuch = price > most + smallest;
  const isTooLittle = isUndiscounted && price + smallest < most;
  if (!isTooMuch && !isTooLittle) return [];
  const rule = isUndiscounted ? 'be originalPrice + taxAmount' : 'not exceed originalPrice + taxAmount';
  return [notThe(facts, `${item}price`, `${rule} of the item`, most)];
}

function currencyOf({ values }: RuleFacts, item: string): string | undefined {
  return values.get(`${item}currency`) ?? values.get('currency');
}

/** Thousandths of a quantity. */
function thousandths(text: string | undefined): bigint | undefined {
  const match = QUANTITY.exec(text ?? '');
  return match ? BigInt(`${match[1]}${(match[2] ?? '').padEnd(3, '0')}`) : undefined;
}
