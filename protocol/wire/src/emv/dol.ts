import { toHex } from '../bytes.js';
import { tagInfo } from './tags.js';
import { endOfTag, TlvError } from './tlv.js';

/** One entry of a data object list: a tag and how many bytes the card wants. */
interface DolEntry {
  readonly tag: string;
  readonly length: number;
}

/**
 * Reads a data object list (PDOL, CDOL, DDOL, TDOL; EMV Book 3 §5.4).
 * @throws TlvError badTag, badLength
 */
export function parseDol(bytes: Uint8Array): DolEntry[] {
  const entries: DolEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = endOfTag(bytes, at);
    const length = bytes[end];
    if (length === undefined) throw new TlvError('badLength', end);
    entries.push({ tag: toHex(bytes.subarray(at, end)), length });
    at = end + 1;
  }
  return entries;
}

/** Bytes that the filled list has. */
export function dolLength(entries: readonly DolEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.length, 0);
}

/**
 * The values that a list requests, without tags and lengths, cut or filled to the requested lengths (EMV Book 3 §5.4). What
 * `lookup` does not know, and templates, become zero bytes.
 * @param dol the list as read from the card, or its entries
 * @throws TlvError badTag, badLength
 */
export function buildDol(
  dol: Uint8Array | readonly DolEntry[],
  lookup: (tag: string) => Uint8Array | undefined,
): Buffer {
  const entries = dol instanceof Uint8Array ? parseDol(dol) : dol;
  return Buffer.concat(entries.map((entry) => fitted(entry, lookup(entry.tag))));
}

function fitted({ tag, length }: DolEntry, value: Uint8Array | undefined): Buffer {
  if (value === undefined || isConstructed(tag)) return Buffer.alloc(length);
  if (value.length === length) return Buffer.from(value);
  const format = tagInfo(tag)?.format;
  if (value.length > length) {
    // Numbers keep their low digits, everything else its beginning.
    return Buffer.from(format === 'n' ? value.subarray(value.length - length) : value.subarray(0, length));
  }
  const out = Buffer.alloc(length, format === 'cn' ? 0xff : 0x00);
  out.set(value, format === 'n' ? length - value.length : 0);
  return out;
}

function isConstructed(tag: string): boolean {
  return (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;
}
