import {
  AMOUNT,
  alphanumeric,
  BOOLEAN,
  BRAND,
  CURRENCY,
  integer,
  oneOf,
  PAYMENT_TYPE,
  text,
} from './rows/format.js';
import { conditional, echoed, optional, required } from './rows/parameter.js';
import { TEST_MODE } from './rows/test-mode.js';

/** Spec 2.1: basic payment. */
export const BASIC_PAYMENT_PARAMETERS = [
  ...echoed([
    required('amount', AMOUNT),
    conditional('taxAmount', AMOUNT, 'not-stated'),
    optional('discountAmount', AMOUNT),
    required('currency', CURRENCY),
    conditional('paymentBrand', BRAND, 'no-brand-detection'),
    required('paymentType', PAYMENT_TYPE),
  ]),
  optional('integrity', BOOLEAN),
  optional('overridePaymentType[key]', PAYMENT_TYPE, {
    key: BRAND,
    checkoutOnly: true,
    operations: ['checkout-create'],
  }),
  ...echoed([
    optional('descriptor', text(1, 127)),
    conditional('merchantTransactionId', text(8, 255), 'receiver'),
    optional('merchantInvoiceId', text(8, 255)),
    optional('merchantMemo', text(8, 255)),
    optional('transactionCategory', alphanumeric(0, 32)),
  ]),
  optional('sequence', text(1, 32)),
  optional('numberOfCaptures', integer(1, 98)),
  optional('promotionCode', alphanumeric(0, 15)),
  optional('locale', text(1, 10)),
  optional('transactionPurposeCode', text(1, 12)),
  optional('integrationType', text(1, 10)),
  optional('transactionBai', text(1, 2)),
  optional('transactionTti', text(1, 3)),
  optional('transactionProcessingCode', oneOf('PURCHASE', 'FUNDING', 'PAYMENT')),
  optional('lifecycleId', text(1, 35), { echoed: true }),
  optional('referenceUuid', text(1, 32)),
  TEST_MODE,
] as const;

/** Spec 2.1: a currency that is converted during the transaction. */
export const FOREX_PARAMETERS = [
  conditional('forex.amount', AMOUNT, 'conversion', { echoed: true }),
  conditional('forex.currency', CURRENCY, 'conversion', { echoed: true }),
] as const;

/** Spec 2.1, both tables. */
export const BASIC_PARAMETERS = [...BASIC_PAYMENT_PARAMETERS, ...FOREX_PARAMETERS] as const;
