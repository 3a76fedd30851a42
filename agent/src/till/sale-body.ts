import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import { nearMatch } from '@tillbridge/protocol/text/near-match.js';
import type { SaleType } from '../sale/answer.js';
import type { SaleRequest } from '../sale/desk.js';
import { bad, objectOf, optional, readAmount, readBoolean, readText, required } from './body-fields.js';

/** Limits of what a till may send, by name. */
export const TILL_LIMITS = {
  maxBodyBytes: 16 * 1024,
  maxReferenceLength: 64,
} as const;

const SALE_FIELDS = [
  'reference',
  'amount',
  'currency',
  'terminalId',
  'type',
  'originalReference',
  'onlineOnly',
] as const;
const SALE_TYPES: readonly SaleType[] = ['sale', 'refund', 'preauthorization'];

/** Printable ASCII without the blank at either end, so that it stands in a path and on a receipt. */
const REFERENCE = /^[!-~](?:[ -~]*[!-~])?$/;
const TERMINAL_ID = /^\d{1,32}$/;

/**
 * Reads the body of `POST /v1/sales`.
 * @throws TillError `bad-request` naming the field, the rule and the likely intent.
 */
export function readSaleBody(body: unknown): SaleRequest {
  const fields = objectOf(body, SALE_FIELDS);
  const type = optional(fields, 'type', readType) ?? 'sale';
  const currency = required(fields, 'currency', readCurrency);
  const terminalId = optional(fields, 'terminalId', readTerminalId);
  const originalReference = optional(fields, 'originalReference', readReference);
  const onlineOnly = optional(fields, 'onlineOnly', readBoolean);
  if (originalReference !== undefined && type !== 'refund') {
    throw bad('originalReference', `belongs to a refund; this is a ${type}`);
  }
  return {
    reference: required(fields, 'reference', readReference),
    type,
    amount: readAmount('amount', fields.amount, currency),
    ...(terminalId !== undefined && { terminalId }),
    ...(originalReference !== undefined && { originalReference }),
    ...(onlineOnly !== undefined && { onlineOnly }),
  };
}

/** @throws TillError when the text is no till reference. */
export function readReference(field: string, value: unknown): string {
  const text = readText(field, value);
  if (text.length > TILL_LIMITS.maxReferenceLength || !REFERENCE.test(text)) {
    const rule = `must be 1 to ${TILL_LIMITS.maxReferenceLength} printable ASCII characters, no blank at either end`;
    throw bad(field, `${rule}; this one has ${text.length} characters`);
  }
  return text;
}

function readCurrency(field: string, value: unknown): string {
  const text = readText(field, value);
  if (currencyNumber(text) !== undefined) return text;
  const meant =
    currencyNumber(text.toUpperCase()) !== undefined ? `; did you mean "${text.toUpperCase()}"?` : '';
  throw bad(field, `must be an ISO 4217 code of three uppercase letters, such as EUR${meant}`);
}

function readTerminalId(field: string, value: unknown): string {
  if (typeof value === 'number') throw bad(field, 'must be a text: put the digits in quotes');
  const text = readText(field, value);
  if (!TERMINAL_ID.test(text)) throw bad(field, 'must be 1 to 32 digits (GET /v1/terminals lists the ids)');
  return text;
}

function readType(field: string, value: unknown): SaleType {
  const text = readText(field, value);
  const type = SALE_TYPES.find((known) => known === text);
  if (type) return type;
  const meant = nearMatch(text, SALE_TYPES);
  throw bad(field, `must be one of ${SALE_TYPES.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`);
}
