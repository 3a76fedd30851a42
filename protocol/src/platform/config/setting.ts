import type { Rule } from '../../schema/rule.js';
import { type Static, type TProperties, type TSchema, Type } from '../../schema/type.js';

/** What every setting says of itself. */
export interface Meaning {
  /** For the reference page. */
  readonly description: string;
  /** The environment variable that overrides the file. */
  readonly env?: string;
  readonly default?: unknown;
  /** What holds where it is left out, where that follows from something else. */
  readonly fallback?: string;
  /** Its value is never shown. */
  readonly secret?: boolean;
}

/** A mapping with these keys and no others. `optional` ones are absent as a whole unless one of their keys is set. */
export function section<P extends TProperties>(properties: P, more: object = {}) {
  const expected = `a mapping with ${Object.keys(properties).join(', ')}`;
  return Type.Object(properties, { additionalProperties: false, expected, ...more });
}

/** A text of a form. */
export function text(expected: string, form: RegExp, meaning: Meaning) {
  return Type.String({ pattern: form.source, expected, ...meaning });
}

/** A text that a function checks. */
export function ruledText(expected: string, rule: Rule, meaning: Meaning | Record<string, never> = {}) {
  return Type.Unsafe<string>({ expected, rule, ...meaning });
}

/** The path of a file, a folder or a port. */
export function path(meaning: Meaning, expected = 'a path') {
  return text(expected, /^[^\0]{1,1024}$/, meaning);
}

/** A host name or address. */
export function host(meaning: Meaning) {
  return text('a host name or address', /^[0-9A-Za-z.:_-]{1,255}$/, meaning);
}

/** Names of a server beside its address; a list, or a text that commas part. {@link entriesOf} reads it. */
export function hostNames(meaning: Meaning) {
  const isName = (name: string) => /^[0-9A-Za-z](?:[0-9A-Za-z.:-]{0,251}[0-9A-Za-z])?$/.test(name);
  return Type.Unsafe<string | readonly string[]>({
    expected: 'host names or addresses without a port, parted by commas',
    rule: (value: unknown) =>
      (typeof value === 'string' || Array.isArray(value)) && entriesOf(value).every(isName) ? undefined : {},
    ...meaning,
  });
}

/** Origins of web pages (RFC 6454); a list, or a text that commas part. {@link entriesOf} reads it. */
export function origins(meaning: Meaning) {
  const isOrigin = (text: string) =>
    /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
  return Type.Unsafe<string | readonly string[]>({
    expected: 'origins without a path, such as https://till.example, parted by commas',
    rule: (value: unknown) =>
      (typeof value === 'string' || Array.isArray(value)) && entriesOf(value).every(isOrigin)
        ? undefined
        : {},
    ...meaning,
  });
}

/** The entries of a list, or of a text that commas part. */
export function entriesOf(value: string | readonly string[] = []): readonly string[] {
  return String(value)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A whole number within bounds. */
export function wholeNumber(minimum: number, maximum: number, meaning: Meaning, what = 'a whole number') {
  return Type.Integer({ minimum, maximum, expected: `${what} from ${minimum} to ${maximum}`, ...meaning });
}

/** A time in milliseconds. */
export function milliseconds(minimum: number, maximum: number, meaning: Meaning) {
  return wholeNumber(minimum, maximum, meaning, 'milliseconds');
}

/** A TCP port; 0 is any free one. */
export function port(meaning: Meaning) {
  return wholeNumber(0, 65_535, meaning);
}

/** One of some words. */
export function oneOf<const T extends string>(words: readonly T[], meaning?: Meaning) {
  return Type.Unsafe<T>({ enum: words, expected: `one of ${words.join(', ')}`, ...meaning });
}

/** `true` or `false`. */
export function flag(meaning: Meaning) {
  return Type.Boolean({ expected: 'true or false (1 or 0)', ...meaning });
}

/** `off`, `on`, or a mapping of one's own. */
export function switchOr<T extends TSchema>(own: T, meaning: Meaning) {
  const { expected } = own as { readonly expected?: string };
  const otherwise = { enum: ['off', 'on', false, true], expected: `off, on, or ${expected}` };
  return Type.Unsafe<boolean | 'on' | 'off' | Static<T>>({
    if: { type: 'object' },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: own,
    else: otherwise,
    expected: otherwise.expected,
    ...meaning,
  });
}

/** A mapping whose keys are not known beforehand; `expectedKey` completes "must be". */
export function mappingOf<T extends TSchema>(
  key: string,
  form: RegExp,
  expectedKey: string,
  value: T,
  meaning?: Meaning,
) {
  return Type.Unsafe<Readonly<Record<string, Static<T>>>>({
    type: 'object',
    expected: `a mapping of ${key} to ${(value as { readonly expected?: string }).expected}`,
    propertyNames: { pattern: form.source, expected: expectedKey },
    additionalProperties: value,
    ...meaning,
  });
}

/** How much is logged, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** One log level. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** True for the addresses and the name of this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return ['127.0.0.1', '[::1]', '::1', 'localhost'].includes(host);
}
