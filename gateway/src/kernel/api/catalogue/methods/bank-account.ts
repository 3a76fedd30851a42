import { alphanumeric, COUNTRY, characters, DATE, pattern, text } from '../rows/format.js';
import { conditional, required } from '../rows/parameter.js';

/** Spec 2.3: bankAccount.* and the due date of a direct debit. */
export const BANK_ACCOUNT_PARAMETERS = [
  required('bankAccount.holder', text(4, 128), { echoed: true }),
  conditional('bankAccount.bankName', text(1, 255), 'not-stated', { echoed: true }),
  conditional('bankAccount.number', alphanumeric(3, 64), 'number-or-iban', { sensitive: true }),
  conditional(
    'bankAccount.iban',
    pattern('[A-Za-z]{2}\\d{2}[A-Za-z0-9]{11,27}', {
      valid: ['NO9386011117947', 'MT84MALT011000012345MTLCAST001S', 'DE23100000001234567890'],
      invalid: [
        'DE2310000000',
        'DE1234567890AB',
        `DE23${'1'.repeat(28)}`,
        '2310000000123456',
        'DE23 1000 0000 1234',
      ],
    }),
    'number-or-iban',
    { sensitive: true },
  ),
  conditional('bankAccount.bankCode', alphanumeric(1, 12), 'bank-code-or-bic', { echoed: true }),
  conditional(
    'bankAccount.bic',
    pattern('[A-Za-z0-9]{8}([A-Za-z0-9]{3})?', {
      valid: ['MARKDEFF', 'MARKDEF1100'],
      invalid: ['MARKDEF', 'MARKDEFF1', 'MARKDEF11000', 'MARK-EFF'],
    }),
    'bank-code-or-bic',
    { echoed: true },
  ),
  conditional('bankAccount.country', COUNTRY, 'not-stated', { echoed: true }),
  conditional('bankAccount.mandate.id', characters('A-Za-z-', 0, 256), 'direct-debit', { echoed: true }),
  conditional('bankAccount.mandate.dateOfSignature', DATE, 'direct-debit', { echoed: true }),
  conditional('transactionDueDate', DATE, 'direct-debit', { echoed: true }),
] as const;
