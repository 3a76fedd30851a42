import type { Rule } from './rule.js';
import { amountIn, notThe } from './sums.js';

/** Amounts that `amount` includes. How much of a tax is on the shipping is unknown: each is compared separately. */
const INCLUDED = ['taxAmount', 'shipping.cost'] as const;

/** What is included in the amount of a payment is no more than it. */
export const includedAmountRule: Rule = (facts) => {
  const amount = amountIn(facts, 'amount');
  if (amount === undefined || facts.compatibility === 'legacy') return [];
  return INCLUDED.flatMap((name) => {
    const included = amountIn(facts, name);
    if (included === undefined || included <= amount) return [];
    return [notThe(facts, name, 'not exceed "amount", which includes it', amount)];
  });
};
