import { MAX_INPUT_BYTES } from './mutate.js';

const COUNT = 0;
const TARGET = 1;
const LENGTH = 2;
const HEAD_WORDS = 3;

/** The input that a worker runs at this moment, in memory that its owner can read also while the worker never comes back. */
export class CurrentInput {
  readonly buffer: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(buffer = new SharedArrayBuffer(HEAD_WORDS * 4 + MAX_INPUT_BYTES)) {
    this.buffer = buffer;
    this.#head = new Int32Array(buffer, 0, HEAD_WORDS);
    this.#bytes = new Uint8Array(buffer, HEAD_WORDS * 4);
  }

  /** Notes an input, before it runs. */
  note(target: number, input: Uint8Array): void {
    this.#bytes.set(input);
    this.#head[TARGET] = target;
    this.#head[LENGTH] = input.length;
    Atomics.add(this.#head, COUNT, 1);
  }

  /** How many inputs were noted; wraps around. */
  count(): number {
    return Atomics.load(this.#head, COUNT);
  }

  /** The input that was noted last. */
  last(): { readonly target: number; readonly input: Buffer } {
    return {
      target: this.#head[TARGET] ?? 0,
      input: Buffer.from(this.#bytes.slice(0, this.#head[LENGTH] ?? 0)),
    };
  }
}
