import { fromHex, toHex } from '../bytes.js';
import { CodedError } from '../errors/coded-error.js';
import { TLV_ERRORS } from '../errors/error-table.js';

/** One BER-TLV data object. Tags are uppercase hex; values are views into the bytes that were read. */
export type TlvNode = TlvPrimitive | TlvConstructed;

/** A data object with a value. */
interface TlvPrimitive {
  readonly tag: string;
  readonly value: Uint8Array;
}

/** A template: a data object made of others. */
interface TlvConstructed {
  readonly tag: string;
  readonly children: readonly TlvNode[];
}

/** Why bytes are no BER-TLV. */
type TlvErrorCode = keyof typeof TLV_ERRORS;

/** Bytes or nodes that are no BER-TLV. The message gives the place, never a value. */
export class TlvError extends CodedError<TlvErrorCode> {
  /** Byte offset in what was read, where there is one. */
  readonly offset: number | undefined;

  constructor(code: TlvErrorCode, offset?: number) {
    super(code, `${code}: ${TLV_ERRORS[code][0]}${offset === undefined ? '' : ` (at byte ${offset})`}`);
    this.offset = offset;
  }
}

/** Templates within templates that a message may have; EMV itself needs five. */
export const TLV_MAX_DEPTH = 32;
/** Bytes of one message; well above what a terminal or card can send. */
const TLV_MAX_BYTES = 1 << 20;

/** How to read. */
interface TlvDecodeOptions {
  /** `skip` (default): zero bytes where a tag could begin mean nothing (EMV Book 3 Annex B1). `strict`: they begin a tag. */
  readonly padding?: 'skip' | 'strict';
}

interface Header {
  readonly tag: string;
  readonly constructed: boolean;
  readonly valueOffset: number;
  readonly valueLength: number;
}

/**
 * Reads a list of data objects (ISO/IEC 8825-1, EMV Book 3 Annex B), depth first. Lengths longer than needed are accepted, the
 * indefinite form is not.
 * @throws TlvError
 */
export function decodeTlv(bytes: Uint8Array, options: TlvDecodeOptions = {}): TlvNode[] {
  if (bytes.length > TLV_MAX_BYTES) throw new TlvError('tooLong', TLV_MAX_BYTES);
  return decodeRange(bytes, 0, bytes.length, 0, options.padding !== 'strict');
}

/** What could be read of bytes that may be cut short or broken. */
interface PartlyDecoded {
  readonly nodes: TlvNode[];
  /** Where and why reading stopped; absent when all was read. */
  readonly error?: TlvError;
}

/**
 * As {@link decodeTlv}, for people who look at a message that does not decode: gives every data object before the first mistake, those of a
 * template that was cut short among them.
 */
export function decodeTlvPartly(bytes: Uint8Array): PartlyDecoded {
  return decodePart(bytes, 0, bytes.length, 0);
}

function decodePart(bytes: Uint8Array, from: number, to: number, depth: number): PartlyDecoded {
  const nodes: TlvNode[] = [];
  try {
    if (depth > TLV_MAX_DEPTH) throw new TlvError('tooDeep', from);
    for (let at = from; at < to; ) {
      if (bytes[at] === 0) {
        at += 1;
        continue;
      }
      const { tag, constructed, valueOffset, valueLength } = readHeader(bytes, at, to);
      const end = valueOffset + valueLength;
      if (!constructed && end > to) throw new TlvError('truncated', valueOffset);
      if (!constructed) {
        nodes.push({ tag, value: bytes.subarray(valueOffset, end) });
        at = end;
        continue;
      }
      const inside = decodePart(bytes, valueOffset, Math.min(end, to), depth + 1);
      nodes.push({ tag, children: inside.nodes });
      if (inside.error !== undefined) return { nodes, error: inside.error };
      if (end > to) throw new TlvError('truncated', valueOffset);
      at = end;
    }
    return { nodes };
  } catch (error) {
    if (error instanceof TlvError) return { nodes, error };
    throw error;
  }
}

function decodeRange(bytes: Uint8Array, from: number, to: number, depth: number, skip: boolean): TlvNode[] {
  if (depth > TLV_MAX_DEPTH) throw new TlvError('tooDeep', from);
  const nodes: TlvNode[] = [];
  let at = from;
  while (at < to) {
    if (skip && bytes[at] === 0) {
      at += 1;
      continue;
    }
    const header = readHeader(bytes, at, to);
    const end = header.valueOffset + header.valueLength;
    if (end > to) throw new TlvError('truncated', header.valueOffset);
    nodes.push(
      header.constructed
        ? { tag: header.tag, children: decodeRange(bytes, header.valueOffset, end, depth + 1, skip) }
        : { tag: header.tag, value: bytes.subarray(header.valueOffset, end) },
    );
    at = end;
  }
  return nodes;
}

