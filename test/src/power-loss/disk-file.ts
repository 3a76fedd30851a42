/** Bytes of a file that is written, cut off and copied often: it grows in place. */
export class DiskFile {
  #room: Buffer;
  #size: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#room = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  get size(): number {
    return this.#size;
  }

  /** Its own memory: valid until the next change. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  /** Another file with the same bytes. */
  copy(): DiskFile {
    return new DiskFile(this.bytes);
  }

  write(offset: number, bytes: Buffer): void {
    if (offset + bytes.length > this.#size) this.resize(offset + bytes.length);
    bytes.copy(this.#room, offset);
  }

  /** Cuts off, or goes on with zeros. */
  resize(size: number): void {
    if (size > this.#room.length) {
      const room = Buffer.alloc(2 * size);
      this.#room.copy(room, 0, 0, this.#size);
      this.#room = room;
    }
    // What is cut off must not come back when the file grows again.
    this.#room.fill(0, Math.min(size, this.#size), Math.max(size, this.#size));
    this.#size = size;
  }
}
