import type { Dialect } from '../dialects/dialects.js';
import type { FieldSpec } from '../field-spec.js';

/** A dialect as lines for people: what holds for its messages, then a table of its fields. */
export function describeDialect(dialect: Dialect): readonly string[] {
  const { name, title, line, timeZone, matchedBy, fields } = dialect;
  const rows = Object.entries(fields).map(([number, spec]) => rowOf(dialect, Number(number), spec));
  return [
    `${name}: ${title}`,
    `message type: ${dialect.mtiEncoding}, bitmap: ${dialect.bitmapEncoding === 'binary' ? 'bytes' : 'hex digits'}`,
    `frame: ${LENGTHS[line.length]}${line.countsItself ? ' that counts itself' : ''}, ${line.tpdu === '' ? 'no TPDU' : `TPDU ${line.tpdu}`}`,
    `time of fields 12 and 13: ${timeZone}`,
    `an answer is matched by fields ${matchedBy.join(', ')}`,
    '',
    ...aligned([HEADINGS, ...rows]),
  ];
}

const LENGTHS = {
  binary: 'length of two bytes',
  bcd: 'length of four BCD digits',
  ascii: 'length of four ASCII digits',
} as const;
const HEADINGS = ['field', 'name', 'holds', 'length', 'written as', 'presence', 'value'];
const CONTENTS = { n: 'digits', z: 'track', x: 'sign and digits' } as const;

/** What a dialect demands of a field, such as `digits, up to 19, 2 digits bcd, BCD, right half 0`; undefined where it has no such field. */
export function fieldRule(dialect: Dialect, number: number): string | undefined {
  const spec = dialect.fields[number];
  if (!spec) return undefined;
  const [, , holds, length, written, presence, value] = rowOf(dialect, number, spec);
  const more = [...(presence === 'optional' ? [] : [presence]), ...(value ? ['set by the dialect'] : [])];
  return [holds, length, written, ...more].join(', ');
}

function rowOf(dialect: Dialect, number: number, spec: FieldSpec): readonly string[] {
  const { never, required } = dialect;
  const presence = never.has(number) ? 'never' : required.includes(number) ? 'required' : 'optional';
  return [
    String(number),
    spec.name ?? '',
    contentOf(spec),
    lengthOf(spec),
    `${ENCODINGS[spec.encoding]}${fillerOf(spec)}`,
    presence,
    presetOf(dialect, number),
  ];
}

/** What requests have in the field; nothing where that is theirs. */
function presetOf({ values, pinValues, repeated }: Dialect, number: number): string {
  const ofPin = pinValues[number];
  if (ofPin !== undefined) return `${ofPin} with a PIN`;
  return repeated.includes(number) ? 'as in the answer to the original' : (values[number] ?? '');
}

const ENCODINGS = {
  ascii: 'ASCII',
  ebcdic: 'EBCDIC',
  bcd: 'BCD',
  signBcd: 'sign and BCD',
  binary: 'bytes',
  asciiHex: 'hex digits',
} as const satisfies Record<FieldSpec['encoding'], string>;

function contentOf({ content, encoding }: FieldSpec): string {
  if (content !== undefined) return CONTENTS[content];
  return encoding === 'binary' || encoding === 'asciiHex' ? 'bytes' : 'text';
}

function lengthOf({ lengthDigits, lengthEncoding = 'ascii', maxLength }: FieldSpec): string {
  return lengthDigits === 0
    ? String(maxLength)
    : `up to ${maxLength}, ${lengthDigits} digits ${lengthEncoding}`;
}

/** What an odd number of BCD digits leaves free. */
function fillerOf({ encoding, filler, fillNibble, lengthDigits, maxLength }: FieldSpec): string {
  const isBcd = encoding === 'bcd' || encoding === 'signBcd';
  const mayBeOdd = lengthDigits > 0 || (maxLength - (encoding === 'signBcd' ? 1 : 0)) % 2 === 1;
  return isBcd && mayBeOdd ? `, ${filler ?? 'left'} half ${fillNibble === undefined ? '0' : 'F'}` : '';
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
