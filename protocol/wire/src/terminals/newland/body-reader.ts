import { TerminalFormatError } from '../format-error.js';

/** Reads a body from its beginning; numbers are big-endian. Every method throws TerminalFormatError when bytes are missing. */
export class BodyReader {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Uint8Array) {
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.length);
  }

  get left(): number {
    return this.#body.length - this.#at;
  }

  bytes(field: string, count: number): Buffer {
    if (count > this.left) {
      throw new TerminalFormatError(field, `needs ${count} bytes where ${this.left} are left`);
    }
    this.#at += count;
    return this.#body.subarray(this.#at - count, this.#at);
  }

  byte(field: string): number {
    return this.bytes(field, 1).readUInt8();
  }

  uint16(field: string): number {
    return this.bytes(field, 2).readUInt16BE();
  }

  uint32(field: string): number {
    return this.bytes(field, 4).readUInt32BE();
  }

  /** Two's complement. */
  int32(field: string): number {
    return this.bytes(field, 4).readInt32BE();
  }

  text(field: string, count: number): string {
    return this.bytes(field, count).toString('latin1');
  }

  /** Characters up to a separator, which is taken as well. */
  until(field: string, separator: number): string {
    const end = this.#body.indexOf(separator, this.#at);
    if (end < 0) throw new TerminalFormatError(field, 'has no end');
    const text = this.text(field, end - this.#at);
    this.#at += 1;
    return text;
  }

  /** A length of two bytes and as many bytes. */
  counted(field: string): Buffer {
    return this.bytes(field, this.uint16(`length of ${field}`));
  }

  rest(): Buffer {
    return this.bytes('rest', this.left);
  }

  /** @throws TerminalFormatError when bytes are left */
  end(): void {
    if (this.left > 0) throw new TerminalFormatError('body', `has ${this.left} bytes too many`);
  }
}

/** Two bytes, big-endian. */
export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** Four bytes, big-endian. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Four bytes, big-endian, two's complement. */
export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** A length of two bytes and the bytes. */
export function counted(bytes: Uint8Array): Buffer {
  return Buffer.concat([uint16(bytes.length), bytes]);
}
