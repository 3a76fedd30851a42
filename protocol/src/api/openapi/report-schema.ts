import type { JsonObject } from './json.js';

const text: JsonObject = { type: 'string' };
const amount: JsonObject = { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' };

/** Schema of a settlement: what a merchant account is paid at once. */
export function aggregationSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      id: text,
      entityId: text,
      merchantEntityId: text,
      testMode: { type: 'string', enum: ['INTERNAL', 'EXTERNAL'] },
      settlementFormat: text,
      currency: text,
      date: text,
      state: { type: 'string', enum: ['open', 'closed'] },
      records: { type: 'integer', minimum: 0 },
      credits: amount,
      debits: amount,
      fees: amount,
      net: amount,
      exchangeRates: {
        type: 'array',
        items: {
          type: 'object',
          properties: { currency: text, rate: text, validFrom: text, source: text },
        },
      },
    },
    required: ['id', 'entityId', 'currency', 'date', 'records', 'credits', 'debits', 'fees', 'net'],
  };
}

/** Schema of a record of a settlement (spec 2.11). */
export function settlementRecordSchema(): JsonObject {
  const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
  return {
    type: 'object',
    properties: {
      recordType: { type: 'string', enum: ['SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'] },
      transactionType: text,
      amount,
      currency: text,
      paymentBrand: text,
      presentmentDate: text,
      descriptor: text,
      pspEntityId: text,
      divisionEntityId: text,
      merchantEntityId: text,
      merchantTransactionId: text,
      merchantInvoiceId: text,
      payment: object({ id: text }),
      merchantAccount: object({ id: text, name: text }),
      clearingInstitute: object({ merchantId: text, name: text, txId1: text, txId2: text, txId3: text }),
      settlement: object({
        id: text,
        cashflow: { type: 'string', enum: ['POS', 'NEG'] },
        amount,
        currency: text,
        fee: amount,
        fxRate: amount,
        date: text,
        status: { type: 'string', enum: ['SUCCESS', 'FAILED'] },
        format: text,
      }),
      card: object({ last4Digits: text, holder: text }),
      bankAccount: object({ last4Digits: text, holder: text, bankCode: text }),
      result: object({ code: text, description: text }),
      matchedTransactions: object({
        status: { type: 'string', enum: ['MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED'] },
        reason: text,
        payment: { type: 'array', items: object({ id: text }) },
      }),
      chargebackTransaction: object({ id: text }),
    },
    required: ['recordType', 'transactionType', 'amount', 'currency', 'settlement'],
  };
}

/** Schema of a file that a merchant reconciles with. */
export function reconciliationFileSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      name: text,
      merchantEntityId: text,
      records: { type: 'integer', minimum: 0 },
      createdAt: { type: 'string', format: 'date-time' },
    },
    required: ['name', 'merchantEntityId', 'records', 'createdAt'],
  };
}
