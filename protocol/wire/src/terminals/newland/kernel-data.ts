import { endOfTag, TlvError } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { BodyReader, counted, uint16, uint32 } from './body-reader.js';

/** What GET DATA (function 24) can read other than a tag. */
export const DATA_TYPES = {
  pan: 0,
  track1: 1,
  track2: 2,
  track3: 3,
  /** Digits `YYMM` and, from a chip, `DD`. */
  expiry: 6,
  serviceCode: 7,
  cardholderName: 8,
  entryMode: 9,
} as const;

/** Slot 0 of functions 24 and 26: the answer comes in clear. */
export const CLEAR = 0;

/** GET DATA (function 24). */
export interface GetDataRequest {
  /**
   * Key slot that the answer is enciphered under. The published host requests data in clear alone, and names a data key for J0, of the
   * fixed kind: that it may be of the DUKPT kind, with the chaining of J0, is from public sources incomplete.
   */
  readonly keySlot: number;
  /** One of {@link DATA_TYPES}, or the number of a tag. */
  readonly type: number;
  readonly maxBytes: number;
}

/** GET TLV LIST (function 26). */
export interface GetTlvListRequest {
  readonly keySlot: number;
  readonly tags: readonly string[];
  readonly maxBytes: number;
}

/** The answer to functions 24 and 26. */
export type KernelData =
  | { readonly kind: 'absent' }
  /** `actualBytes`: of what was enciphered, before it was filled up to whole blocks. */
  | { readonly kind: 'data'; readonly data: Buffer; readonly actualBytes: number };

const PRESENT = 0;
const ABSENT = 1;
/** Control code of function 26: leave out what is not there. */
const WITHOUT_EMPTY = 0x01;

/** The data of function 24. */
export function encodeGetData({ keySlot, type, maxBytes }: GetDataRequest): Buffer {
  return Buffer.concat([Buffer.of(keySlot), uint32(type), uint16(maxBytes)]);
}

/** @throws TerminalFormatError */
export function decodeGetData(data: Uint8Array): GetDataRequest {
  const reader = new BodyReader(data);
  const request = {
    keySlot: reader.byte('key slot'),
    type: reader.uint32('type'),
    maxBytes: reader.uint16('longest answer'),
  };
  reader.end();
  return request;
}

/** The data of function 26. @throws TerminalFormatError for more than 255 tags */
export function encodeGetTlvList({ keySlot, tags, maxBytes }: GetTlvListRequest): Buffer {
  if (tags.length > 0xff) throw new TerminalFormatError('tags', 'are at most 255');
  return Buffer.concat([
    Buffer.of(keySlot, tags.length),
    uint16(maxBytes),
    Buffer.of(WITHOUT_EMPTY),
    counted(Buffer.from(tags.join(''), 'hex')),
  ]);
}

/** @throws TerminalFormatError */
export function decodeGetTlvList(data: Uint8Array): GetTlvListRequest {
  const reader = new BodyReader(data);
  const keySlot = reader.byte('key slot');
  const count = reader.byte('count of tags');
  const maxBytes = reader.uint16('longest answer');
  reader.byte('control code');
  const tags = splitTags(reader.counted('tags'));
  reader.end();
  if (tags.length !== count) throw new TerminalFormatError('count of tags', 'is not that of the tags');
  return { keySlot, tags, maxBytes };
}

function splitTags(list: Buffer): string[] {
  const tags: string[] = [];
  try {
    for (let at = 0; at < list.length; ) {
      const end = endOfTag(list, at);
      tags.push(list.subarray(at, end).toString('hex').toUpperCase());
      at = end;
    }
  } catch (error) {
    if (error instanceof TlvError) throw new TerminalFormatError('tags', 'end early');
    throw error;
  }
  return tags;
}

/** The data of an answer to functions 24 and 26, behind its code. */
export function encodeKernelData(answer: KernelData, keySlot: number): Buffer {
  if (answer.kind === 'absent') return Buffer.of(ABSENT);
  const actual = keySlot === CLEAR ? [] : [uint16(answer.actualBytes)];
  return Buffer.concat([Buffer.of(PRESENT), ...actual, counted(answer.data)]);
}

/** @throws TerminalFormatError */
export function decodeKernelData(data: Uint8Array, keySlot: number): KernelData {
  const reader = new BodyReader(data);
  if (reader.byte('status of the data') !== PRESENT) return { kind: 'absent' };
  const actual = keySlot === CLEAR ? undefined : reader.uint16('actual length');
  const bytes = reader.counted('data');
  return { kind: 'data', data: bytes, actualBytes: actual ?? bytes.length };
}

/** The data of GET TERMINAL CONFIG (function 02): whose configuration. */
export function encodeGetTerminalConfig(face: number): Buffer {
  return Buffer.of(face);
}

/** The objects in the answer to function 02, behind its code. */
export function encodeTerminalConfig(objects: Uint8Array): Buffer {
  return counted(objects);
}

/** @throws TerminalFormatError */
export function decodeTerminalConfig(data: Uint8Array): Buffer {
  return new BodyReader(data).counted('terminal configuration');
}
