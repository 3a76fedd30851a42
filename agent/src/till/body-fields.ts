import { maskText } from '@tillbridge/protocol/mask/mask.js';
import { AmountFormatError, type Money, parseAmount } from '@tillbridge/protocol/payment/money.js';
import { nearMatch } from '@tillbridge/protocol/text/near-match.js';
import { TillError } from './till-error.js';

/** Other names under which tills of other systems send the same thing. */
const ALIASES: Readonly<Record<string, string>> = {
  merchantTransactionId: 'reference',
  id: 'reference',
  terminal: 'terminalId',
  deviceId: 'terminalId',
  paymentType: 'type',
  total: 'amount',
};

/** Reads one field; @throws TillError naming it. */
export type Reader<T> = (field: string, value: unknown) => T;

/** The fields of a body; @throws TillError for anything else, and for a field that the call does not know */
export function objectOf(body: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
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

/** Reads a field that has to be there. */
export function required<T>(fields: Readonly<Record<string, unknown>>, field: string, read: Reader<T>): T {
  return read(field, fields[field]);
}

/** Reads a field that may be absent. */
export function optional<T>(
  fields: Readonly<Record<string, unknown>>,
  field: string,
  read: Reader<T>,
): T | undefined {
  return fields[field] === undefined ? undefined : read(field, fields[field]);
}

/** A text, whatever is in it. */
export function readText(field: string, value: unknown): string {
  if (value === undefined) throw bad(field, 'is missing');
  if (typeof value !== 'string') throw bad(field, `must be a text, not ${kindOf(value)}`);
  return value;
}

/** A decimal text above zero. */
export function readAmount(field: string, value: unknown, currency: string): Money {
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

/** `true` or `false`. */
export function readBoolean(field: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw bad(field, `must be true or false, not ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}

/** The refusal of a field: its name, then the rule. */
export function bad(field: string, rule: string): TillError {
  return new TillError('bad-request', `${field} ${rule}`, field);
}
