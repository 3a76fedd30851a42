import { type Rule, wrong } from './rule.js';

const PREFIX = 'customParameters[';
const SHOPPER = `${PREFIX}SHOPPER_`;

/** Custom parameters from the shopper's browser are prefixed SHOPPER_. */
export const shopperRule: Rule = (facts) => {
  if (facts.operation !== 'checkout-payment' && facts.operation !== 'checkout-registration') return [];
  return [...facts.sent]
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(SHOPPER))
    .map((name) => wrong(facts, name, `from the widget must be named ${SHOPPER}…]`));
};
