import type { ParameterError } from '../validate.js';
import { demand, type Rule, type RuleFacts, wrong } from './rule.js';

const SELLER = /^marketPlace\.sellers\[(\d+)\]\.(id|amount)$/;
const ITEM_SELLER = /^cart\.items\[\d+\]\.sellerId$/;

/**
 * Sellers of a marketplace (spec 2.6): each is named once, those of items are among them, and their amounts are not more than the amount of
 * the payment.
 */
export const marketplaceRule: Rule = (facts) => {
  const sellers = indicesOf(facts);
  if (sellers.length === 0) return [];
  return [
    ...demand(
      facts,
      sellers.map((at) => `marketPlace.sellers[${at}].id`),
      'for a seller',
    ),
    ...repeated(facts, sellers),
    ...unknownSellers(facts, sellers),
    ...tooMuch(facts, sellers),
  ];
};

function indicesOf({ sent }: RuleFacts): readonly number[] {
  const found = [...sent].flatMap((name) => SELLER.exec(name)?.[1] ?? []);
  return [...new Set(found.map(Number))].sort((a, b) => a - b);
}

const idOf = ({ values }: RuleFacts, at: number): string | undefined =>
  values.get(`marketPlace.sellers[${at}].id`);

function repeated(facts: RuleFacts, sellers: readonly number[]): ParameterError[] {
  const ids = sellers.map((at) => idOf(facts, at));
  return sellers
    .filter((_, place) => ids[place] !== undefined && ids.indexOf(ids[place]) < place)
    .map((at) => wrong(facts, `marketPlace.sellers[${at}].id`, 'must name another seller than those before'));
}

function unknownSellers(facts: RuleFacts, sellers: readonly number[]): ParameterError[] {
  const ids = sellers.map((at) => idOf(facts, at));
  return [...facts.values]
    .filter(([name, value]) => ITEM_SELLER.test(name) && !ids.includes(value))
    .map(([name]) => wrong(facts, name, 'must be the id of one of marketPlace.sellers'));
}

/** Names the first seller with whom the sum is more than the amount. */
function tooMuch(facts: RuleFacts, sellers: readonly number[]): ParameterError[] {
  const amount = facts.values.get('amount');
  if (amount === undefined) return [];
  let left = hundredths(amount);
  for (const at of sellers) {
    const name = `marketPlace.sellers[${at}].amount` as const;
    left -= hundredths(facts.values.get(name) ?? '0');
    if (left < 0) return [wrong(facts, name, 'must not make the sellers’ sum more than amount')];
  }
  return [];
}

/** A decimal text with no decimals or two, in hundredths: at most 12 digits, which are exact. */
function hundredths(text: string): number {
  const [whole = '', decimals = '00'] = text.split('.');
  return Number(whole) * 100 + Number(decimals);
}
