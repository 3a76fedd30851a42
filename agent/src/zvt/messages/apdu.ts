import { ZvtError } from './zvt-error.js';

/** One message: class and instruction, and what belongs to them. */
export interface Apdu {
  /** Class in the upper byte, instruction in the lower one. */
  readonly control: number;
  readonly data: Uint8Array;
}

/** Limits of a message that a till sends. */
export const APDU_LIMITS = { maxDataBytes: 4_096 } as const;

/** A length from here on stands in two bytes after this one, the lower byte first. */
const LONG_LENGTH = 0xff;
const SHORT_HEADER = 3;
const LONG_HEADER = 5;

/** The bytes of a message. */
export function encodeApdu({ control, data }: Apdu): Buffer {
  const isLong = data.length >= LONG_LENGTH;
  const header = Buffer.alloc(isLong ? LONG_HEADER : SHORT_HEADER);
  header.writeUInt16BE(control, 0);
  header[2] = isLong ? LONG_LENGTH : data.length;
  if (isLong) header.writeUInt16LE(data.length, SHORT_HEADER);
  return Buffer.concat([header, data]);
}

/** Cuts what comes over TCP, where messages follow each other without a frame, into messages. */
export class ApduReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Bytes of a message that is not complete yet. */
  get pending(): number {
    return this.#rest.length;
  }

  /** The messages that are complete with these bytes. @throws ZvtError `too-long` */
  push(bytes: Uint8Array): readonly Apdu[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const found: Apdu[] = [];
    for (;;) {
      const size = sizeOf(this.#rest);
      if (size === undefined || this.#rest.length < size) return found;
      found.push(apduOf(this.#rest.subarray(0, size)));
      this.#rest = this.#rest.subarray(size);
    }
  }
}

/** The message that these bytes are. @throws ZvtError `bad-apdu` where they are none, or more than one; `too-long` */
export function decodeApdu(bytes: Uint8Array): Apdu {
  const buffer = Buffer.from(bytes);
  if (sizeOf(buffer) !== buffer.length) throw new ZvtError('bad-apdu', 'the length of a message is wrong');
  return apduOf(buffer);
}

function apduOf(bytes: Buffer): Apdu {
  const header = bytes[2] === LONG_LENGTH ? LONG_HEADER : SHORT_HEADER;
  return { control: bytes.readUInt16BE(0), data: Buffer.from(bytes.subarray(header)) };
}

/** How long the message is that begins here; undefined while its length has not arrived. */
function sizeOf(bytes: Buffer): number | undefined {
  const length = bytes[2];
  if (length === undefined) return undefined;
  if (length !== LONG_LENGTH) return SHORT_HEADER + length;
  if (bytes.length < LONG_HEADER) return undefined;
  const long = bytes.readUInt16LE(SHORT_HEADER);
  if (long <= APDU_LIMITS.maxDataBytes) return LONG_HEADER + long;
  throw new ZvtError('too-long', `a message has at most ${APDU_LIMITS.maxDataBytes} bytes of data`);
}
