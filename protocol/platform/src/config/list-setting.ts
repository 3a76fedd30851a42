import type { Meaning } from '../schema/fields.js';
import { Type } from '../schema/type.js';

/** A list, or a text that commas part, whose entries a function checks. {@link entriesOf} reads it. */
export function listed(
  expected: string,
  areRight: (entries: readonly string[]) => boolean,
  meaning: Meaning,
) {
  const isRight = (value: unknown) =>
    (typeof value === 'string' || Array.isArray(value)) && areRight(entriesOf(value));
  return Type.Unsafe<string | readonly string[]>({
    expected,
    rule: (value: unknown) => (isRight(value) ? undefined : {}),
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
