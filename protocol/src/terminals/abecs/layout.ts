import { TerminalFormatError } from '../format-error.js';

/**
 * One field of a fixed-width text record or classic command (ABECS 2.12 §1.3).
 * `H` is hex text: two characters per byte, right aligned with zeros unless `left`.
 */
export interface LayoutField {
  readonly name: string;
  readonly format: 'A' | 'S' | 'N' | 'H';
  readonly width: number;
  /** Left aligned: `H` values filled with zeros on the right. */
  readonly left?: true;
}

/** A record as its fields in order. */
export type Layout = readonly LayoutField[];

/** Values of a layout by field name. */
export type LayoutValues<L extends Layout> = { readonly [N in L[number]['name']]: string };

const RULES: Readonly<Record<LayoutField['format'], { readonly pattern: RegExp; readonly rule: string }>> = {
  A: { pattern: /^[\x20-\x7e]*$/, rule: 'must be ASCII text' },
  S: { pattern: /^[\x20-\xff\r]*$/, rule: 'must be ISO 8859-1 text' },
  N: { pattern: /^\d*$/, rule: 'must be decimal digits' },
  H: { pattern: /^[0-9A-Fa-f]*$/, rule: 'must be hex digits' },
};

/** Width of a whole layout in bytes. */
export function layoutWidth(layout: Layout): number {
  return layout.reduce((sum, { width }) => sum + width, 0);
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
  return layout.map((spec) => encodeOne(spec, all[spec.name] ?? '')).join('');
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
  for (const { name, format, width } of layout) {
    const raw = text.slice(offset, offset + width);
    if (raw.length < width) throw new TerminalFormatError(name, 'is missing: the record ends before it');
    const { pattern, rule } = RULES[format];
    if (!pattern.test(raw)) throw new TerminalFormatError(name, rule);
    values[name] = format === 'A' || format === 'S' ? raw.trimEnd() : raw;
    offset += width;
  }
  return values as LayoutValues<L>;
}
