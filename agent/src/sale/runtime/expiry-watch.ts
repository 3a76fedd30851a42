import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { QueueItem } from '../../journal/forward-queue.js';
import type { RecordAges } from '../offline/record-ages.js';

/** What the watch looks at. */
interface ExpiryPorts {
  readonly clock: Clock;
  readonly ages: RecordAges;
  /** Age at which a waiting offline record is too old. */
  expiryMs(): number;
  items(): readonly QueueItem[];
  /** The record of this sale is too old. Rejects when that could not be noted. */
  expired(reference: string): Promise<void>;
}

/**
 * Reports when an offline record has waited too long, also while there is no link. Only time that is sure counts: neither a wall clock
 * that jumped ahead nor a gateway whose clock is wrong may expire a record (P6). One timer, for the record that is due next.
 */
export class ExpiryWatch {
  readonly #ports: ExpiryPorts;
  readonly #reported = new Set<string>();
  #timer: Timer | undefined;

  constructor(ports: ExpiryPorts) {
    this.#ports = ports;
  }

  /** The journal was read: what waits now is of an earlier process. */
  booted(): void {
    this.#ports.ages.booted(this.#waiting());
  }

  /** Whether the item is an offline record that has waited too long. */
  isExpired(item: QueueItem): boolean {
    return item.kind === 'offlineRecord' && this.#leftMs(item) <= 0;
  }

  /** Looks at what waits now, and sets the timer for what is due next. */
  look(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const waiting = this.#waiting();
    this.#ports.ages.keep(waiting);
    for (const messageId of [...this.#reported]) {
      if (!waiting.some((item) => item.messageId === messageId)) this.#reported.delete(messageId);
    }
    const fresh = waiting.filter((item) => !this.#reported.has(item.messageId));
    const due = fresh.filter((item) => this.isExpired(item));
    const later = fresh.filter((item) => !this.isExpired(item)).map((item) => this.#leftMs(item));
    // Set before the listeners are called: a listener may lead back here.
    const nextMs = Math.min(...later);
    if (Number.isFinite(nextMs)) this.#timer = this.#ports.clock.setTimer(nextMs, () => this.look());
    for (const { messageId, reference } of due) {
      this.#reported.add(messageId);
      // Not journaled: the next check reports it again, and the message is not sent without the row either.
      this.#ports.expired(reference).catch(() => this.#reported.delete(messageId));
    }
  }

  /** Looks no more. */
  close(): void {
    this.#timer?.cancel();
  }

  #waiting(): readonly QueueItem[] {
    return this.#ports.items().filter((item) => item.kind === 'offlineRecord' && item.state === 'waiting');
  }

  #leftMs(item: QueueItem): number {
    return this.#ports.expiryMs() - this.#ports.ages.sureMs(item);
  }
}
