import { NewlandFormatError } from './errors.js';

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
export const MIN_DATA_BYTES = 3;
/** Longest data: the buffer of the published host, below what four BCD digits could say. */
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
export interface FrameState {
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

/** STX, length, data, ETX, LRC. @throws NewlandFormatError for data of a length that no frame carries */
export function encodeFrame(data: Uint8Array): Buffer {
  if (data.length < MIN_DATA_BYTES || data.length > MAX_DATA_BYTES) {
    throw new NewlandFormatError(
      'data',
      `have ${data.length} bytes, must have ${MIN_DATA_BYTES} to ${MAX_DATA_BYTES}`,
    );
  }
  const checked = Buffer.concat([lengthBytes(data.length), data, Buffer.of(ETX)]);
  return Buffer.concat([Buffer.of(STX), checked, Buffer.of(lrc(checked))]);
}

function isBcd(byte: number): boolean {
  return byte >> 4 <= 9 && (byte & 0x0f) <= 9;
}

/** Data bytes that a header names; undefined while it is not whole, 0 when it is none. */
function dataBytes(rest: Buffer): number | undefined {
  const [, high, low] = rest;
  if (high !== undefined && !isBcd(high)) return 0;
  if (high === undefined || low === undefined) return undefined;
  if (!isBcd(low)) return 0;
  const length = Number(rest.subarray(1, HEADER_BYTES).toString('hex'));
  return length >= MIN_DATA_BYTES && length <= MAX_DATA_BYTES ? length : 0;
}

type Step = { readonly event: FrameEvent; readonly taken: number } | 'incomplete';
const DAMAGED: Step = { event: { kind: 'damaged' }, taken: 1 };

function step(rest: Buffer): Step {
  switch (rest[0]) {
    case STX:
      return frameStep(rest);
    case ACK:
      return { event: { kind: 'ack' }, taken: 1 };
    case NAK:
      return { event: { kind: 'nak' }, taken: 1 };
    default:
      return cancelStep(rest);
  }
}

function frameStep(rest: Buffer): Step {
  const length = dataBytes(rest);
  if (length === 0) return DAMAGED;
  const whole = HEADER_BYTES + (length ?? 0) + TRAILER_BYTES;
  if (length === undefined || rest.length < whole) return 'incomplete';
  const end = HEADER_BYTES + length;
  if (rest[end] !== ETX || rest[end + 1] !== lrc(rest.subarray(1, end + 1))) return DAMAGED;
  return { event: { kind: 'frame', data: Buffer.from(rest.subarray(HEADER_BYTES, end)) }, taken: whole };
}

function cancelStep(rest: Buffer): Step {
  const { length } = CANCEL_CARD_WAIT;
  const beginning = CANCEL_CARD_WAIT.subarray(0, Math.min(length, rest.length));
  if (!beginning.equals(rest.subarray(0, beginning.length))) return DAMAGED;
  return rest.length < length ? 'incomplete' : { event: { kind: 'cancel' }, taken: length };
}

/**
 * Takes bytes as they come. A frame whose check is wrong gives up its first byte alone, and the parser looks for the next
 * beginning behind it; what it keeps never grows beyond one frame.
 */
export function parseFrames(
  state: FrameState,
  bytes: Uint8Array,
): { readonly state: FrameState; readonly events: readonly FrameEvent[] } {
  const events: FrameEvent[] = [];
  let { skipping } = state;
  let rest = Buffer.concat([state.rest, bytes]);
  while (rest.length > 0) {
    const next = step(rest);
    if (next === 'incomplete') break;
    rest = rest.subarray(next.taken);
    const damaged = next.event.kind === 'damaged';
    if (!damaged || !skipping) events.push(next.event);
    skipping = damaged;
  }
  return { state: { rest: Buffer.from(rest), skipping }, events };
}
