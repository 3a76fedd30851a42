/** Bytes and the place in them where the next field is written. */
export interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

/** A cursor at the beginning of bytes. The bytes are not copied. */
export function cursorOf(bytes: Uint8Array): Cursor {
  return { bytes: bufferOver(bytes), at: 0 };
}

/** Bytes and the place in them where the next field is read. */
export class Reader implements Cursor {
  readonly bytes: Buffer;
  at = 0;
  #text: string | undefined;
  #hex: string | undefined;

  /** A reader at the beginning of bytes, which are not copied. */
  constructor(bytes: Uint8Array) {
    this.bytes = bufferOver(bytes);
  }

  /** Bytes that are not read yet. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  /** The bytes up to `end` as a text of as many characters, and moves behind them. The whole is made into text once, for all fields. */
  text(end: number): string {
    this.#text ??= this.bytes.toString('latin1');
    const found = this.#text.slice(this.at, end);
    this.at = end;
    return found;
  }

  /** The nibbles of the bytes up to `end` as hex in uppercase, and moves behind them. Made once for all fields of digits. */
  nibbles(end: number): string {
    this.#hex ??= this.bytes.toString('hex').toUpperCase();
    const found = this.#hex.slice(this.at * 2, end * 2);
    this.at = end;
    return found;
  }

  /** The bytes up to `end` as hex in uppercase, and moves behind them. */
  hex(end: number): string {
    const found = this.bytes.toString('hex', this.at, end).toUpperCase();
    this.at = end;
    return found;
  }
}

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * V8 forgets the shape of objects of which none is alive at a garbage collection, and with it the compiled code that reads messages. One that stays
 * alive keeps both.
 */
export const KEPT_READER = new Reader(new Uint8Array());
