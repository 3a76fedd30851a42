import type { Format } from './catalogue/rows/format.js';
import { cronExpressionError, cronFieldError } from './cron.js';

/** Schemes that must never be opened in a shopper's browser. */
const UNSAFE_SCHEMES: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:']);
const DATE = /^((?:19|20)\d{2})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** A value without one has as many characters as UTF-16 units. */
const SURROGATE = /[\uD800-\uDFFF]/;

/** Compiled patterns by source; the sources come from the catalogue alone, so their number is bounded. */
const compiled = new Map<string, RegExp>();

/** Which rule a value breaks; undefined when none. */
export function formatError(value: string, format: Format): string | undefined {
  switch (format.kind) {
    case 'text':
      return textError(value, format.min, format.max);
    case 'characters':
      return matches(value, characterPattern(format)) ? undefined : `must have ${characterWords(format)}`;
    case 'pattern':
      return matches(value, format.pattern) ? undefined : patternWords(format);
    case 'one-of':
      return format.values.includes(value) ? undefined : `must be one of [${format.values.join(', ')}]`;
    case 'list-of':
      return listError(value, format.values);
    case 'integer':
      return integerError(value, format.min, format.max);
    case 'date':
      return isDate(value) ? undefined : 'must be a day of the calendar, yyyy-MM-dd, year 1900 to 2099';
    case 'timestamp':
      return isTimestamp(value) ? undefined : 'must be yyyy-MM-dd HH:mm:ss, year 1900 to 2099';
    case 'url':
      return urlError(value, format.min, format.max);
    case 'cron':
      return format.field === 'expression' ? cronExpressionError(value) : cronFieldError(value, format.field);
  }
}

/** The pattern that a `characters` format stands for. */
export function characterPattern(format: Extract<Format, { kind: 'characters' }>): string {
  const { set, min, max } = format;
  return `^[${set}]{${min === max ? max : `${min},${max}`}}$`;
}

/** Characters of a class as people name them, by the content of the brackets. */
const CHARACTER_NAMES: Readonly<Record<string, string>> = {
  '0-9': 'digits',
  'A-Z': 'capital letters from A to Z',
  'A-Za-z': 'letters from A to Z',
  'A-Za-z0-9': 'letters from A to Z or digits',
  '0-9a-f': 'digits or small letters from a to f',
  'A-Za-z-': 'letters from A to Z or hyphens',
  'A-Za-z0-9-': 'letters from A to Z, digits or hyphens',
  '\\p{L}0-9.': 'letters, digits or dots',
};

function characterWords({ set, min, max }: Extract<Format, { kind: 'characters' }>): string {
  return `${min === max ? `exactly ${max}` : `${min} to ${max}`} ${CHARACTER_NAMES[set] ?? `characters of [${set}]`}`;
}

function patternWords({ pattern, words, examples }: Extract<Format, { kind: 'pattern' }>): string {
  if (words !== undefined) return `must be ${words}`;
  const example = examples?.valid[0];
  return `must match ${pattern}${example === undefined ? '' : `, such as ${example}`}`;
}

function matches(value: string, source: string): boolean {
  let pattern = compiled.get(source);
  if (!pattern) {
    pattern = new RegExp(source, 'u');
    compiled.set(source, pattern);
  }
  return pattern.test(value);
}

function textError(value: string, min: number, max: number): string | undefined {
  const length = SURROGATE.test(value) ? [...value].length : value.length;
  if (length < min || length > max) {
    const bounds = min === max ? `exactly ${max}` : `${min} to ${max}`;
    return `must have ${bounds} characters, has ${length}`;
  }
  return /\p{Cc}/u.test(value) ? 'must not contain control characters' : undefined;
}

function listError(value: string, values: readonly string[]): string | undefined {
  const wrong = value.split(',').some((item) => !values.includes(item));
  return wrong ? `must be a comma-separated list of [${values.join(', ')}]` : undefined;
}

function integerError(value: string, min: number, max: number): string | undefined {
  const inRange = /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max;
  return inRange ? undefined : `must be a whole number from ${min} to ${max}`;
}

function isDate(value: string): boolean {
  const match = DATE.exec(value);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isTimestamp(value: string): boolean {
  return value.length === 19 && value[10] === ' ' && isDate(value.slice(0, 10)) && TIME.test(value.slice(11));
}

function urlError(value: string, min: number, max: number): string | undefined {
  const error = textError(value, min, max);
  if (error !== undefined) return error;
  if (/\s/u.test(value) || !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) || !URL.canParse(value)) {
    return 'must be an absolute URL, URL-encoded';
  }
  return UNSAFE_SCHEMES.has(new URL(value).protocol)
    ? 'must not use a scheme that runs or reads content'
    : undefined;
}
