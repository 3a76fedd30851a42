/** Takes bytes from the front; every method throws when they are not what must come. */
export class ByteCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** The next byte, which stays. */
  get next(): number {
    return this.#bytes[this.#at] ?? -1;
  }

  byte(what: string): number {
    return this.bytes(what, 1).readUInt8();
  }

  bytes(what: string, count: number): Buffer {
    if (count > this.left) throw new Error(`${what}: ${count} bytes are due and ${this.left} are left`);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  rest(): Buffer {
    return this.bytes('rest', this.left);
  }

  expect(what: string, ...wanted: readonly number[]): void {
    const found = this.bytes(what, wanted.length);
    if (!found.equals(Buffer.from(wanted))) throw new Error(`${what} is ${found.toString('hex')}`);
  }
}

/** Throws unless a condition of the protocol holds. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** Two bytes as four hex digits. */
export function hex4(high: number, low: number): string {
  return ((high << 8) | low).toString(16).toUpperCase().padStart(4, '0');
}
