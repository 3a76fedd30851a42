import { Iso8583Error } from './iso8583-error.js';
import { lengthBytes, readLength, writeLength } from './length-prefix.js';
import { LINE_FORM, type LineForm } from './line-form.js';
import { ISO8583_MAX_BYTES } from './message.js';

/** Digits of the length in front of a message. */
const LENGTH_DIGITS = 4;
/** Longest frame of a line whose length is in decimal digits. */
const MAX_DECIMAL = 9_999;

/** A message with its length in front, and the header of the line. @throws Iso8583Error tooLong */
export function framed(message: Uint8Array, form: LineForm = LINE_FORM): Buffer {
  const { length: encoding, countsItself, tpdu } = form;
  const prefix = lengthBytes(LENGTH_DIGITS, encoding);
  const header = Buffer.from(tpdu, 'hex');
  const counted = header.length + message.length + (countsItself ? prefix : 0);
  if (counted > (encoding === 'binary' ? ISO8583_MAX_BYTES : MAX_DECIMAL))
    throw new Iso8583Error('tooLong', undefined);
  const frame = Buffer.alloc(prefix + header.length + message.length);
  writeLength({ bytes: frame, at: 0 }, counted, LENGTH_DIGITS, encoding);
  frame.set(header, prefix);
  frame.set(message, prefix + header.length);
  return frame;
}

/** Cuts a stream of bytes into messages. A length of zero keeps a line alive and has no message. */
export class MessageFrames {
  readonly #maxBytes: number;
  readonly #form: LineForm;
  /** Bytes of the length. */
  readonly #prefix: number;
  /** Bytes of the header behind it. */
  readonly #header: number;
  #held: Buffer = Buffer.alloc(0);

  /** @param maxBytes longest message that is taken */
  constructor(maxBytes: number = ISO8583_MAX_BYTES, form: LineForm = LINE_FORM) {
    this.#maxBytes = maxBytes;
    this.#form = form;
    this.#prefix = lengthBytes(LENGTH_DIGITS, form.length);
    this.#header = form.tpdu.length / 2;
  }

  /** Bytes of a message that has not come whole. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /**
   * The messages that are whole with these bytes.
   * @throws Iso8583Error tooLong: the length is above the maximum; badField: it is none. Where the next message begins is unknown from here on
   */
  push(bytes: Uint8Array): readonly Buffer[] {
    const stream = this.#held.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#held, bytes]);
    const messages: Buffer[] = [];
    let at = 0;
    while (stream.length - at >= this.#prefix) {
      const length = this.#lengthAt(stream, at);
      const end = at + this.#prefix + length;
      if (end > stream.length) break;
      if (length > 0) messages.push(stream.subarray(at + this.#prefix + this.#header, end));
      at = end;
    }
    this.#held = stream.subarray(at);
    return messages;
  }

  /** Bytes behind the length at a place. */
  #lengthAt(stream: Buffer, at: number): number {
    const counted = readLength({ bytes: stream, at }, LENGTH_DIGITS, this.#form.length);
    const length = counted - (this.#form.countsItself ? this.#prefix : 0);
    if (length > this.#maxBytes + this.#header)
      throw new Iso8583Error('tooLong', undefined, `a length of ${length}, at most ${this.#maxBytes}`);
    // A length of less than the header is none; zero is a line that is kept alive.
    const isRight = Number.isInteger(length) && (length === 0 || (length > 0 && length >= this.#header));
    if (!isRight) throw new Iso8583Error('badField', undefined, 'its length is none');
    return length;
  }
}
