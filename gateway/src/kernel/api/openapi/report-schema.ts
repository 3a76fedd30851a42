import type { JsonObject } from './json.js';
import { COUNT, INSTANT, listOf, objectOf, oneOf, TEXT, texts } from './schema-parts.js';

const amount: JsonObject = { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' };

/** Schema of a settlement: what a merchant account is paid at once. */
export const AGGREGATION_SCHEMA: JsonObject = objectOf(
  {
    ...texts('id', 'entityId', 'merchantEntityId'),
    testMode: oneOf('INTERNAL', 'EXTERNAL'),
    ...texts('settlementFormat', 'currency', 'date'),
    state: oneOf('open', 'closed'),
    records: COUNT,
    credits: amount,
    debits: amount,
    fees: amount,
    net: amount,
    exchangeRates: {
      type: 'array',
      items: objectOf({ currency: TEXT, rate: TEXT, validFrom: TEXT, source: TEXT }),
    },
  },
  ['id', 'entityId', 'currency', 'date', 'records', 'credits', 'debits', 'fees', 'net'],
);

/** Schema of a record of a settlement (docs/reconciliation.md). */
export const SETTLEMENT_RECORD_SCHEMA: JsonObject = objectOf(
  {
    recordType: oneOf('SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'),
    transactionType: TEXT,
    amount,
    ...texts(
      'currency',
      'paymentBrand',
      'presentmentDate',
      'descriptor',
      'pspEntityId',
      'divisionEntityId',
      'merchantEntityId',
      'merchantTransactionId',
      'merchantInvoiceId',
    ),
    payment: objectOf({ id: TEXT }),
    merchantAccount: objectOf({ id: TEXT, name: TEXT }),
    clearingInstitute: objectOf({ merchantId: TEXT, name: TEXT, txId1: TEXT, txId2: TEXT, txId3: TEXT }),
    settlement: objectOf({
      id: TEXT,
      cashflow: oneOf('POS', 'NEG'),
      amount,
      currency: TEXT,
      fee: amount,
      fxRate: amount,
      date: TEXT,
      status: oneOf('SUCCESS', 'FAILED'),
      format: TEXT,
    }),
    card: objectOf({ last4Digits: TEXT, holder: TEXT }),
    bankAccount: objectOf({ last4Digits: TEXT, holder: TEXT, bankCode: TEXT }),
    result: objectOf({ code: TEXT, description: TEXT }),
    matchedTransactions: objectOf({
      status: oneOf('MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED'),
      reason: TEXT,
      payment: listOf(objectOf({ id: TEXT })),
    }),
    chargebackTransaction: objectOf({ id: TEXT }),
  },
  ['recordType', 'transactionType', 'amount', 'currency', 'settlement'],
);

/** Schema of a file that a merchant reconciles with. */
export const RECONCILIATION_FILE_SCHEMA: JsonObject = objectOf(
  {
    name: TEXT,
    merchantEntityId: TEXT,
    records: COUNT,
    createdAt: INSTANT,
  },
  ['name', 'merchantEntityId', 'records', 'createdAt'],
);
