import type { Cursor, Reader } from './cursor.js';
import type { FieldSpec, LengthEncoding } from './field-spec.js';
import { Iso8583Error } from './iso8583-error.js';
import { lengthBytes, readLength, writeLength } from './length-prefix.js';
import {
  ANY_CLASS,
  CLASSES,
  VALUE_ENCODINGS,
  type ValueEncoding,
  type ValueForm,
} from './value-encodings.js';

/** Classes of characters by what a field may hold. */
const CONTENT_CLASSES = {
  n: CLASSES.digit,
  z: CLASSES.digit | CLASSES.separator,
  x: ANY_CLASS & ~CLASSES.separator,
} as const;
const SIGNED = /^[CD][0-9]*$/;

/** One field of a dialect, ready to be written and read: all choices of its specification are made once. */
export class FieldCodec implements ValueForm {
  readonly allowed: number;
  readonly isRightFilled: boolean;
  readonly fillNibble: number;
  readonly #field: number;
  readonly #spec: FieldSpec;
  readonly #encoding: ValueEncoding;
  readonly #maxLength: number;
  readonly #lengthDigits: number;
  readonly #lengthEncoding: LengthEncoding;
  /** Bytes of the length in front. */
  readonly #prefix: number;
  /** Largest length that the field takes and its prefix can express. */
  readonly #longest: number;
  readonly #isSigned: boolean;

  /** @param field its number, under which errors name it */
  constructor(field: number, spec: FieldSpec) {
    const { encoding, content, pad, filler, fillNibble = 0, lengthDigits, maxLength } = spec;
    const { lengthEncoding = 'ascii' } = spec;
    this.fillNibble = fillNibble;
    this.#field = field;
    this.#spec = spec;
    this.#encoding = VALUE_ENCODINGS[encoding];
    this.#maxLength = maxLength;
    this.#lengthDigits = lengthDigits;
    this.#lengthEncoding = lengthEncoding;
    this.#prefix = lengthDigits === 0 ? 0 : lengthBytes(lengthDigits, lengthEncoding);
    const sayable = lengthEncoding === 'binary' ? 256 ** this.#prefix : 10 ** lengthDigits;
    this.#longest = lengthDigits === 0 ? maxLength : Math.min(maxLength, sayable - 1);
    this.#isSigned = content === 'x';
    this.isRightFilled = (filler ?? (pad === 'rightZero' ? 'right' : 'left')) === 'right';
    // Digits behind a sign are digits alone.
    const isSignedBcd = encoding === 'signBcd';
    this.allowed = isSignedBcd ? CLASSES.digit : content === undefined ? ANY_CLASS : CONTENT_CLASSES[content];
    // `D` is also a letter: a signed text may begin with it.
    if (this.#isSigned && !isSignedBcd) this.allowed = ANY_CLASS;
  }

  /**
   * Writes the field, with its length in front when it is variable, and moves the cursor behind it.
   * @throws Iso8583Error badField, tooLong (it does not fit behind the cursor)
   */
  write(out: Cursor, value: string): void {
    const encoding = this.#encoding;
    const units = encoding.units(value);
    if (units > this.#longest) throw this.#bad(`length ${units}, at most ${this.#longest}`);
    if (!Number.isInteger(units)) throw this.#bad('half a byte');
    const isVariable = this.#prefix > 0;
    const end = out.at + this.#prefix + encoding.bytes(isVariable ? units : this.#maxLength);
    if (end > out.bytes.length) throw new Iso8583Error('tooLong', this.#field);
    if (isVariable) writeLength(out, units, this.#lengthDigits, this.#lengthEncoding);
    const whole = isVariable || units === this.#maxLength ? value : this.#filled(value, units);
    if ((this.#isSigned && !SIGNED.test(whole)) || !encoding.write(out, whole, this)) throw this.#wrong();
  }

  /**
   * Reads the field and moves the reader behind it. Padding of a fixed field belongs to its value.
   * @throws Iso8583Error badField, truncated
   */
  read(from: Reader): string {
    let units = this.#maxLength;
    if (this.#prefix > 0) {
      if (from.left < this.#prefix) throw new Iso8583Error('truncated', this.#field);
      units = readLength(from, this.#lengthDigits, this.#lengthEncoding);
      if (!(units <= this.#maxLength)) throw this.#bad(`its length is no number up to ${this.#maxLength}`);
    }
    if (from.left < this.#encoding.bytes(units)) throw new Iso8583Error('truncated', this.#field);
    const value = this.#encoding.read(from, units, this);
    if (value === undefined || (this.#isSigned && !SIGNED.test(value))) throw this.#wrong();
    return value;
  }

  /** A fixed field's value at full length. */
  #filled(value: string, units: number): string {
    const { pad, encoding } = this.#spec;
    const missing = this.#maxLength - units;
    const isHex = encoding === 'binary' || encoding === 'asciiHex';
    const zeros = (isHex ? '00' : '0').repeat(missing);
    if (pad === 'leftZero') {
      // The sign stays in front of the zeros.
      const head = encoding === 'signBcd' || this.#isSigned ? value.slice(0, 1) : '';
      return head + zeros + value.slice(head.length);
    }
    if (pad === 'rightZero') return value + zeros;
    if (pad === 'rightSpace' && !isHex) return value.padEnd(this.#maxLength, ' ');
    throw this.#bad(`length ${units}, fixed at ${this.#maxLength} without padding`);
  }

  #bad(detail: string): Iso8583Error {
    return new Iso8583Error('badField', this.#field, detail);
  }

  #wrong(): Iso8583Error {
    return this.#bad(`not of the alphabet ${this.#spec.content ?? this.#spec.encoding}`);
  }
}

/** Writes one field of a specification that is used seldom. @throws Iso8583Error */
export function writeField(out: Cursor, field: number, spec: FieldSpec, value: string): void {
  new FieldCodec(field, spec).write(out, value);
}

/** Reads one field of a specification that is used seldom. @throws Iso8583Error */
export function readField(from: Reader, field: number, spec: FieldSpec): string {
  return new FieldCodec(field, spec).read(from);
}
