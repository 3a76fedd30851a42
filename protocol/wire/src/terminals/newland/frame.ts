import { TerminalFormatError } from '../format-error.js';
import type { Parsed } from '../parsed.js';

const STX = 0x02;
const ETX = 0x03;
/** The frame before was taken; also the whole answer of commands that only show something. */
export const ACK = 0x06;
/** The frame before came damaged. */
export const NAK = 0x15;
const LENGTH_BYTES = 2;
const HEADER_BYTES = 1 + LENGTH_BYTES;
const TRAILER_BYTES = 2;

/** Shortest data: a type and its separator. */
const MIN_DATA_BYTES = 3;
/** Longest data: the buffer of the published host, below what four BCD digits could express. */
export const MAX_DATA_BYTES = 5_240;
/** Longest frame on the line. */
export const MAX_FRAME_BYTES = HEADER_BYTES + MAX_DATA_BYTES + TRAILER_BYTES;

/** Raw characters that end the pad's wait for a card. */
export const CANCEL_CARD_WAIT = Buffer.from('+++CANCEL', 'latin1');

/** What came out of the bytes. `damaged`: bytes that are no frame, or one whose check is wrong, were skipped. */
export type FrameEvent =
  | { readonly kind: 'frame'; readonly data: Buffer }
  | { readonly kind: 'ack' | 'nak' | 'cancel' | 'damaged' };

/** What a parser remembers between two pieces: less than one frame. */
interface FrameState {
  readonly rest: Buffer;
  /** The last thing seen was damage: more of it is no news. */
  readonly skipping: boolean;
}

/** Nothing has come yet. */
export const INITIAL_FRAME_STATE: FrameState = { rest: Buffer.alloc(0), skipping: false };

/** XOR of all bytes: from the length to ETX it is the last byte of a frame. */
export function lrc(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum ^= byte;
  return sum;
}

/** Four BCD digits. */
function lengthBytes(length: number): Buffer {
  return Buffer.from(String(length).padStart(2 * LENGTH_BYTES, '0'), 'hex');
}

/** STX, length, data, ETX, LRC. @throws TerminalFormatError for data of a length that no frame carries */
export function encodeFrame(data: Uint8Array): Buffer {
  if (data.length < MIN_DATA_BYTES || data.length > MAX_DATA_BYTES) {
    throw new TerminalFormatError(
      'data',
      `have ${data.length} bytes, must have ${MIN_DATA_BYTES} to ${MAX_DATA_BYTES}`,
    );
  }
  const checked = Buffer.concat([lengthBytes(data.length), data, Buffer.of(ETX)]);
  return Buffer.concat([Buffer.of(STX), checked, Buffer.of(lrc(checked))]);
}

/** The number of two BCD digits; undefined for a byte that is none. */
function bcd(byte: number): number | undefined {
  const [tens, ones] = [byte >> 4, byte & 0x0f];
  return tens <= 9 && ones <= 9 ? 10 * tens + ones : undefined;
}

/** Data bytes that the header at `at` names; undefined while it is not whole, 0 when it is none. */
function dataBytes(bytes: Buffer, at: number): number | undefined {
  const [high, low] = [bytes[at + 1], bytes[at + 2]];
  if (high === undefined) return undefined;
  const hundreds = bcd(high);
  if (hundreds === undefined) return 0;
  if (low === undefined) return undefined;
  const rest = bcd(low);
  if (rest === undefined) return 0;
  const length = 100 * hundreds + rest;
  return length >= MIN_DATA_BYTES && length <= MAX_DATA_BYTES ? length : 0;
}

type Step = { readonly event: FrameEvent; readonly taken: number } | 'incomplete';
const DAMAGED: Step = { event: { kind: 'damaged' }, taken: 1 };
const ACKNOWLEDGED: Step = { event: { kind: 'ack' }, taken: 1 };
const REFUSED: Step = { event: { kind: 'nak' }, taken: 1 };
const CANCELLED: Step = { event: { kind: 'cancel' }, taken: CANCEL_CARD_WAIT.length };

function step(bytes: Buffer, at: number): Step {
  switch (bytes[at]) {
    case STX:
      return frameStep(bytes, at);
    case ACK:
      return ACKNOWLEDGED;
    case NAK:
      return REFUSED;
    default:
      return cancelStep(bytes, at);
  }
}

function frameStep(bytes: Buffer, at: number): Step {
  const length = dataBytes(bytes, at);
  if (length === 0) return DAMAGED;
  const whole = HEADER_BYTES + (length ?? 0) + TRAILER_BYTES;
  if (length === undefined || bytes.length - at < whole) return 'incomplete';
  const end = at + HEADER_BYTES + length;
  if (bytes[end] !== ETX || bytes[end + 1] !== lrc(bytes.subarray(at + 1, end + 1))) return DAMAGED;
  const data = Buffer.from(bytes.subarray(at + HEADER_BYTES, end));
  return { event: { kind: 'frame', data }, taken: whole };
}

function cancelStep(bytes: Buffer, at: number): Step {
  for (const [index, character] of CANCEL_CARD_WAIT.entries()) {
    const byte = bytes[at + index];
    if (byte === undefined) return 'incomplete';
    if (byte !== character) return DAMAGED;
  }
  return CANCELLED;
}

/**
 * Takes bytes as they come. A frame whose check is wrong gives up its first byte alone, and the parser looks for the next
 * beginning behind it; what it keeps never grows beyond one frame.
 */
export function parseFrames(state: FrameState, bytes: Uint8Array): Parsed<FrameState, FrameEvent> {
  const events: FrameEvent[] = [];
  let { skipping } = state;
  const all = Buffer.concat([state.rest, bytes]);
  let at = 0;
  while (at < all.length) {
    const next = step(all, at);
    if (next === 'incomplete') break;
    at += next.taken;
    const damaged = next.event.kind === 'damaged';
    if (!damaged || !skipping) events.push(next.event);
    skipping = damaged;
  }
  return { state: { rest: Buffer.from(all.subarray(at)), skipping }, events };
}
