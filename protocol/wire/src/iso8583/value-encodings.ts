import type { Cursor, Reader } from './cursor.js';
import { asciiOf, ebcdicOf } from './ebcdic.js';
import type { FieldEncoding } from './field-spec.js';

/** What every value of a field keeps to. */
export interface ValueForm {
  /** Classes of characters that it may hold: {@link CLASSES}. */
  readonly allowed: number;
  /** The nibble that is filled where the number of BCD digits is odd. */
  readonly isRightFilled: boolean;
  /** What is written there. */
  readonly fillNibble: number;
}

/** How one encoding counts, writes and reads a value. */
export interface ValueEncoding {
  /** Units that lengths count; no whole number where the value cannot be of the encoding. */
  readonly units: (value: string) => number;
  /** Bytes on the wire of so many units. */
  readonly bytes: (units: number) => number;
  /** Writes the value and moves the cursor behind it; false when it is not of the form. It fits behind the cursor. */
  readonly write: (out: Cursor, value: string, form: ValueForm) => boolean;
  /** Reads so many units, which are all there, and moves the reader; `undefined` when the bytes are not of encoding and form. */
  readonly read: (from: Reader, units: number, form: ValueForm) => string | undefined;
}

/** Classes of ASCII characters, as bits. */
export const CLASSES = { digit: 1, separator: 2, other: 4 } as const;
/** Every character of ASCII. */
export const ANY_CLASS = CLASSES.digit | CLASSES.separator | CLASSES.other;

const ZERO = 0x30;
const NINE = 0x39;
/** `=`, the separator of track 2, which BCD writes as nibble D. */
const SEPARATOR = 0x3d;
const SEPARATOR_NIBBLE = 0xd;
const LETTER_D = 0x44;
const SPACE = 0x20;
const DELETE = 0x7f;

/** Class of every printable character of ASCII; no class of any other code: values of messages are shown, printed and logged. */
const CLASS_OF = new Uint8Array(256).fill(CLASSES.other, SPACE, DELETE);
CLASS_OF.fill(CLASSES.digit, ZERO, NINE + 1);
CLASS_OF[SEPARATOR] = CLASSES.separator;
CLASS_OF[LETTER_D] = CLASSES.separator;

function classOf(code: number): number {
  return code > DELETE ? 0 : (CLASS_OF[code] ?? 0);
}

const halves = (units: number): number => (units + 1) >>> 1;
const same = (units: number): number => units;
const characters = (value: string): number => value.length;

const NO_NIBBLE = -1;
/** What fills the free nibble of an odd number of digits: zero is written, and hosts write F, too. */
const FILLERS: ReadonlySet<number> = new Set([0, 0xf]);

function nibbleOf(code: number, allowed: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  return code === SEPARATOR && (allowed & CLASSES.separator) !== 0 ? SEPARATOR_NIBBLE : NO_NIBBLE;
}

function writeDigits(out: Cursor, value: string, form: ValueForm, first: number): boolean {
  const isOdd = (value.length - first) % 2 === 1;
  let i = first - (isOdd && !form.isRightFilled ? 1 : 0);
  while (i < value.length) {
    const high = i < first ? form.fillNibble : nibbleOf(value.charCodeAt(i), form.allowed);
    const low = i + 1 < value.length ? nibbleOf(value.charCodeAt(i + 1), form.allowed) : form.fillNibble;
    if (high === NO_NIBBLE || low === NO_NIBBLE) return false;
    out.bytes[out.at] = (high << 4) | low;
    out.at += 1;
    i += 2;
  }
  return true;
}

/** Whether all digits in bytes are of the form, and a filled nibble is a filler. */
function areDigits(from: Reader, end: number, isOdd: boolean, form: ValueForm): boolean {
  const { bytes, at } = from;
  const filled = !isOdd ? NO_NIBBLE : form.isRightFilled ? end - 1 : at;
  let hasSeparator = false;
  for (let i = at; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    let high = byte >>> 4;
    let low = byte & 0xf;
    if (i === filled && !FILLERS.has(form.isRightFilled ? low : high)) return false;
    if (i === filled && form.isRightFilled) low = 0;
    else if (i === filled) high = 0;
    if ((high > 9 && high !== SEPARATOR_NIBBLE) || (low > 9 && low !== SEPARATOR_NIBBLE)) return false;
    if (high > 9 || low > 9) hasSeparator = true;
  }
  return !hasSeparator || (form.allowed & CLASSES.separator) !== 0;
}

