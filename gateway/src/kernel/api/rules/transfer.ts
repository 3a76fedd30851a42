import { demand, type Rule } from './rule.js';

/** Countries whose recipients need a purpose, ISO 3166-1 alpha-3. */
const COUNTRIES: ReadonlySet<string> = new Set(['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND']);
/** FUNDING is account funding, PAYMENT original credit. */
const TRANSFERS: ReadonlySet<string> = new Set(['FUNDING', 'PAYMENT']);

/** transactionPurposeCode for account funding and original credit over a card network to certain countries. */
export const purposeRule: Rule = (facts) => {
  const { values } = facts;
  const isTransfer = TRANSFERS.has(values.get('transactionProcessingCode') ?? '');
  const isThere = COUNTRIES.has((values.get('recipient.country') ?? '').toUpperCase());
  const overCardNetwork =
    facts.operation === 'registration-payment' || facts.groups.has('card') || facts.groups.has('pos');
  return isTransfer && isThere && overCardNetwork
    ? demand(facts, ['transactionPurposeCode'], `for a recipient in ${values.get('recipient.country')}`)
    : [];
};
