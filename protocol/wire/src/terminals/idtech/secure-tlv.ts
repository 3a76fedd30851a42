import { fromHex, toHex } from '../../bytes.js';
import { endOfTag, TlvError } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';

/** How a value is shown. */
export type Disclosure = 'plain' | 'masked' | 'encrypted';

/** One data object of an answer. The same tag may come masked and enciphered. Templates are not opened. */
export interface SecureObject {
  readonly tag: string;
  readonly disclosure: Disclosure;
  readonly value: Uint8Array;
}

const LONG_FORM = 0x80;
const MARKS: Readonly<Record<Disclosure, number>> = { plain: 0, masked: 0x20, encrypted: 0x40 };
const COUNT = 0x1f;
const MAX_COUNT = 2;

/**
 * Reads data objects in the maker's form of BER-TLV: the first length byte of a masked value is A1, of an enciphered
 * one C1 (encrypted data output formats, 80000502-001).
 * @throws TerminalFormatError
 */
export function decodeObjects(bytes: Uint8Array): SecureObject[] {
  const objects: SecureObject[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tagEnd = tagEndOf(bytes, at);
    const { disclosure, length, start } = readLength(bytes, tagEnd);
    const end = start + length;
    if (end > bytes.length) throw new TerminalFormatError('objects', 'end before a value is complete');
    objects.push({ tag: toHex(bytes.subarray(at, tagEnd)), disclosure, value: bytes.subarray(start, end) });
    at = end;
  }
  return objects;
}

function tagEndOf(bytes: Uint8Array, at: number): number {
  try {
    return endOfTag(bytes, at);
  } catch (error) {
    if (error instanceof TlvError) throw new TerminalFormatError('objects', 'end inside a tag');
    throw error;
  }
}

function readLength(
  bytes: Uint8Array,
  at: number,
): { readonly disclosure: Disclosure; readonly length: number; readonly start: number } {
  const first = bytes[at];
  if (first === undefined) throw new TerminalFormatError('objects', 'end before a length');
  if (first < LONG_FORM) return { disclosure: 'plain', length: first, start: at + 1 };
  const count = first & COUNT;
  const start = at + 1 + count;
  if (count === 0 || count > MAX_COUNT || start > bytes.length) {
    throw new TerminalFormatError('objects', `have a length of ${count} bytes, must have 1 to ${MAX_COUNT}`);
  }
  let length = 0;
  for (const byte of bytes.subarray(at + 1, start)) length = length * 256 + byte;
  if ((first & MARKS.encrypted) !== 0) return { disclosure: 'encrypted', length, start };
  return { disclosure: (first & MARKS.masked) !== 0 ? 'masked' : 'plain', length, start };
}

/** Writes data objects. @throws TerminalFormatError when a value is too long; RangeError when a tag is not hex */
export function encodeObjects(objects: readonly SecureObject[]): Buffer {
  return Buffer.concat(
    objects.flatMap(({ tag, disclosure, value }) => [
      fromHex(tag),
      encodeLength(disclosure, value.length),
      value,
    ]),
  );
}

function encodeLength(disclosure: Disclosure, length: number): Buffer {
  if (length > 0xffff) throw new TerminalFormatError('value', `has ${length} bytes, at most ${0xffff}`);
  if (disclosure === 'plain' && length < LONG_FORM) return Buffer.of(length);
  const mark = LONG_FORM | MARKS[disclosure];
  return length > 0xff ? Buffer.of(mark | 2, length >>> 8, length & 0xff) : Buffer.of(mark | 1, length);
}

/** Value of the first object of that tag and disclosure. */
export function findObject(
  objects: readonly SecureObject[],
  tag: string,
  disclosure: Disclosure = 'plain',
): Uint8Array | undefined {
  return objects.find((object) => object.tag === tag && object.disclosure === disclosure)?.value;
}
