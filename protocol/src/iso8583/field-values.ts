import type { FieldEncoding, FieldPad } from './field-spec.js';

/** How one encoding counts, checks, writes and reads a value. */
export interface ValueCodec {
  /** What values look like. */
  readonly alphabet: RegExp;
  /** Units that `maxLength` and the length prefix count. */
  readonly count: (value: string) => number;
  /** Bytes on the wire of so many units. */
  readonly bytes: (units: number) => number;
  readonly write: (value: string, pad: FieldPad | undefined) => Buffer;
  /** `undefined` when the bytes are not of the encoding. */
  readonly read: (bytes: Uint8Array, units: number, pad: FieldPad | undefined) => string | undefined;
}

const halves = (units: number): number => Math.ceil(units / 2);

function writeBcd(value: string, pad: FieldPad | undefined): Buffer {
  const digits = value.replaceAll('=', 'D');
  const even = digits.length % 2 === 0 ? digits : pad === 'rightZero' ? `${digits}0` : `0${digits}`;
  return Buffer.from(even, 'hex');
}

function readBcd(bytes: Uint8Array, units: number, pad: FieldPad | undefined): string | undefined {
  const nibbles = hex(bytes);
  const digits = units % 2 === 0 ? nibbles : pad === 'rightZero' ? nibbles.slice(0, -1) : nibbles.slice(1);
  const filler = units % 2 === 0 ? '0' : pad === 'rightZero' ? nibbles.slice(-1) : nibbles.slice(0, 1);
  return /^[0-9D]*$/.test(digits) && filler === '0' ? digits.replaceAll('D', '=') : undefined;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

function ascii(bytes: Uint8Array): string | undefined {
  return bytes.every((byte) => byte < 0x80) ? Buffer.from(bytes).toString('latin1') : undefined;
}

/** The encodings. */
export const VALUE_CODECS: Readonly<Record<FieldEncoding, ValueCodec>> = {
  ascii: {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ISO 8583 calls the whole 7-bit set ASCII
    alphabet: /^[\x00-\x7f]*$/,
    count: (value) => value.length,
    bytes: (units) => units,
    write: (value) => Buffer.from(value, 'latin1'),
    read: ascii,
  },
  bcd: {
    alphabet: /^[0-9=]*$/,
    count: (value) => value.length,
    bytes: halves,
    write: writeBcd,
    read: readBcd,
  },
  signBcd: {
    alphabet: /^[\x20-\x7e][0-9]*$/,
    count: (value) => value.length,
    bytes: (units) => 1 + halves(units - 1),
    write: (value, pad) =>
      Buffer.concat([Buffer.from(value.slice(0, 1), 'latin1'), writeBcd(value.slice(1), pad)]),
    read: (bytes, units, pad) => {
      const sign = ascii(bytes.subarray(0, 1));
      const digits = readBcd(bytes.subarray(1), units - 1, pad);
      return sign === undefined || digits === undefined ? undefined : sign + digits;
    },
  },
  binary: {
    alphabet: /^(?:[0-9A-Fa-f]{2})*$/,
    count: (value) => value.length / 2,
    bytes: (units) => units,
    write: (value) => Buffer.from(value, 'hex'),
    read: hex,
  },
  asciiHex: {
    alphabet: /^(?:[0-9A-Fa-f]{2})*$/,
    count: (value) => value.length / 2,
    bytes: (units) => units * 2,
    write: (value) => Buffer.from(value.toUpperCase(), 'latin1'),
    read: (bytes) => {
      const text = ascii(bytes);
      return text !== undefined && /^[0-9A-Fa-f]*$/.test(text) ? text.toUpperCase() : undefined;
    },
  },
};
