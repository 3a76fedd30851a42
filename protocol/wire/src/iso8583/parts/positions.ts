import { readField, writeField } from '../field-codec.js';
import type { NamedPart } from '../field-spec.js';
import { Iso8583Error } from '../iso8583-error.js';
import { assertEnd, type Reading, type Writing } from './reading.js';

/** The part as it stands in what is left, where the last one may be shorter. */
function openEnd(part: NamedPart, units: number): NamedPart {
  return { ...part, maxLength: Math.min(part.maxLength, units) };
}

/** Reads parts one behind the other; the last of `open` parts may be shorter. */
export function readPositions(reading: Reading, parts: readonly NamedPart[], open: boolean): void {
  for (const [i, part] of parts.entries()) {
    const spec = open && i === parts.length - 1 ? openEnd(part, reading.from.left) : part;
    reading.found[part.key] = readField(reading.from, reading.field, spec);
  }
  assertEnd(reading);
}

/** Writes parts one behind the other; keys stand behind the prefix. */
export function writePositions(
  writing: Writing,
  parts: readonly NamedPart[],
  prefix: string,
  open = false,
): void {
  for (const [i, part] of parts.entries()) {
    const value = writing.values[prefix + part.key] ?? '';
    const spec = open && i === parts.length - 1 ? openEnd(part, value.length) : part;
    writeField(writing.out, writing.field, spec, value);
  }
}

/** Reads groups of the same parts. */
export function readGroups(reading: Reading, parts: readonly NamedPart[], maxGroups: number): void {
  for (let group = 1; reading.from.left > 0; group += 1) {
    if (group > maxGroups) throw new Iso8583Error('trailing', reading.field, `more than ${maxGroups} groups`);
    for (const part of parts)
      reading.found[`${group}.${part.key}`] = readField(reading.from, reading.field, part);
  }
}

/** Writes groups of the same parts, up to the first that has no value. */
export function writeGroups(writing: Writing, parts: readonly NamedPart[], maxGroups: number): void {
  for (let group = 1; group <= maxGroups; group += 1) {
    const isThere = parts.some(({ key }) => writing.values[`${group}.${key}`] !== undefined);
    if (!isThere) return;
    writePositions(writing, parts, `${group}.`);
  }
}
