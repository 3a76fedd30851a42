import { isCountry } from '../../payment/country-codes.js';
import { currencyAlpha } from '../../payment/currency-codes.js';
import type { Format, MessageVersion } from './field.js';

/** A JSON object, every member still unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Text of so many characters. */
export function text(min: number, max: number): Format<string> {
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value.length >= min && value.length <= max;
  return { expected: `${min} to ${max} characters`, fits: isText };
}

/** Text of a form. */
export function form(expected: string, pattern: RegExp): Format<string> {
  const fits = (value: unknown): value is string => typeof value === 'string' && pattern.test(value);
  return { expected, fits };
}

/** So many digits. */
export function digits(min: number, max = min): Format<string> {
  return form(min === max ? `${min} digits` : `${min} to ${max} digits`, new RegExp(`^\\d{${min},${max}}$`));
}

/** One of some texts. */
export function oneOf(...values: readonly string[]): Format<string> {
  const fits = (value: unknown): value is string => typeof value === 'string' && values.includes(value);
  return { expected: `one of ${values.join(', ')}`, fits };
}

/** One of some texts; more of them from 2.2.0 on. */
export function codes(first: readonly string[], added: readonly string[]): Format<string> {
  const allowed = (version: MessageVersion) => (version === '2.1.0' ? first : [...first, ...added]);
  return {
    expected: `one of ${first.join(', ')}; from 2.2.0 on also ${added.join(', ')}`,
    fits: (value, { version }): value is string =>
      typeof value === 'string' && allowed(version).includes(value),
  };
}

/** Two-digit codes from one to another, those for payment systems (80 to 99) included. */
export function twoDigitCodes(last: number, lastFrom22 = last): Format<string> {
  const isCode = (value: unknown, max: number): value is string =>
    typeof value === 'string' &&
    /^\d\d$/.test(value) &&
    ((Number(value) >= 1 && Number(value) <= max) || Number(value) >= 80);
  return {
    expected: `a code from 01 to ${last}, from 2.2.0 on to ${lastFrom22}, or from 80 to 99`,
    fits: (value, { version }): value is string => isCode(value, version === '2.1.0' ? last : lastFrom22),
  };
}

/** A JSON boolean. */
export const BOOLEAN: Format<boolean> = {
  expected: 'true or false',
  fits: (value): value is boolean => typeof value === 'boolean',
};

/** A JSON object of at most so many characters. */
export function object(maxLength: number): Format<JsonObject> {
  const fits = (value: unknown): value is JsonObject =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    JSON.stringify(value).length <= maxLength;
  return { expected: `an object of at most ${maxLength} characters`, fits };
}

/** A list of objects that each fit. */
export function listOf<T>(
  max: number,
  expected: string,
  isItem: (value: unknown) => value is T,
): Format<readonly T[]> {
  const fits = (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.length <= max && value.every(isItem);
  return { expected: `at most ${max} of ${expected}`, fits };
}

/** Canonical form of a UUID (RFC 9562, section 4). */
export const UUID = form('a UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
export const YES_NO = oneOf('Y', 'N');

/** A fully qualified http or https URL without credentials. */
export function url(maxLength: number): Format<string> {
  const fits = (value: unknown): value is string => {
    if (typeof value !== 'string' || value.length > maxLength || !URL.canParse(value)) return false;
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && username === '' && password === '';
  };
  return { expected: `an http or https URL of at most ${maxLength} characters`, fits };
}

/** Authentication value: 20 bytes in base64. */
export const AUTHENTICATION_VALUE = form('28 characters of base64', /^[A-Za-z0-9+/]{27}=$/);
/** `YYYYMMDDHHMMSS`, a time that is on the calendar. */
export const TIME: Format<string> = {
  expected: 'a time as YYYYMMDDHHMMSS',
  fits: (value): value is string => {
    const match = typeof value === 'string' ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(value) : null;
    if (!match) return false;
    const [, year, month, day, hour, minute, second] = match;
    const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
    const time = new Date(iso);
    return !Number.isNaN(time.getTime()) && time.toISOString() === iso;
  },
};
/** `YYYYMMDD`. */
export const DATE: Format<string> = {
  expected: 'a date as YYYYMMDD',
  fits: (value, facts): value is string =>
    typeof value === 'string' && /^\d{8}$/.test(value) && TIME.fits(`${value}000000`, facts),
};
/** ISO 3166-1 numeric. */
export const COUNTRY: Format<string> = {
  expected: 'a country of ISO 3166-1, numeric',
  fits: (value): value is string => typeof value === 'string' && isCountry(value, 'numeric'),
  errorCode: '304',
};
/** ISO 4217 numeric. */
export const CURRENCY: Format<string> = {
  expected: 'a currency of ISO 4217, numeric',
  fits: (value): value is string => typeof value === 'string' && currencyAlpha(value) !== undefined,
  errorCode: '304',
};
/** A URL of the longest kind. */
export const URL_2048 = url(2_048);
