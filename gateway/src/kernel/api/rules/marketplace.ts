import type { ParameterError } from '../validate.js';
import { type Rule, type RuleFacts, wrong } from './rule.js';

const SELLER = /^marketPlace\.sellers\[(\d+)\]\.(id|amount)$/;
const ITEM_SELLER = /^cart\.items\[\d+\]\.sellerId$/;

/** Sellers of a marketplace (docs/payments.md): each is named once, and those of items are among them. Their sum is content (content.ts). */
export const marketplaceRule: Rule = (facts) => {
  if (!facts.groups.has('marketPlace')) return [];
  const sellers = indicesOf(facts);
  if (sellers.length === 0) return [];
  return [...repeated(facts, sellers), ...unknownSellers(facts, sellers)];
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
