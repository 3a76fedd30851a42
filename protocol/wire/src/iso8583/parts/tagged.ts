import { readField, writeField } from '../field-codec.js';
import type { FieldSpec, PartsSpec } from '../field-spec.js';
import { Iso8583Error } from '../iso8583-error.js';
import type { Reading, Writing } from './reading.js';

type TaggedParts = Extract<PartsSpec, { readonly kind: 'tagged' }>;

function tagSpec({ tagDigits }: TaggedParts): FieldSpec {
  return { encoding: 'ascii', lengthDigits: 0, maxLength: tagDigits, content: 'n' };
}

function taggedValue({ lengthDigits }: TaggedParts): FieldSpec {
  return {
    encoding: 'ascii',
    lengthDigits,
    lengthEncoding: 'ascii',
    maxLength: 10 ** lengthDigits - 1,
  };
}

/** Reads parts with tag and length. A tag may come once. */
export function readTagged(reading: Reading, parts: TaggedParts): void {
  while (reading.from.left > 0) {
    const tag = readField(reading.from, reading.field, tagSpec(parts));
    if (reading.found[tag] !== undefined)
      throw new Iso8583Error('badField', reading.field, 'has a tag twice');
    reading.found[tag] = readField(reading.from, reading.field, taggedValue(parts));
  }
}

/** Writes parts with tag and length, in the order of their tags. */
export function writeTagged({ field, out, values }: Writing, parts: TaggedParts): void {
  for (const tag of Object.keys(values).sort()) {
    writeField(out, field, tagSpec(parts), tag);
    writeField(out, field, taggedValue(parts), values[tag] ?? '');
  }
}
