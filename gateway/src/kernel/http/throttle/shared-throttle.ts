import type { Random } from '@tillbridge/wire/seams/random.js';
import { newId } from '../../store/new-id.js';
import type { Signal, Signals } from '../../store/signals/signals.js';
import {
  type LocalThrottle,
  THROTTLED_OPERATIONS,
  type Throttle,
  type ThrottledOperation,
} from './throttle.js';

/** How often a node sends the others the counts of what it has let pass, in milliseconds: so late it gets theirs. */
export const SHARE_INTERVAL_MS = 100;

/** What was let pass: the node, the class, the merchant, how many. */
const COUNT_KEY = /^([0-9a-f]{32}) ([A-Za-z]+) ([0-9a-f]{32}) ([1-9][0-9]{0,6})$/;

/**
 * Counts requests of several nodes as one. Each counts in its own memory and takes what the others have let pass out of its buckets, down to
 * below zero: what nodes let pass too much before they knew of each other is saved afterwards. No request waits for another node. Where a
 * signal is lost, nodes let more pass, and never less.
 */
export class SharedThrottle implements Throttle {
  readonly #own: LocalThrottle;
  readonly #signals: Pick<Signals, 'send' | 'listen'>;
  readonly #node: string;
  /** By class and merchant, since they were last announced. */
  readonly #passed = new Map<string, number>();

  constructor(own: LocalThrottle, signals: Pick<Signals, 'send' | 'listen'>, random: Random) {
    this.#own = own;
    this.#signals = signals;
    this.#node = newId(random);
    signals.listen((received) => {
      for (const signal of received) this.#receive(signal);
    });
  }

  async take(merchantId: string, operation: ThrottledOperation): Promise<number> {
    const waitMs = await this.#own.take(merchantId, operation);
    const key = `${operation} ${merchantId}`;
    if (waitMs === 0) this.#passed.set(key, (this.#passed.get(key) ?? 0) + 1);
    return waitMs;
  }

  wait(merchantId: string, operation: ThrottledOperation): Promise<number> {
    return this.#own.wait(merchantId, operation);
  }

  /** Sends the other nodes the counts of what has passed since the last time. */
  share(): void {
    for (const [key, count] of this.#passed)
      this.#signals.send({ topic: 'throttle', key: `${this.#node} ${key} ${count}` });
    this.#passed.clear();
  }

  #receive({ topic, key }: Signal): void {
    const [, node, operation = '', merchantId = '', count] =
      (topic === 'throttle' && COUNT_KEY.exec(key)) || [];
    if (node === undefined || node === this.#node || !isOperation(operation)) return;
    this.#own.spend(merchantId, operation, Number(count));
  }
}

function isOperation(text: string): text is ThrottledOperation {
  return (THROTTLED_OPERATIONS as readonly string[]).includes(text);
}
