import type { Money } from '../../payment/money.js';
import type { Dialect } from '../dialects/dialects.js';
import { Iso8583Error } from '../iso8583-error.js';
import { packParts, unpackParts } from '../parts/parts.js';
import type { Parts } from '../parts/reading.js';
import type { ExchangeTransaction } from './exchange-message.js';
import type { TransactionTypes } from './family.js';

/** Field 3 of a transaction: no account is named. */
export function processingCode(types: TransactionTypes, transaction: ExchangeTransaction): string {
  return `${types[transaction]}0000`;
}

/** The transaction of field 3. @throws Iso8583Error badField */
export function transactionOf(types: TransactionTypes, code: string): ExchangeTransaction {
  return keyOf(types, code.slice(0, 2), 3);
}

/** The name whose value in a table a field has. @throws Iso8583Error badField */
export function keyOf<Name extends string>(
  table: Readonly<Record<Name, string>>,
  value: string,
  field: number,
): Name {
  const found = (Object.keys(table) as Name[]).find((name) => table[name] === value);
  if (found === undefined) throw new Iso8583Error('badField', field, 'is none of its table');
  return found;
}

/** Parts of a field. @throws Iso8583Error */
export function partsOf(dialect: Dialect, field: number, value: string): Parts {
  return unpackParts(parted(dialect, field), value);
}

/** The value of a field that is made of parts. @throws Iso8583Error */
export function made(dialect: Dialect, field: number, parts: Parts): string {
  return packParts(parted(dialect, field), parts);
}

function parted(dialect: Dialect, field: number) {
  const spec = dialect.fields[field];
  if (!spec) throw new Iso8583Error('badField', field, 'has no specification in this dialect');
  return { field, spec };
}

/** Digits of minor units. @throws Iso8583Error badField: more than the field holds */
export function minorDigitsOf({ minor }: Money, field: number, digits = 12): string {
  const text = String(minor);
  if (!/^\d+$/.test(text) || text.length > digits)
    throw new Iso8583Error('badField', field, 'is no amount that fits');
  return text.padStart(digits, '0');
}

/** Minor units of digits; a field of 16 digits holds more than a number counts exactly. @throws Iso8583Error badField */
export function minorOf(digits: string, field: number): number {
  const minor = Number(digits);
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(minor))
    throw new Iso8583Error('badField', field, 'is no amount');
  return minor;
}

/** Month, day, hour, minute, second. */
const TIME = /^(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)([0-5]\d)$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Half a year and a day: of three years in a row one is always so near. */
const NEAREST_MS = 184 * DAY_MS;

/**
 * `yyyyMMddHHmmss` of a time without a year, `MMddHHmmss`: the year that brings it nearest to now.
 * @throws Iso8583Error badField: no time
 */
export function withYear(time: string, nowMs: number, field: number): string {
  const [, month, day, hour, minute, second] = TIME.exec(time) ?? [];
  const year = new Date(nowMs).getUTCFullYear();
  const inYear = (of: number) =>
    Date.UTC(of, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const nearest = [year - 1, year, year + 1].find((of) => Math.abs(inYear(of) - nowMs) <= NEAREST_MS);
  if (nearest === undefined) throw new Iso8583Error('badField', field, 'is no time');
  return `${nearest}${time}`;
}

/** `yyyyMMdd` of a day without a year, `MMdd`, as {@link withYear}. @throws Iso8583Error badField: no day */
export function dayWithYear(day: string, nowMs: number, field: number): string {
  return withYear(`${day}000000`, nowMs, field).slice(0, 8);
}
