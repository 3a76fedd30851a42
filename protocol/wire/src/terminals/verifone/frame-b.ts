import { TerminalFormatError } from '../format-error.js';
import type { Parsed } from '../parsed.js';
import { ETX, STX } from './frame-a.js';

/** Second byte of a frame of protocol type B. */
const TYPE_B = 0x42;
/** Longest message of a host, and of a device (SDI guide, protocol type B). */
export const MAX_COMMAND_BYTES = 1_048_575;
export const MAX_RESPONSE_BYTES = 65_535;

const HEADER_BYTES = 6;
const END_BYTES = 1;

/** Where a parser stands between two pieces: at most one frame; `broken` once a byte was wrong, for good. */
export type FrameBState = { readonly kind: 'open'; readonly rest: Buffer } | { readonly kind: 'broken' };

/** What came out of the bytes. After `broken` the connection is of no more use: type B has no way back. */
export type FrameBEvent =
  | { readonly kind: 'message'; readonly message: Buffer }
  | { readonly kind: 'broken'; readonly reason: string };

/** Nothing has come yet. */
export const INITIAL_FRAME_B: FrameBState = { kind: 'open', rest: Buffer.alloc(0) };

/** A message's frame. @throws TerminalFormatError when it is empty or longer than a command may be */
export function encodeTypeB(message: Uint8Array): Buffer {
  if (message.length === 0 || message.length > MAX_COMMAND_BYTES) {
    throw new TerminalFormatError(
      'message',
      `has ${message.length} bytes, must have 1 to ${MAX_COMMAND_BYTES}`,
    );
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = STX;
  header[1] = TYPE_B;
  header.writeUInt32BE(message.length, 2);
  return Buffer.concat([header, message, Buffer.of(ETX)]);
}

/** What is wrong with the beginning of a frame, as far as it goes. */
function fault(rest: Buffer, maxBytes: number): string | undefined {
  if (rest[0] !== STX) return 'a frame must begin with 02';
  if (rest.length > 1 && rest[1] !== TYPE_B) return 'a frame must be of protocol type B';
  if (rest.length < HEADER_BYTES) return undefined;
  const length = rest.readUInt32BE(2);
  if (length === 0 || length > maxBytes) return `a message must have 1 to ${maxBytes} bytes`;
  const end = rest[HEADER_BYTES + length];
  return end === undefined || end === ETX ? undefined : 'a frame must end with 03';
}

/** Takes bytes as they come. @param maxBytes longest message that the other side may send */
export function parseTypeB(
  state: FrameBState,
  bytes: Uint8Array,
  maxBytes: number,
): Parsed<FrameBState, FrameBEvent> {
  if (state.kind === 'broken') return { state, events: [] };
  const events: FrameBEvent[] = [];
  const all = Buffer.concat([state.rest, bytes]);
  let at = 0;
  while (at < all.length) {
    const rest = all.subarray(at);
    const reason = fault(rest, maxBytes);
    if (reason !== undefined) {
      return { state: { kind: 'broken' }, events: [...events, { kind: 'broken', reason }] };
    }
    const whole = rest.length < HEADER_BYTES ? Infinity : HEADER_BYTES + rest.readUInt32BE(2) + END_BYTES;
    if (rest.length < whole) break;
    events.push({ kind: 'message', message: Buffer.from(rest.subarray(HEADER_BYTES, whole - END_BYTES)) });
    at += whole;
  }
  return { state: { kind: 'open', rest: Buffer.from(all.subarray(at)) }, events };
}
