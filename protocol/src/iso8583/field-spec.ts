/**
 * How a value stands on the wire. `bcd`: two digits a byte, `=` as nibble D; `signBcd`: the first character as ASCII, the rest BCD;
 * `binary` and `asciiHex`: the value is hex, sent as bytes or as hex text.
 */
export type FieldEncoding = 'ascii' | 'bcd' | 'signBcd' | 'binary' | 'asciiHex';

/** What fills a fixed field, and the odd nibble of BCD. */
export type FieldPad = 'leftZero' | 'rightZero' | 'rightSpace';

/** One field: orthogonal choices, so that a dialect is a table. */
export interface FieldSpec {
  readonly encoding: FieldEncoding;
  /** Digits of the length in front of the value; 0 for a fixed field. */
  readonly lengthDigits: 0 | 1 | 2 | 3 | 4;
  readonly lengthEncoding?: 'ascii' | 'bcd';
  /** Characters, digits or bytes, as the length counts; of a fixed field the length. */
  readonly maxLength: number;
  readonly pad?: FieldPad;
}

/** A dialect of ISO 8583: how message type, bitmap and fields stand on the wire. */
export interface MessageSpec {
  readonly mtiEncoding: 'ascii' | 'bcd';
  readonly bitmapEncoding: 'binary' | 'asciiHex';
  /** By field number, 2 to 128. */
  readonly fields: Readonly<Record<number, FieldSpec>>;
}
