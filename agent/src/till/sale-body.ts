import { maskText } from '@tillbridge/protocol/mask/mask.js';
import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import { AmountFormatError, type Money, parseAmount } from '@tillbridge/protocol/payment/money.js';
import { nearMatch } from '../near-match.js';
import type { SaleType } from '../sale/answer.js';
import type { SaleRequest } from '../sale/desk.js';
import { TillError } from './till-error.js';

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

/** Other names under which tills of other systems send the same thing. */
const ALIASES: Readonly<Record<string, (typeof SALE_FIELDS)[number]>> = {
  merchantTransactionId: 'reference',
  id: 'reference',
  terminal: 'terminalId',
  deviceId: 'terminalId',
  paymentType: 'type',
  total: 'amount',
};

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

/**
 * Reads the body of a capture, `{amount}`, in the currency of its sale.
 * @throws TillError `bad-request`
 */
export function readCaptureBody(body: unknown, currency: string): Money {
  return readAmount('amount', objectOf(body, ['amount']).amount, currency);
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

type Reader<T> = (field: string, value: unknown) => T;

function objectOf(body: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TillError('bad-request', `the body must be a JSON object with ${known.join(', ')}`);
  }
  const fields = body as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue;
    const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
    const meant = alias !== undefined && known.includes(alias) ? alias : nearMatch(name, known);
    const advice = meant ? `did you mean ${meant}?` : `known fields: ${known.join(', ')}`;
    throw bad(maskText(name.slice(0, 64)), `is no field of this call; ${advice}`);
  }
  return fields;
}

function required<T>(fields: Readonly<Record<string, unknown>>, field: string, read: Reader<T>): T {
  return read(field, fields[field]);
}

function optional<T>(
  fields: Readonly<Record<string, unknown>>,
  field: string,
  read: Reader<T>,
): T | undefined {
  return fields[field] === undefined ? undefined : read(field, fields[field]);
}

function readText(field: string, value: unknown): string {
  if (value === undefined) throw bad(field, 'is missing');
  if (typeof value !== 'string') throw bad(field, `must be a text, not ${kindOf(value)}`);
  return value;
}

function readAmount(field: string, value: unknown, currency: string): Money {
  if (typeof value === 'number') {
    throw bad(field, 'must be a decimal text such as "12.34", not a number: numbers lose cents');
  }
  const text = readText(field, value);
  if (/^\d{1,10},\d{2}$/.test(text))
    throw bad(field, `must have a dot, not a comma: "${text.replace(',', '.')}"`);
  let money: Money;
  try {
    money = parseAmount(text, currency);
  } catch (error) {
    if (!(error instanceof AmountFormatError)) throw error;
    throw bad(field, `cannot be read: ${error.message}`);
  }
  if (money.minor === 0) throw bad(field, 'must be more than zero');
  return money;
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

function readBoolean(field: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw bad(field, `must be true or false, not ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}

function bad(field: string, rule: string): TillError {
  return new TillError('bad-request', `${field} ${rule}`, field);
}
