import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { bringsInstrument, demand, type Rule } from './rule.js';

const NUMBER = 'giftCard.number';

/** A payment with a gift card names the card; with another means of payment `giftCard.*` describes one that is bought. */
export const giftCardRule: Rule = (facts) => {
  const { sent, values } = facts;
  if (!bringsInstrument(facts) || sent.has('referenceUuid')) return [];
  const pays = accountMethodOf(values.get('paymentBrand'))?.kind === 'gift-card';
  return pays ? demand(facts, [NUMBER]) : [];
};
