import { demand, type Rule, wrong } from './rule.js';

/** Addresses in which houseNumber2 needs houseNumber1 by the specification; so do the copies with their O rows. */
const ADDRESSES = ['billing', 'merchant.billing', 'shipping', 'merchant.shipping'] as const;

/** houseNumber2 requires houseNumber1. */
export const houseNumberRule: Rule = (facts) =>
  ADDRESSES.filter((address) => facts.sent.has(`${address}.houseNumber2`)).flatMap((address) =>
    demand(facts, [`${address}.houseNumber1`], `when ${address}.houseNumber2 is sent`),
  );

/** billing.street1 plus billing.street2 must not be digits only; street2 is ignored with a house number. */
export const streetRule: Rule = (facts) => {
  const street1 = facts.values.get('billing.street1');
  const street2 = facts.values.get('billing.street2');
  const ignored = facts.sent.has('billing.houseNumber1');
  const together = [street1, ignored ? undefined : street2].join('');
  if (!/^\d+$/.test(together)) return [];
  const name = street1 === undefined ? 'billing.street2' : 'billing.street1';
  return [wrong(facts, name, 'street1 plus street2 must not be digits only')];
};
