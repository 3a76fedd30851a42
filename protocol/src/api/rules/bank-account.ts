import { bringsInstrument, demand, hasGroup, type Rule } from './rule.js';

/** Either number or iban; with a number either bankCode or bic, while an IBAN stands alone (spec 2.3). */
export const bankAccountRule: Rule = (facts) => {
  const { sent } = facts;
  if (!bringsInstrument(facts) || !hasGroup(facts, 'bankAccount.')) return [];
  const hasIban = sent.has('bankAccount.iban');
  const hasNumber = sent.has('bankAccount.number');
  if (!hasIban && !hasNumber) return demand(facts, ['bankAccount.iban'], 'unless bankAccount.number is sent');
  const hasBank = sent.has('bankAccount.bankCode') || sent.has('bankAccount.bic');
  return hasIban || hasBank
    ? []
    : demand(facts, ['bankAccount.bankCode'], 'beside bankAccount.number unless bankAccount.bic is sent');
};
