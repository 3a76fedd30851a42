import { NumberList } from './visited.js';

/** Steps between states, kept as they are found. */
export class Edges {
  readonly #from = new NumberList();
  readonly #to = new NumberList();

  add(from: number, to: number): void {
    if (from === to) return;
    this.#from.push(from);
    this.#to.push(to);
  }

  get bytes(): number {
    return this.#from.bytes + this.#to.bytes;
  }

  /** For each state whether a goal can be reached from it (backward closure). `goals`: 1 for each state that is one; it is filled up. */
  reaching(goals: Uint8Array): Uint8Array {
    const { starts, sources } = this.#byTarget(goals.length);
    const waiting = new NumberList();
    for (let state = 0; state < goals.length; state += 1) if (goals[state]) waiting.push(state);
    for (let next = 0; next < waiting.length; next += 1) {
      const target = waiting.at(next);
      for (let at = starts[target] ?? 0; at < (starts[target + 1] ?? 0); at += 1) {
        const source = sources[at] ?? 0;
        if (goals[source]) continue;
        goals[source] = 1;
        waiting.push(source);
      }
    }
    return goals;
  }

  /** For each state whether a step leaves it: 1, else 0. */
  leaving(states: number): Uint8Array {
    const leaving = new Uint8Array(states);
    for (let at = 0; at < this.#from.length; at += 1) leaving[this.#from.at(at)] = 1;
    return leaving;
  }

  /** The sources of all steps, those to the same state together. */
  #byTarget(states: number): { readonly starts: Uint32Array; readonly sources: Uint32Array } {
    const starts = new Uint32Array(states + 2);
    const edges = this.#from.length;
    for (let at = 0; at < edges; at += 1) {
      const place = this.#to.at(at) + 2;
      starts[place] = (starts[place] ?? 0) + 1;
    }
    for (let place = 1; place < starts.length; place += 1)
      starts[place] = (starts[place] ?? 0) + (starts[place - 1] ?? 0);
    const sources = new Uint32Array(edges);
    for (let at = 0; at < edges; at += 1) {
      const target = this.#to.at(at) + 1;
      const place = starts[target] ?? 0;
      sources[place] = this.#from.at(at);
      starts[target] = place + 1;
    }
    return { starts, sources };
  }
}
