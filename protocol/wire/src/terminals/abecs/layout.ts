import { TerminalFormatError } from '../format-error.js';

/** Format of a field (ABECS 2.12 §1.3). `H` is hex text, two characters a byte. */
type Format = 'A' | 'S' | 'N' | 'H';

/** Format and width of a field; behind `<` hex text is left aligned and filled with zeros on the right. */
type FieldForm = `${Format}${number}` | `H${number}<`;

/** A fixed-width text record or classic command as its fields in order. */
export type Layout = Readonly<Record<string, FieldForm>>;

/** Values of a layout by field name. */
export type LayoutValues<L> = { readonly [N in keyof L]: string };

interface LayoutField {
  readonly name: string;
  readonly format: Format;
  readonly width: number;
  readonly left: boolean;
}

const RULES: Readonly<Record<Format, { readonly pattern: RegExp; readonly rule: string }>> = {
  A: { pattern: /^[\x20-\x7e]*$/, rule: 'must be ASCII text' },
  S: { pattern: /^[\x20-\xff\r]*$/, rule: 'must be ISO 8859-1 text' },
  N: { pattern: /^\d*$/, rule: 'must be decimal digits' },
  H: { pattern: /^[0-9A-Fa-f]*$/, rule: 'must be hex digits' },
};

function fieldsOf(layout: Layout): readonly LayoutField[] {
  return Object.entries(layout).map(([name, form]) => ({
    name,
    format: form.charAt(0) as Format,
    width: Number.parseInt(form.slice(1), 10),
    left: form.endsWith('<'),
  }));
}

/** Width of a whole layout in bytes. */
export function layoutWidth(layout: Layout): number {
  return fieldsOf(layout).reduce((sum, { width }) => sum + width, 0);
}

function encodeOne(spec: LayoutField, value: string): string {
  const { pattern, rule } = RULES[spec.format];
  if (!pattern.test(value)) throw new TerminalFormatError(spec.name, rule);
  if (value.length > spec.width) {
    throw new TerminalFormatError(spec.name, `${value.length} characters, at most ${spec.width}`);
  }
  if (spec.format === 'A' || spec.format === 'S') return value.padEnd(spec.width, ' ');
  return spec.left ? value.padEnd(spec.width, '0') : value.padStart(spec.width, '0');
}

/** Text of a record, every field padded to its width. @throws TerminalFormatError naming the field */
export function encodeLayout<const L extends Layout>(layout: L, values: LayoutValues<L>): string {
  const all: Readonly<Record<string, string>> = values;
  return fieldsOf(layout)
    .map((spec) => encodeOne(spec, all[spec.name] ?? ''))
    .join('');
}

/**
 * Reads a record. Values keep their padding, apart from text, which loses spaces at the end.
 * Bytes behind the last field are ignored (ABECS 2.12 §4.1.1: later versions append fields).
 * @throws TerminalFormatError naming the field
 */
export function decodeLayout<const L extends Layout>(layout: L, bytes: Uint8Array): LayoutValues<L> {
  const text = Buffer.from(bytes).toString('latin1');
  const values: Record<string, string> = {};
  let offset = 0;
  for (const { name, format, width } of fieldsOf(layout)) {
    const raw = text.slice(offset, offset + width);
    if (raw.length < width) throw new TerminalFormatError(name, 'is missing: the record ends before it');
    const { pattern, rule } = RULES[format];
    if (!pattern.test(raw)) throw new TerminalFormatError(name, rule);
    values[name] = format === 'A' || format === 'S' ? raw.trimEnd() : raw;
    offset += width;
  }
  return values as LayoutValues<L>;
}
