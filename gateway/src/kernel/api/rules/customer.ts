import type { ParameterError } from '../validate.js';
import { demand, type Rule } from './rule.js';

const NAMES: readonly string[] = ['customer.givenName', 'customer.surname'];

/**
 * givenName and surname when any other customer parameter is sent. What the widget adds of the shopper's browser
 * belongs to the checkout, whose merchant had to send the names. Older clients send an email or IP address without a name.
 */
export const customerNameRule: Rule = (facts) => {
  const fromWidget = facts.operation === 'checkout-payment' || facts.operation === 'checkout-registration';
  if (fromWidget || facts.compatibility === 'legacy' || !facts.groups.has('customer')) return [];
  return demand(facts, NAMES, 'when any other customer parameter is sent');
};

/** identificationDocType and identificationDocId require each other. */
export const identityDocumentRule: Rule = (facts) => [
  ...together(facts, 'customer.identificationDocType', 'customer.identificationDocId'),
  ...together(facts, 'customer.identificationDocId', 'customer.identificationDocType'),
];

function together(facts: Parameters<Rule>[0], one: string, other: string): ParameterError[] {
  return facts.sent.has(one) ? demand(facts, [other], `when ${one} is sent`) : [];
}
