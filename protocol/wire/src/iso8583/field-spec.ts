/**
 * How a value stands on the wire. `bcd`: two digits a byte, `=` as nibble D; `signBcd`: the first character as ASCII, the rest BCD;
 * `binary` and `asciiHex`: the value is hex, sent as bytes or as hex text; `ebcdic`: IBM code page 1047.
 */
export type FieldEncoding = 'ascii' | 'ebcdic' | 'bcd' | 'signBcd' | 'binary' | 'asciiHex';

/** How the length in front of a value stands on the wire. `binary`: as many bytes as BCD takes, the highest first. */
export type LengthEncoding = 'ascii' | 'ebcdic' | 'bcd' | 'binary';

/** What fills a fixed field that is too short. */
type FieldPad = 'leftZero' | 'rightZero' | 'rightSpace';

/** How a description shows the value: of a PAN the first six and last four digits, of a track its expiry too, of a secret nothing. */
export type FieldMask = 'pan' | 'track' | 'secret';

/** One field: orthogonal choices, so that a dialect is a table. */
export interface FieldSpec {
  readonly encoding: FieldEncoding;
  /** Digits of the length in front of the value; 0 for a fixed field. */
  readonly lengthDigits: 0 | 1 | 2 | 3 | 4;
  readonly lengthEncoding?: LengthEncoding;
  /** Characters, digits or bytes, as the length counts; of a fixed field the length. */
  readonly maxLength: number;
  readonly pad?: FieldPad;
  /** Which nibble of an odd number of BCD digits is filled; without it the right one for `rightZero`, else the left one. */
  readonly filler?: 'left' | 'right';
  /** What fills it; zero when absent. */
  readonly fillNibble?: 0xf;
  /** What it may hold: `n` digits; `z` digits and the separators of a track; `x` C or D, then digits. Without it any of its encoding. */
  readonly content?: 'n' | 'z' | 'x';
  readonly name?: string;
  readonly mask?: FieldMask;
  /** What the value is made of. */
  readonly parts?: PartsSpec;
}

/** A sub-field and the key under which its value stands. */
export interface NamedPart extends FieldSpec {
  readonly key: string;
}

/** How the value of a field is made of sub-fields. Keys of the values stand with each kind. */
export type PartsSpec =
  /** One behind the other, each of its length; the last may be shorter where it is `open`. Keys: those of the parts. */
  | { readonly kind: 'positions'; readonly parts: readonly NamedPart[]; readonly open?: boolean }
  /** Groups of the same parts. Keys: `1.key`, `2.key`. */
  | { readonly kind: 'groups'; readonly parts: readonly NamedPart[]; readonly maxGroups: number }
  /** Tag, length and value as digits. Keys: the tags. */
  | {
      readonly kind: 'tagged';
      readonly tagDigits: 1 | 2 | 3;
      readonly lengthDigits: 2 | 3;
      readonly tags: Readonly<Record<string, Pick<FieldSpec, 'name' | 'mask'>>>;
    }
  /** A bitmap of 64 bits and the sub-fields that it names. Keys: their numbers. */
  | { readonly kind: 'bitmap'; readonly fields: Readonly<Record<number, FieldSpec>> }
  /** Data sets of ISO 8583:2003: identifier, length of two bytes, bitmaps of 16 bits, sub-fields. Keys: `71.2`, the identifier in hex. */
  | { readonly kind: 'datasets'; readonly sets: Readonly<Record<string, DatasetSpec>> }
  /** BER-TLV of the card: read by `emv/tlv.ts`. */
  | { readonly kind: 'ber-tlv' };

/** A data set with a bitmap (ISO 8583:2003 §6.2.2: identifiers 71 to FE). */
export interface DatasetSpec {
  readonly name: string;
  /** By bit, 2 to 16 and 18 to 32; bits 1 and 17 announce another bitmap. */
  readonly fields: Readonly<Record<number, FieldSpec>>;
}

/** How message type, bitmap and fields stand on the wire. */
export interface MessageSpec {
  readonly mtiEncoding: 'ascii' | 'ebcdic' | 'bcd';
  readonly bitmapEncoding: 'binary' | 'asciiHex';
  /** By field number, 2 to 128. */
  readonly fields: Readonly<Record<number, FieldSpec>>;
}
