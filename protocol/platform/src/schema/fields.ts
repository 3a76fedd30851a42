import type { Rule } from './rule.js';
import { type Static, type TProperties, type TSchema, Type } from './type.js';

/** Documentation of a field. */
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
export function text(expected: string, form: RegExp, meaning: Partial<Meaning> = {}) {
  return Type.String({ pattern: form.source, expected, ...meaning });
}

/** A text that a function checks. */
export function ruledText(expected: string, rule: Rule, meaning: Partial<Meaning> = {}) {
  return Type.Unsafe<string>({ expected, rule, ...meaning });
}

/** One of some words. */
export function oneOf<const T extends string>(
  words: readonly T[],
  meaning?: Partial<Meaning & { readonly expected: string }>,
) {
  return Type.Unsafe<T>({ enum: words, expected: `one of ${words.join(', ')}`, ...meaning });
}

/** A mapping of any keys that are of a form, or out of a list; `expectedKey` completes "must be". */
export function mappingOf<T extends TSchema>(
  key: string,
  form: RegExp | readonly string[],
  expectedKey: string,
  value: T,
  meaning?: Partial<Meaning>,
) {
  const keys = form instanceof RegExp ? { pattern: form.source } : { enum: form };
  return Type.Unsafe<Readonly<Record<string, Static<T>>>>({
    type: 'object',
    expected: `a mapping of ${key} to ${(value as { readonly expected?: string }).expected}`,
    propertyNames: { ...keys, expected: expectedKey },
    additionalProperties: value,
    ...meaning,
  });
}

/** A whole number within bounds. */
export function wholeNumber(minimum: number, maximum: number, meaning: Meaning, what = 'a whole number') {
  return Type.Integer({ minimum, maximum, expected: `${what} from ${minimum} to ${maximum}`, ...meaning });
}
