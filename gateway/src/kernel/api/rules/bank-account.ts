import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { bringsInstrument, demand, type Rule } from './rule.js';

/** Either number or iban; with a number either bankCode or bic, while an IBAN stands alone (docs/payment-methods.md). */
export const bankAccountRule: Rule = (facts) => {
  const { sent, values, groups } = facts;
  if (!bringsInstrument(facts)) return [];
  // A direct debit needs the account; who transfers money chooses it at the bank.
  const isDebit = accountMethodOf(values.get('paymentBrand'))?.kind === 'direct-debit';
  if (!groups.has('bankAccount'))
    return isDebit && !sent.has('referenceUuid')
      ? demand(facts, ['bankAccount.holder', 'bankAccount.iban'])
      : [];
  const hasIban = sent.has('bankAccount.iban');
  const hasNumber = sent.has('bankAccount.number');
  if (!hasIban && !hasNumber) return demand(facts, ['bankAccount.iban'], 'unless bankAccount.number is sent');
  const hasBank = sent.has('bankAccount.bankCode') || sent.has('bankAccount.bic');
  return hasIban || hasBank
    ? []
    : demand(
        facts,
        ['bankAccount.bankCode'],
        'together with bankAccount.number unless bankAccount.bic is sent',
      );
};
