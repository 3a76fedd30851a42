import { decodeTlv, encodeTlv, TlvError, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { ZvtError } from './zvt-error.js';

/** How long a field is: so many bytes, two or three digits of length before it, or a length of BER. */
type FieldLength = number | 'LL' | 'LLL' | 'TLV';

/** Bitmaps (PA00P015, "Summary of utilised BMPs"): each names the field that follows it. */
const LENGTHS: ReadonlyMap<number, FieldLength> = new Map<number, FieldLength>([
  ...fields(
    1,
    [0x01, 0x02, 0x03, 0x05, 0x19, 0x27, 0x72, 0x73, 0x74, 0x75, 0x8a, 0x8c, 0xa0, 0xd0, 0xd2, 0xd3],
  ),
  ...fields(1, [0xe0, 0xe9, 0xea, 0xf0, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd]),
  ...fields(2, [0x0d, 0x0e, 0x17, 0x3a, 0x49, 0x87]),
  ...fields(3, [0x0b, 0x0c, 0x37, 0x3d, 0x88, 0xaa]),
  ...fields(4, [0x29, 0x70, 0x71]),
  ...fields(5, [0xba]),
  ...fields(6, [0x04]),
  ...fields(8, [0x3b, 0xeb]),
  ...fields(15, [0x2a]),
  ...fields('LL', [0x22, 0x23, 0x2d, 0x8b, 0xa7, 0xd1]),
  ...fields('LL', [0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8]),
  ...fields('LL', [0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8]),
  ...fields('LLL', [0x24, 0x2e, 0x3c, 0x60, 0x9a, 0xaf]),
  ...fields('TLV', [0x06]),
]);

/** The bitmap of the TLV container. */
export const TLV_CONTAINER = 0x06;

/** Fields by their bitmaps. */
export type Bitmaps = ReadonlyMap<number, Uint8Array>;

/** Reads fields up to the end. @throws ZvtError `unknown-bitmap`, `bad-field` */
export function readBitmaps(bytes: Uint8Array): Bitmaps {
  const found = new Map<number, Uint8Array>();
  for (let at = 0; at < bytes.length; ) {
    const bitmap = bytes[at] ?? 0;
    const { from, length } = placeOf(bytes, bitmap, at + 1);
    if (from + length > bytes.length) throw new ZvtError('bad-field', `bitmap ${name(bitmap)} is cut short`);
    if (found.has(bitmap)) throw new ZvtError('bad-field', `bitmap ${name(bitmap)} stands twice`);
    found.set(bitmap, bytes.subarray(from, from + length));
    at = from + length;
  }
  return found;
}

/** The bytes of one field. @throws RangeError for a value that the bitmap cannot have: a caller's mistake */
export function field(bitmap: number, value: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(bitmap), lengthBytes(bitmap, value), value]);
}

/** The container of data objects. */
export function tlvField(nodes: readonly TlvNode[]): Buffer {
  return field(TLV_CONTAINER, encodeTlv(nodes));
}

/** The data objects of the container; none where there is no container. @throws ZvtError `bad-field` */
export function tlvOf(bitmaps: Bitmaps): readonly TlvNode[] {
  const container = bitmaps.get(TLV_CONTAINER);
  if (!container) return [];
  try {
    return decodeTlv(container, { padding: 'strict' });
  } catch (error) {
    if (error instanceof TlvError) throw new ZvtError('bad-field', `bitmap 06: ${error.message}`);
    throw error;
  }
}

/** A bitmap as it is written in the tables of the protocol. */
function name(bitmap: number): string {
  return bitmap.toString(16).toUpperCase().padStart(2, '0');
}

function fields(
  length: FieldLength,
  bitmaps: readonly number[],
): readonly (readonly [number, FieldLength])[] {
  return bitmaps.map((bitmap) => [bitmap, length] as const);
}

function placeOf(
  bytes: Uint8Array,
  bitmap: number,
  at: number,
): { readonly from: number; readonly length: number } {
  const length = LENGTHS.get(bitmap);
  switch (length) {
    case undefined:
      throw new ZvtError('unknown-bitmap', `bitmap ${name(bitmap)} is unknown`);
    case 'LL':
    case 'LLL':
      return {
        from: at + length.length,
        length: countOf(bytes.subarray(at, at + length.length), bitmap, length),
      };
    case 'TLV':
      return berLength(bytes, at);
    default:
      return { from: at, length };
  }
}

/** Each byte is F and a digit. */
function countOf(bytes: Uint8Array, bitmap: number, { length }: string): number {
  const text = Buffer.from(bytes).toString('hex');
  const digits = /^(?:f\d)+$/.test(text) && bytes.length === length ? text.replaceAll('f', '') : undefined;
  if (digits === undefined) throw new ZvtError('bad-field', `the length of bitmap ${name(bitmap)} is wrong`);
  return Number(digits);
}

function berLength(bytes: Uint8Array, at: number): { readonly from: number; readonly length: number } {
  const first = bytes[at];
  const extra = first === 0x81 ? 1 : first === 0x82 ? 2 : 0;
  if (first === undefined || (first >= 0x80 && extra === 0) || at + extra >= bytes.length)
    throw new ZvtError('bad-field', 'the length of bitmap 06 is wrong');
  if (extra === 0) return { from: at + 1, length: first };
  return { from: at + 1 + extra, length: Buffer.from(bytes).readUIntBE(at + 1, extra) };
}

function lengthBytes(bitmap: number, { length }: Uint8Array): Buffer {
  const form = LENGTHS.get(bitmap);
  if (form === 'TLV')
    return length < 0x80 ? Buffer.of(length) : length < 0x100 ? Buffer.of(0x81, length) : longLength(length);
  if (form === 'LL' || form === 'LLL') {
    const digits = String(length).padStart(form.length, '0');
    if (digits.length > form.length) throw new RangeError(`bitmap ${name(bitmap)} takes no ${length} bytes`);
    return Buffer.from([...digits].map((digit) => 0xf0 + Number(digit)));
  }
  if (form !== length) throw new RangeError(`bitmap ${name(bitmap)} has ${form} bytes, not ${length}`);
  return Buffer.alloc(0);
}

function longLength(length: number): Buffer {
  return Buffer.of(0x82, length >>> 8, length & 0xff);
}
