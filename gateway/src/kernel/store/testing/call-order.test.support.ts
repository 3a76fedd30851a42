import type { Rows, TableName } from '../rows.js';
import type { Change, CountedRange, FindOptions, Found, Key, Range, Store } from '../store.js';

/** Which of so many waiting calls goes on; the first is 0. */
export type Choose = (waiting: number) => number;

/** CallOrder of the event loop without a new call after which all that runs is taken to wait for something else. */
const QUIET_TURNS = 40;

/**
 * The order of the calls to a store by work that runs at once: each call waits for its turn, and one goes on at a time. Outside of `run` no call
 * waits.
 */
export class CallOrder {
  readonly #choose: Choose;
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return this.#isRunning ? new Promise((go) => this.#waiting.push(go)) : Promise.resolve();
  }

  /** Carries out all work to its end. @throws what one of it throws */
  async run<T>(work: readonly (() => Promise<T>)[]): Promise<T[]> {
    this.#isRunning = true;
    let left = work.length;
    const all = work.map((each) =>
      each().finally(() => {
        left -= 1;
      }),
    );
    const ends = Promise.allSettled(all);
    while (left > 0) {
      await this.#arrived(() => left === 0);
      if (left === 0) break;
      const [go] = this.#waiting.splice(this.#choose(this.#waiting.length), 1);
      go?.();
      await turn();
    }
    // What no result waits for goes on as it likes.
    this.#isRunning = false;
    for (const go of this.#waiting.splice(0)) go();
    await ends;
    return Promise.all(all);
  }

  async #arrived(isOver: () => boolean): Promise<void> {
    for (let quiet = 0; this.#waiting.length === 0 && !isOver(); quiet += 1) {
      if (quiet > 1_000 * QUIET_TURNS) throw new Error('all work waits, and none for a turn');
      await turn();
    }
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A store as one of those who work at once has it: its calls take turns with those of the others. */
export class OrderedStore implements Store {
  readonly #store: Store;
  readonly #order: CallOrder;
  /** Runs when a commit is stored, before its caller learns of it. */
  onCommit: (changes: readonly Change[]) => void = () => undefined;

  constructor(store: Store, order: CallOrder) {
    this.#store = store;
    this.#order = order;
  }

  async commit(changes: readonly Change[]): Promise<void> {
    await this.#order.next();
    await this.#store.commit(changes);
    this.onCommit(changes);
  }

  async get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined> {
    await this.#order.next();
    return this.#store.get(table, key);
  }

  async find<T extends TableName>(table: T, index: string, values: Key, options?: FindOptions): Found<T> {
    await this.#order.next();
    return this.#store.find(table, index, values, options);
  }

  async findRange<T extends TableName>(table: T, index: string, range: Range<T>): Found<T> {
    await this.#order.next();
    return this.#store.findRange(table, index, range);
  }

  async countRange<T extends TableName>(table: T, index: string, range: CountedRange<T>): Promise<number> {
    await this.#order.next();
    return this.#store.countRange(table, index, range);
  }

  async findAfter<T extends TableName>(table: T, after: Key | undefined, options?: FindOptions): Found<T> {
    await this.#order.next();
    return this.#store.findAfter(table, after, options);
  }

  async check(): Promise<void> {
    return this.#store.check();
  }

  async close(): Promise<void> {
    return this.#store.close();
  }
}

/**
 * Lets a story happen in every order of its calls, each once. What a story decides may depend on nothing but that order.
 * @returns how many orders there are
 */
export async function everyOrder(story: (order: CallOrder) => Promise<void>): Promise<number> {
  const path: { choice: number; of: number }[] = [];
  for (let orders = 1; ; orders += 1) {
    let at = 0;
    const choose: Choose = (of) => {
      const step = path[at] ?? { choice: 0, of };
      if (step.of !== of) throw new Error(`step ${at} had ${step.of} calls to choose from, and now ${of}`);
      path[at] = step;
      at += 1;
      return step.choice;
    };
    try {
      await story(new CallOrder(choose));
    } catch (error) {
      throw new Error(`in the order ${path.slice(0, at).map(({ choice }) => choice)}`, { cause: error });
    }
    while (path.length > 0 && (path.at(-1)?.choice ?? 0) + 1 >= (path.at(-1)?.of ?? 0)) path.pop();
    const last = path.at(-1);
    if (!last) return orders;
    last.choice += 1;
  }
}

/** An order that follows generated numbers. */
export function orderOf(numbers: readonly number[]): Choose {
  let at = 0;
  return (waiting) => (numbers[at++ % Math.max(1, numbers.length)] ?? 0) % waiting;
}
