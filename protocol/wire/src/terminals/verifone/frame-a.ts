import { crc16 } from '../crc16.js';
import { TerminalFormatError } from '../format-error.js';
import type { Parsed } from '../parsed.js';

/** Control bytes of protocol type A (SDI guide, transport layer). */
export const STX = 0x02;
export const ETX = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;
const ETB = 0x17;
/** Second byte of a frame: which protocol type it is. */
const TYPE_A = 0x41;

/** Bytes of one block: twelve bits of length. */
export const MAX_BLOCK_BYTES = 4095;
/** Blocks of one message: four bits of block number. */
const MAX_BLOCKS = 16;
/** Longest message over all its blocks. */
export const MAX_TYPE_A_BYTES = MAX_BLOCK_BYTES * MAX_BLOCKS;

const HEADER_BYTES = 4;
const END_BYTES = 1;
const CRC_BYTES = 2;
const AROUND_BYTES = HEADER_BYTES + END_BYTES + CRC_BYTES;
const NOTHING = Buffer.alloc(0);

/** What came out of the bytes. */
export type FrameAEvent =
  | { readonly kind: 'ack' | 'nak' }
  /** One good frame. `last` is false for an intermediate block (ETB). */
  | { readonly kind: 'block'; readonly number: number; readonly last: boolean; readonly data: Buffer }
  /** A frame whose end or CRC is wrong, or bytes that are none. */
  | { readonly kind: 'damaged' };

/** What a parser remembers between two pieces: at most one frame. */
export interface FrameAState {
  readonly rest: Buffer;
  /** Bytes without meaning are being passed over; they have been reported. */
  readonly skipping: boolean;
}

/** Nothing has come yet. */
export const INITIAL_FRAME_A: FrameAState = { rest: NOTHING, skipping: false };

/** Whether a frame has begun and is not whole. */
export function insideFrameA({ rest }: FrameAState): boolean {
  return rest.length > 0;
}

function frame(data: Uint8Array, number: number, last: boolean): Buffer {
  const length = (number << 12) | data.length;
  const body = Buffer.concat([
    Buffer.of(STX, TYPE_A, length >>> 8, length & 0xff),
    data,
    Buffer.of(last ? ETX : ETB),
  ]);
  const crc = crc16(body);
  return Buffer.concat([body, Buffer.of(crc >>> 8, crc & 0xff)]);
}

/** The frames of a message, one for each block. @throws TerminalFormatError when it does not fit sixteen blocks */
export function encodeTypeA(message: Uint8Array): Buffer[] {
  if (message.length === 0 || message.length > MAX_TYPE_A_BYTES) {
    throw new TerminalFormatError(
      'message',
      `has ${message.length} bytes, must have 1 to ${MAX_TYPE_A_BYTES}`,
    );
  }
  const count = Math.ceil(message.length / MAX_BLOCK_BYTES);
  return Array.from({ length: count }, (_, number) => {
    const at = number * MAX_BLOCK_BYTES;
    return frame(message.subarray(at, at + MAX_BLOCK_BYTES), number, number === count - 1);
  });
}

/** Length of a frame's data by its header, once that is there. */
function dataLength(rest: Buffer): number {
  return (((rest[2] ?? 0) << 8) | (rest[3] ?? 0)) & 0x0fff;
}

/** Whether the bytes can be the beginning of a frame, as far as they go. */
function mayBegin([first, second = TYPE_A]: Uint8Array): boolean {
  return first === STX && second === TYPE_A;
}

function wholeFrame(bytes: Buffer): Extract<FrameAEvent, { kind: 'block' }> | undefined {
  const end = bytes.length - CRC_BYTES - END_BYTES;
  const mark = bytes[end];
  if (mark !== ETX && mark !== ETB) return undefined;
  const body = bytes.subarray(0, end + END_BYTES);
  if (crc16(body) !== bytes.readUInt16BE(end + END_BYTES)) return undefined;
  const number = (bytes[2] ?? 0) >>> 4;
  return { kind: 'block', number, last: mark === ETX, data: Buffer.from(bytes.subarray(HEADER_BYTES, end)) };
}

/**
 * Takes bytes as they come. Bytes that cannot begin anything are passed over; a frame whose CRC is wrong gives up its
 * first byte alone, so that a good frame behind a false header is found.
 */
export function parseTypeA(state: FrameAState, bytes: Uint8Array): Parsed<FrameAState, FrameAEvent> {
  const events: FrameAEvent[] = [];
  const all = Buffer.concat([state.rest, bytes]);
  let { skipping } = state;
  let at = 0;
  while (at < all.length) {
    const taken = takeNext(all.subarray(at), skipping);
    if (taken === 'more') break;
    if (taken.event) events.push(taken.event);
    skipping = taken.skipping;
    at += taken.length;
  }
  return { state: { rest: Buffer.from(all.subarray(at)), skipping }, events };
}

interface Taken {
  readonly length: number;
  readonly skipping: boolean;
  readonly event?: FrameAEvent;
}

const SKIPPED: Taken = { length: 1, skipping: true };
const DAMAGED: Taken = { ...SKIPPED, event: { kind: 'damaged' } };

function takeNext(rest: Buffer, skipping: boolean): Taken | 'more' {
  const [first] = rest;
  // Inside passed-over bytes a confirmation looks like any other byte.
  if (!skipping && (first === ACK || first === NAK)) {
    return { length: 1, skipping: false, event: { kind: first === ACK ? 'ack' : 'nak' } };
  }
  if (!mayBegin(rest)) return skipping ? SKIPPED : DAMAGED;
  const whole = dataLength(rest) + AROUND_BYTES;
  if (rest.length < HEADER_BYTES || rest.length < whole) return 'more';
  const block = wholeFrame(rest.subarray(0, whole));
  if (block) return { length: whole, skipping: false, event: block };
  return skipping ? SKIPPED : DAMAGED;
}
