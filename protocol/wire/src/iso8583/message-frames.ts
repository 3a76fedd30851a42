import { Iso8583Error } from './iso8583-error.js';
import { ISO8583_MAX_BYTES } from './message.js';

/** Bytes of the length in front of a message, the highest first. It does not count itself. */
const FRAME_HEADER_BYTES = 2;

/** A message with its length in front. @throws Iso8583Error tooLong */
export function framed(message: Uint8Array): Buffer {
  if (message.length > ISO8583_MAX_BYTES) throw new Iso8583Error('tooLong', undefined);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + message.length);
  frame.writeUInt16BE(message.length, 0);
  frame.set(message, FRAME_HEADER_BYTES);
  return frame;
}

/** Cuts a stream of bytes into messages. A length of zero keeps a line alive and has no message. */
export class MessageFrames {
  readonly #maxBytes: number;
  #held: Buffer = Buffer.alloc(0);

  /** @param maxBytes longest message that is taken */
  constructor(maxBytes: number = ISO8583_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of a message that has not come whole. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /**
   * The messages that are whole with these bytes.
   * @throws Iso8583Error tooLong: the length is above the maximum. Where the next message begins is unknown from here on
   */
  push(bytes: Uint8Array): readonly Buffer[] {
    const stream = this.#held.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#held, bytes]);
    const messages: Buffer[] = [];
    let at = 0;
    while (stream.length - at >= FRAME_HEADER_BYTES) {
      const length = stream.readUInt16BE(at);
      if (length > this.#maxBytes)
        throw new Iso8583Error('tooLong', undefined, `a length of ${length}, at most ${this.#maxBytes}`);
      const end = at + FRAME_HEADER_BYTES + length;
      if (end > stream.length) break;
      if (length > 0) messages.push(stream.subarray(at + FRAME_HEADER_BYTES, end));
      at = end;
    }
    this.#held = stream.subarray(at);
    return messages;
  }
}
