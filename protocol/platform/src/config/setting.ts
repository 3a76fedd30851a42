import { type Meaning, text } from '../schema/fields.js';
import { type Static, type TSchema, Type } from '../schema/type.js';

/** The path of a file, a folder or a port. */
export function path(meaning: Meaning, expected = 'a path') {
  return text(expected, /^[^\0]{1,1024}$/, meaning);
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

/** How much is logged, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** One log level. */
export type LogLevel = (typeof LOG_LEVELS)[number];
