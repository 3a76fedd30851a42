import { createHash } from 'node:crypto';
import type { Random } from '@tillbridge/wire/seams/random.js';

/**
 * Chance out of a seed (sfc32): the same seed gives the same draws. Parts of a simulation draw from separate branches, so
 * that a draw more in one leaves the others as they were.
 */
export class SeededRandom implements Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#seed = seed;
    const digest = createHash('sha256').update(seed).digest();
    [this.#a, this.#b, this.#c] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8)];
    for (let turn = 0; turn < 12; turn += 1) this.next();
  }

  /** Another generator, that depends on only the seed and the name. */
  branch(name: string): SeededRandom {
    return new SeededRandom(`${this.#seed}/${name}`);
  }

  /** 0 to 1, 1 excluded. */
  next(): number {
    return this.#next32() / 0x1_0000_0000;
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += 4) {
      const word = this.#next32();
      for (let shift = 0; shift < 4 && at + shift < length; shift += 1)
        bytes[at + shift] = (word >>> (8 * shift)) & 0xff;
    }
    return bytes;
  }

  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.next() * from.length)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }

  /** One of the names, each as likely as its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    throw new RangeError('no weights');
  }

  #next32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + sum) | 0;
    return sum >>> 0;
  }
}
