/** Most bytes of one input: the limits of parsers are far above and below; what matters happens in small inputs. */
export const MAX_INPUT_BYTES = 8_192;
/** Most changes of one input. */
const MAX_CHANGES = 6;
/** Bytes at which parsers tend to turn: zero, one, sign and length markers, digits, separators, controls of the terminal links. */
const TURNING_BYTES = [
  0x00, 0x01, 0x7f, 0x80, 0x81, 0x82, 0x84, 0xff, 0x1f, 0x30, 0x39, 0x41, 0x13, 0x16, 0x17, 0x25, 0x26, 0x3d,
  0x5b,
];

/** A source of numbers that gives the same ones for the same seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to, not with, `below` (mulberry32). */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}

type Change = (random: SeededRandom, input: Buffer, corpus: readonly Uint8Array[]) => Buffer;

const at = (random: SeededRandom, input: Buffer): number => random.below(input.length + 1);

const CHANGES: readonly Change[] = [
  function flipBit(random, input) {
    if (input.length === 0) return input;
    const index = random.below(input.length);
    input[index] = (input[index] ?? 0) ^ (1 << random.below(8));
    return input;
  },
  function setByte(random, input) {
    if (input.length === 0) return input;
    input[random.below(input.length)] =
      random.below(2) === 0 ? random.pick(TURNING_BYTES) : random.below(256);
    return input;
  },
  function insert(random, input) {
    const place = at(random, input);
    const extra = Buffer.from(Array.from({ length: 1 + random.below(4) }, () => random.pick(TURNING_BYTES)));
    return Buffer.concat([input.subarray(0, place), extra, input.subarray(place)]);
  },
  function remove(random, input) {
    const from = at(random, input);
    return Buffer.concat([input.subarray(0, from), input.subarray(from + 1 + random.below(8))]);
  },
  function cut(random, input) {
    return input.subarray(0, at(random, input));
  },
  function repeat(random, input) {
    const from = at(random, input);
    const part = input.subarray(from, from + 1 + random.below(32));
    const times = 1 + random.below(random.below(8) === 0 ? 200 : 4);
    return Buffer.concat([
      input.subarray(0, from),
      ...Array.from({ length: times }, () => part),
      input.subarray(from),
    ]);
  },
  function splice(random, input, corpus) {
    const other = Buffer.from(random.pick(corpus));
    return Buffer.concat([input.subarray(0, at(random, input)), other.subarray(at(random, other))]);
  },
];

/** A changed copy of one of the corpus; the same random source gives the same inputs. */
export function mutate(random: SeededRandom, corpus: readonly Uint8Array[]): Buffer {
  let input: Buffer = Buffer.from(random.pick(corpus));
  const changes = 1 + random.below(MAX_CHANGES);
  for (let i = 0; i < changes; i += 1) {
    input = Buffer.from(random.pick(CHANGES)(random, input, corpus).subarray(0, MAX_INPUT_BYTES));
  }
  return input;
}
