import { hash } from 'node:crypto';

/** No state: the parent of the first one. */
export const NONE = 0xffff_ffff;

/** Numbers in a list that grows, four bytes each. */
export class NumberList {
  #values = new Uint32Array(1_024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#values[index] ?? NONE;
  }

  get bytes(): number {
    return this.#values.byteLength;
  }
}

/**
 * The states that were visited, as 64 bits of the SHA-1 of their keys (hash compaction): two states may be taken for one, with a probability of at
 * most {@link collisionBound}. Each has a number, in the order of its first visit, its parent and the action that led from there.
 */
export class VisitedStates {
  readonly #high = new NumberList();
  readonly #low = new NumberList();
  readonly #parents = new NumberList();
  readonly #actions = new NumberList();
  /** Open addressing: number of a state plus one, 0 where free. */
  #table = new Uint32Array(1 << 16);

  get size(): number {
    return this.#high.length;
  }

  get bytes(): number {
    const lists = [this.#high, this.#low, this.#parents, this.#actions];
    return this.#table.byteLength + lists.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The number of the state of a key, and whether this is its first visit. */
  visit(key: string, parent: number, action: number): { readonly number: number; readonly isNew: boolean } {
    // A text of bytes takes a quarter of the time of a buffer.
    const digest = hash('sha1', key, 'binary');
    const high = wordAt(digest, 0);
    const low = wordAt(digest, 4);
    let place = this.#placeOf(high, low);
    const known = this.#table[place] ?? 0;
    if (known > 0) return { number: known - 1, isNew: false };
    if (this.size * 2 >= this.#table.length) {
      this.#grow();
      place = this.#placeOf(high, low);
    }
    this.#high.push(high);
    this.#low.push(low);
    this.#parents.push(parent);
    this.#actions.push(action);
    this.#table[place] = this.size;
    return { number: this.size - 1, isNew: true };
  }

  /** Places of the actions that lead from the first state to this one, among the actions of each state on the way. */
  pathTo(state: number): number[] {
    const path: number[] = [];
    for (let at = state; this.#parents.at(at) !== NONE; at = this.#parents.at(at))
      path.push(this.#actions.at(at));
    return path.reverse();
  }

  #placeOf(high: number, low: number): number {
    const mask = this.#table.length - 1;
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const known = this.#table[place] ?? 0;
      if (known === 0 || (this.#low.at(known - 1) === low && this.#high.at(known - 1) === high)) return place;
    }
  }

  #grow(): void {
    const states = this.size;
    this.#table = new Uint32Array(this.#table.length * 2);
    for (let state = 0; state < states; state += 1)
      this.#table[this.#placeOf(this.#high.at(state), this.#low.at(state))] = state + 1;
  }
}

/** Four bytes of a text of bytes, as a number. */
function wordAt(bytes: string, at: number): number {
  let word = 0;
  for (let place = 3; place >= 0; place -= 1) word = (word << 8) | bytes.charCodeAt(at + place);
  return word >>> 0;
}

/** How probable it is at most that two of so many states were taken for one: pairs by 2^64. */
export function collisionBound(states: number): number {
  return (states * (states - 1)) / 2 / 2 ** 64;
}
