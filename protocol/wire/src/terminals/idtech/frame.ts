import { crc16 } from '../crc16.js';
import { TerminalFormatError } from '../format-error.js';
import type { Parsed } from '../parsed.js';

/** Header tag and protocol version of every frame: `ViVOtech2` and a zero. */
export const HEADER = Buffer.from('ViVOtech2\0', 'latin1');
/** Header, command, sub-command or status, two bytes of length. */
const PROLOGUE_BYTES = HEADER.length + 4;
const FIRST_BYTE = HEADER[0] ?? 0;
const CRC_BYTES = 2;
/** CRC-16/CCITT-FALSE (NEO 2 guide §3.4). */
const CRC_INITIAL = 0xffff;
/** Most data of one frame: well above any answer of a sale. A longer length is taken for damage. */
export const MAX_DATA_BYTES = 4_096;
/** Longest frame. */
export const MAX_FRAME_BYTES = PROLOGUE_BYTES + MAX_DATA_BYTES + CRC_BYTES;

/** Who sends. It decides the order of the check bytes: the host sends the low byte first, the device the high byte. */
export type Sender = 'host' | 'device';

/** A command of the host, or an answer of the device (NEO 2 guide, protocol 2). */
export interface NeoFrame {
  readonly command: number;
  /** The sub-command of a command; the status code of an answer. */
  readonly second: number;
  readonly data: Buffer;
}

/** What came out of the bytes. `damaged`: bytes that are no frame, or one whose CRC is wrong, were skipped. */
export type FrameEvent = { readonly kind: 'frame'; readonly frame: NeoFrame } | { readonly kind: 'damaged' };

/** What a parser remembers between two pieces: at most one frame. */
export interface FrameState {
  readonly rest: Buffer;
  /** Bytes without meaning are being passed over; they have been reported. */
  readonly skipping: boolean;
}

/** Nothing has come yet. */
export const INITIAL_FRAME_STATE: FrameState = { rest: Buffer.alloc(0), skipping: false };

/** Writes a frame. @throws TerminalFormatError when the data are too long */
export function encodeFrame(
  sender: Sender,
  { command, second, data }: Omit<NeoFrame, 'data'> & { readonly data: Uint8Array },
): Buffer {
  if (data.length > MAX_DATA_BYTES) {
    throw new TerminalFormatError('data', `has ${data.length} bytes, at most ${MAX_DATA_BYTES}`);
  }
  const frame = Buffer.alloc(PROLOGUE_BYTES + data.length + CRC_BYTES);
  HEADER.copy(frame);
  frame[HEADER.length] = command;
  frame[HEADER.length + 1] = second;
  frame.writeUInt16BE(data.length, HEADER.length + 2);
  frame.set(data, PROLOGUE_BYTES);
  const end = PROLOGUE_BYTES + data.length;
  const crc = crc16(frame.subarray(0, end), CRC_INITIAL);
  if (sender === 'host') frame.writeUInt16LE(crc, end);
  else frame.writeUInt16BE(crc, end);
  return frame;
}

/** Whether the bytes can be the beginning of a frame, as far as they go. */
function mayBegin(bytes: Buffer): boolean {
  const known = Math.min(bytes.length, HEADER.length);
  if (!bytes.subarray(0, known).equals(HEADER.subarray(0, known))) return false;
  return bytes.length < PROLOGUE_BYTES || dataLength(bytes) <= MAX_DATA_BYTES;
}

function dataLength(bytes: Buffer): number {
  return bytes.readUInt16BE(HEADER.length + 2);
}

function wholeFrame(sender: Sender, bytes: Buffer): NeoFrame | undefined {
  const end = bytes.length - CRC_BYTES;
  const crc = sender === 'host' ? bytes.readUInt16LE(end) : bytes.readUInt16BE(end);
  if (crc16(bytes.subarray(0, end), CRC_INITIAL) !== crc) return undefined;
  return {
    command: bytes[HEADER.length] ?? 0,
    second: bytes[HEADER.length + 1] ?? 0,
    data: Buffer.from(bytes.subarray(PROLOGUE_BYTES, end)),
  };
}

/**
 * Takes bytes as they come. Bytes that cannot begin a frame are passed over; a frame whose CRC is wrong gives up its
 * first byte alone, so that a good frame behind a false header is found.
 */
export function parseFrames(
  sender: Sender,
  state: FrameState,
  bytes: Uint8Array,
): Parsed<FrameState, FrameEvent> {
  const events: FrameEvent[] = [];
  const all = Buffer.concat([state.rest, bytes]);
  let { skipping } = state;
  let at = 0;
  const skip = (): void => {
    if (!skipping) events.push({ kind: 'damaged' });
    skipping = true;
    const next = all.indexOf(FIRST_BYTE, at + 1);
    at = next < 0 ? all.length : next;
  };
  while (at < all.length) {
    const rest = all.subarray(at);
    if (!mayBegin(rest)) {
      skip();
      continue;
    }
    if (rest.length < PROLOGUE_BYTES) break;
    const length = PROLOGUE_BYTES + dataLength(rest) + CRC_BYTES;
    if (rest.length < length) break;
    const frame = wholeFrame(sender, rest.subarray(0, length));
    if (!frame) {
      skip();
      continue;
    }
    skipping = false;
    events.push({ kind: 'frame', frame });
    at += length;
  }
  return { state: { rest: Buffer.from(all.subarray(at)), skipping }, events };
}