function readDigits(from: Reader, units: number, form: ValueForm): string | undefined {
  const end = from.at + halves(units);
  const isOdd = units % 2 === 1;
  if (!areDigits(from, end, isOdd, form)) return undefined;
  const nibbles = from.nibbles(end);
  const digits = !isOdd ? nibbles : form.isRightFilled ? nibbles.slice(0, -1) : nibbles.slice(1);
  const at = (form.allowed & CLASSES.separator) === 0 ? -1 : digits.indexOf('D');
  return at < 0 ? digits : digits.replaceAll('D', '=');
}

function writeAscii({ bytes, at }: Cursor, value: string, allowed: number): boolean {
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i);
    if ((classOf(code) & allowed) === 0) return false;
    bytes[at + i] = code;
  }
  return true;
}

function readAscii(from: Reader, units: number, allowed: number): string | undefined {
  const { bytes, at } = from;
  const end = at + units;
  for (let i = at; i < end; i += 1)
    if (((CLASS_OF[bytes[i] as number] as number) & allowed) === 0) return undefined;
  return from.text(end);
}

const HEX = /^[0-9A-Fa-f]*$/;

/** The encodings. */
export const VALUE_ENCODINGS: Readonly<Record<FieldEncoding, ValueEncoding>> = {
  ascii: {
    units: characters,
    bytes: same,
    write: (out, value, { allowed }) => {
      if (!writeAscii(out, value, allowed)) return false;
      out.at += value.length;
      return true;
    },
    read: (from, units, { allowed }) => readAscii(from, units, allowed),
  },
  ebcdic: {
    units: characters,
    bytes: same,
    write: (out, value, { allowed }) => {
      for (let i = 0; i < value.length; i += 1) {
        const code = value.charCodeAt(i);
        const byte = ebcdicOf(code);
        if (byte === undefined || (classOf(code) & allowed) === 0) return false;
        out.bytes[out.at + i] = byte;
      }
      out.at += value.length;
      return true;
    },
    read: (from, units, { allowed }) => {
      let value = '';
      for (let i = 0; i < units; i += 1) {
        const code = asciiOf(from.bytes[from.at + i] ?? 0);
        if (code === undefined || (classOf(code) & allowed) === 0) return undefined;
        value += String.fromCharCode(code);
      }
      from.at += units;
      return value;
    },
  },
  bcd: {
    units: characters,
    bytes: halves,
    write: (out, value, form) => writeDigits(out, value, form, 0),
    read: readDigits,
  },
  signBcd: {
    units: characters,
    bytes: (units) => (units === 0 ? 0 : 1 + halves(units - 1)),
    write: (out, value, form) => {
      const sign = value.charCodeAt(0);
      if (!(sign >= SPACE && sign < DELETE)) return false;
      out.bytes[out.at] = sign;
      out.at += 1;
      return writeDigits(out, value, form, 1);
    },
    read: (from, units, form) => {
      if (units === 0) return undefined;
      const sign = readAscii(from, 1, ANY_CLASS);
      const digits = readDigits(from, units - 1, form);
      return sign === undefined || digits === undefined ? undefined : sign + digits;
    },
  },
  binary: {
    units: (value) => value.length / 2,
    bytes: same,
    write: (out, value) => {
      if (!HEX.test(value)) return false;
      out.at += out.bytes.write(value, out.at, 'hex');
      return true;
    },
    read: (from, units) => from.hex(from.at + units),
  },
  asciiHex: {
    units: (value) => value.length / 2,
    bytes: (units) => units * 2,
    write: (out, value) => {
      const isHex = HEX.test(value) && writeAscii(out, value.toUpperCase(), ANY_CLASS);
      out.at += value.length;
      return isHex;
    },
    read: (from, units) => {
      const text = readAscii(from, units * 2, ANY_CLASS);
      return text !== undefined && HEX.test(text) ? text.toUpperCase() : undefined;
    },
  },
};
