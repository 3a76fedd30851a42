import { TerminalFormatError } from '../format-error.js';
import type { Parsed } from '../parsed.js';
import { type Direction, type FrameEvent, MAX_MESSAGE_BYTES } from './framing.js';

const DELIMITER = 0xc0;
const ESCAPE = 0xdb;
const ESCAPED_DELIMITER = 0xdc;
const ESCAPED_ESCAPE = 0xdd;

/** Message info: the direction, or that the message before was too long for the device. */
const MESSAGE_INFO = { 'to-device': 0x00, 'to-host': 0x02, 'capability-exceeded': 0x03 } as const;

const INFO_BYTES = 1;
const LENGTH_BYTES = 4;
const HEADER_BYTES = INFO_BYTES + LENGTH_BYTES;
/** A frame whose every byte is escaped. */
const MAX_FRAME_BYTES = 2 * (HEADER_BYTES + MAX_MESSAGE_BYTES);

/** What a parser remembers between two pieces. */
export interface SlipState {
  /** What came since the last delimiter, escapes and all: at most one frame. */
  readonly rest: Buffer;
  /** More came than a frame can have: it is skipped up to the next delimiter. */
  readonly skipping: boolean;
}

/** Nothing has come yet. */
export const INITIAL_SLIP_STATE: SlipState = { rest: Buffer.alloc(0), skipping: false };

function escaped(bytes: Uint8Array): Buffer {
  const out: number[] = [];
  for (const byte of bytes) {
    if (byte === DELIMITER) out.push(ESCAPE, ESCAPED_DELIMITER);
    else if (byte === ESCAPE) out.push(ESCAPE, ESCAPED_ESCAPE);
    else out.push(byte);
  }
  return Buffer.from(out);
}

function frame(info: number, length: number, message: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = info;
  header.writeUInt32BE(length, INFO_BYTES);
  return Buffer.concat([
    Buffer.of(DELIMITER),
    escaped(Buffer.concat([header, message])),
    Buffer.of(DELIMITER),
  ]);
}

/** A message's frame. @throws TerminalFormatError when it is too long */
export function encodeSlip(direction: Direction, message: Uint8Array): Buffer {
  if (message.length > MAX_MESSAGE_BYTES)
    throw new TerminalFormatError('message', `has ${message.length} bytes, at most ${MAX_MESSAGE_BYTES}`);
  return frame(MESSAGE_INFO[direction], message.length, message);
}

/** The device's message that a message was longer than it can take. */
export function encodeCapabilityExceeded(maxBytes: number): Buffer {
  return frame(MESSAGE_INFO['capability-exceeded'], maxBytes, Buffer.alloc(0));
}

/** Reverses the escapes; undefined when one of them is none. */
function unescaped(raw: Buffer): Buffer | undefined {
  if (!raw.includes(ESCAPE)) return Buffer.from(raw);
  const out = Buffer.alloc(raw.length);
  let length = 0;
  for (let at = 0; at < raw.length; at += 1) {
    let byte = raw[at] ?? 0;
    if (byte === ESCAPE) {
      at += 1;
      const next = raw[at];
      if (next !== ESCAPED_DELIMITER && next !== ESCAPED_ESCAPE) return undefined;
      byte = next === ESCAPED_DELIMITER ? DELIMITER : ESCAPE;
    }
    out[length] = byte;
    length += 1;
  }
  return out.subarray(0, length);
}

const DAMAGED: FrameEvent = { kind: 'damaged' };

function eventOf(raw: Buffer, from: Direction): FrameEvent {
  const bytes = unescaped(raw);
  if (!bytes || bytes.length < HEADER_BYTES) return DAMAGED;
  const length = bytes.readUInt32BE(INFO_BYTES);
  const message = bytes.subarray(HEADER_BYTES);
  if (bytes[0] === MESSAGE_INFO['capability-exceeded'] && from === 'to-host' && message.length === 0)
    return { kind: 'too-long', maxBytes: length };
  if (bytes[0] !== MESSAGE_INFO[from] || length !== message.length || length > MAX_MESSAGE_BYTES)
    return DAMAGED;
  return { kind: 'message', bytes: message };
}

/**
 * Takes bytes as they come. Every delimiter ends what stands before it and begins what follows, so that one that was lost
 * costs one frame and no more. SLIP checks nothing: what is damaged inside a frame shows in its length or its message.
 * @param from whose frames these are
 */
export function parseSlip(
  state: SlipState,
  bytes: Uint8Array,
  from: Direction,
): Parsed<SlipState, FrameEvent> {
  const events: FrameEvent[] = [];
  let { skipping } = state;
  let rest = Buffer.concat([state.rest, bytes]);
  for (let end = rest.indexOf(DELIMITER); end >= 0; end = rest.indexOf(DELIMITER)) {
    if (end > 0 && !skipping) events.push(eventOf(rest.subarray(0, end), from));
    skipping = false;
    rest = rest.subarray(end + 1);
  }
  if (rest.length > MAX_FRAME_BYTES) {
    if (!skipping) events.push(DAMAGED);
    skipping = true;
  }
  return { state: { rest: skipping ? Buffer.alloc(0) : Buffer.from(rest), skipping }, events };
}