function readHeader(bytes: Uint8Array, from: number, to: number): Header {
  const tagEnd = endOfTag(bytes, from, to);
  const { length, end } = readLength(bytes, tagEnd, to);
  return {
    tag: toHex(bytes.subarray(from, tagEnd)),
    constructed: ((bytes[from] ?? 0) & 0x20) !== 0,
    valueOffset: end,
    valueLength: length,
  };
}

/**
 * Offset behind the tag that begins at `from`.
 * @throws TlvError badTag
 */
export function endOfTag(bytes: Uint8Array, from: number, to: number = bytes.length): number {
  if (from >= to) throw new TlvError('badTag', from);
  if (((bytes[from] ?? 0) & 0x1f) !== 0x1f) return from + 1;
  for (let at = from + 1; at < to; at += 1) {
    if (((bytes[at] ?? 0) & 0x80) === 0) return at + 1;
  }
  throw new TlvError('badTag', from);
}

function readLength(bytes: Uint8Array, from: number, to: number): { length: number; end: number } {
  if (from >= to) throw new TlvError('badLength', from);
  const first = bytes[from] ?? 0;
  if (first < 0x80) return { length: first, end: from + 1 };
  const count = first & 0x7f;
  const end = from + 1 + count;
  if (count === 0 || end > to) throw new TlvError('badLength', from);
  let length = 0;
  for (let at = from + 1; at < end; at += 1) length = length * 256 + (bytes[at] ?? 0);
  return { length, end };
}

/**
 * The bytes of data objects, every length in its shortest form.
 * @throws TlvError badTag (a tag that is not one whole tag), tooDeep; RangeError when a tag is not hex
 */
export function encodeTlv(nodes: readonly TlvNode[]): Buffer {
  return encodeList(nodes, 0);
}

function encodeList(nodes: readonly TlvNode[], depth: number): Buffer {
  if (depth > TLV_MAX_DEPTH) throw new TlvError('tooDeep');
  return Buffer.concat(
    nodes.flatMap((node) => {
      const value = 'value' in node ? node.value : encodeList(node.children, depth + 1);
      return [tagBytes(node.tag), encodeLength(value.length), value];
    }),
  );
}

function tagBytes(tag: string): Buffer {
  const bytes = fromHex(tag);
  if (endOfTag(bytes, 0) !== bytes.length) throw new TlvError('badTag');
  return bytes;
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return Buffer.from([0x80 | digits.length, ...digits]);
}

/** Builds a node: bytes make a primitive, a list makes a template. */
export function tlv(tag: string, content: Uint8Array | readonly TlvNode[]): TlvNode {
  const upper = tag.toUpperCase();
  return content instanceof Uint8Array ? { tag: upper, value: content } : { tag: upper, children: content };
}

/** The value of the first primitive with this tag, depth first; `undefined` when there is none. */
export function findTlv(nodes: readonly TlvNode[], tag: string): Uint8Array | undefined {
  for (const node of nodes) {
    if ('value' in node) {
      if (node.tag === tag) return node.value;
      continue;
    }
    const inside = findTlv(node.children, tag);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** The children of the first template with this tag, depth first; `undefined` when there is none. */
export function findTemplate(nodes: readonly TlvNode[], tag: string): readonly TlvNode[] | undefined {
  for (const node of nodes) {
    if ('value' in node) continue;
    if (node.tag === tag) return node.children;
    const inside = findTemplate(node.children, tag);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** The content of the identifier octets of a tag (ISO/IEC 8825-1 §8.1.2). */
interface TagHeader {
  readonly tagClass: 'universal' | 'application' | 'context' | 'private';
  readonly constructed: boolean;
  readonly number: number;
}

const TAG_CLASSES = ['universal', 'application', 'context', 'private'] as const;

/**
 * Class, form and number of the tag at the start of the bytes (or of the hex text).
 * @throws TlvError badTag
 */
export function tagHeader(tag: Uint8Array | string): TagHeader {
  const bytes = typeof tag === 'string' ? fromHex(tag) : tag;
  const end = endOfTag(bytes, 0);
  const first = bytes[0] ?? 0;
  let number = end === 1 ? first & 0x1f : 0;
  for (let at = 1; at < end; at += 1) number = number * 128 + ((bytes[at] ?? 0) & 0x7f);
  return { tagClass: TAG_CLASSES[first >>> 6] ?? 'universal', constructed: (first & 0x20) !== 0, number };
}
