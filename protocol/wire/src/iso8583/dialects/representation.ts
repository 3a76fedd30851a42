import type { FieldEncoding, FieldSpec, LengthEncoding } from '../field-spec.js';

/**
 * A data element as the standard writes it: its name, and its attributes with their length, such as `n6`, `ans..25`, `b8`, `z..37`, `x+n8`
 * (ISO 8583:1987 §4.3). `..` marks a variable length; more dots are more digits of it than the length needs.
 */
export type ElementRow = readonly [name: string, format: string, more?: Pick<FieldSpec, 'mask' | 'parts'>];

/** Data elements by number. */
export type ElementTable = Readonly<Record<number, ElementRow>>;

/** How a dialect puts each attribute on the wire. */
export interface Representation {
  /** Of letters, digits and special characters. */
  readonly text: 'ascii' | 'ebcdic';
  /** Of digits (`n`, `z`); signed amounts follow. */
  readonly numeric: 'ascii' | 'ebcdic' | 'bcd';
  /** Which nibble of an odd number of BCD digits is filled, in fields of fixed and of variable length. */
  readonly filler: { readonly fixed: 'left' | 'right'; readonly variable: 'left' | 'right' };
  /** What is filled in, zero when absent. */
  readonly fillNibble?: 0xf;
  readonly length: LengthEncoding;
  /** How bytes of variable length are written: as they are, or as a text of hex digits that the length counts. */
  readonly variableBinary: 'binary' | 'text';
}

/** Attributes, dots of a variable length, and the length of a data element. */
export const ELEMENT_FORMAT = /^(x\+n|n|z|a|an|ans|b)(\.{2,4})?(\d{1,4})$/;

/** The field of a data element in a representation. */
export function fieldOf([name, format, more]: ElementRow, representation: Representation): FieldSpec {
  const [, attribute = '', variable, digits = '0'] = ELEMENT_FORMAT.exec(format) ?? [];
  if (attribute === '') throw new TypeError(`${format} is no format of a data element`);
  const isVariable = variable !== undefined;
  const maxLength = Number(digits);
  return {
    name,
    ...wireForm(attribute, isVariable, representation),
    // The sign is a separate character.
    maxLength: attribute === 'x+n' ? maxLength + 1 : maxLength,
    ...(isVariable
      ? { lengthDigits: lengthDigits(maxLength, variable.length), lengthEncoding: representation.length }
      : { lengthDigits: 0 }),
    ...more,
  };
}

type WireForm = Pick<FieldSpec, 'encoding' | 'pad' | 'filler' | 'fillNibble' | 'content'>;

function wireForm(attribute: string, isVariable: boolean, representation: Representation): WireForm {
  const { text, numeric, filler, fillNibble, variableBinary } = representation;
  const fill = fillNibble === undefined ? {} : { fillNibble };
  if (attribute === 'b')
    return { encoding: isVariable && variableBinary === 'text' ? text : ('binary' satisfies FieldEncoding) };
  if (attribute === 'x+n')
    return {
      encoding: numeric === 'bcd' ? 'signBcd' : text,
      pad: 'leftZero',
      filler: filler.fixed,
      ...fill,
      content: 'x',
    };
  if (attribute === 'n' || attribute === 'z')
    return {
      encoding: numeric,
      filler: isVariable ? filler.variable : filler.fixed,
      ...fill,
      content: attribute,
      ...(!isVariable && { pad: 'leftZero' as const }),
    };
  return { encoding: text, ...(!isVariable && { pad: 'rightSpace' as const }) };
}

function lengthDigits(maxLength: number, dots: number): FieldSpec['lengthDigits'] {
  const needed = maxLength > 999 ? 4 : maxLength > 99 ? 3 : 2;
  return Math.max(needed, dots) as FieldSpec['lengthDigits'];
}

/** The fields of a table of data elements. */
export function fieldsOf(
  elements: ElementTable,
  representation: Representation,
): Readonly<Record<number, FieldSpec>> {
  return Object.fromEntries(
    Object.entries(elements).map(([number, row]) => [number, fieldOf(row, representation)]),
  );
}

/** Digits, letters and signs as ASCII, byte for byte: how the parts of a text stand in it. */
export const IN_TEXT: Representation = {
  text: 'ascii',
  numeric: 'ascii',
  filler: { fixed: 'left', variable: 'left' },
  length: 'ascii',
  variableBinary: 'text',
};
