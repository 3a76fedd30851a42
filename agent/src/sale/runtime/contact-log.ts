import { type Journal, noSaleRow } from '../../journal/journal.js';
import type { TimeFloor } from '../offline/time-floor.js';
import { CONTACT_ROW, contactRow } from '../records/contact-row.js';

/** Contacts closer together than this share a row: an age of hours needs no more. */
const CONTACT_ROW_INTERVAL_MS = 10 * 60_000;

/** The same while the clock is behind: a restart sees it only by the time in the row. */
const BEHIND_ROW_INTERVAL_MS = 10_000;

/** Journals what a restart needs of the time: the last contact with the gateway, and the lowest possible time (P6). */
export class ContactLog {
  readonly #journal: Pick<Journal, 'state' | 'append'>;
  readonly #time: TimeFloor;
  #journaledMs: number;

  /** @param journaledMs when an instance of the same process journaled last; none: the process starts */
  constructor(
    journal: Pick<Journal, 'state' | 'append'>,
    time: TimeFloor,
    journaledMs = Number.NEGATIVE_INFINITY,
  ) {
    this.#journal = journal;
    this.#time = time;
    this.#journaledMs = journaledMs;
  }

  /** When this process journaled last, by the highest time. */
  get journaledMs(): number {
    return this.#journaledMs;
  }

  /**
   * Takes a time received from the gateway, milliseconds since 1970. Journaled at once where a restart needs it: a correction, and
   * a clock that is behind.
   */
  noteGatewayTime(gatewayMs: number): void {
    const corrected = this.#time.noteGatewayTime(gatewayMs);
    const isNews = corrected || this.#time.isBehind();
    this.#keep(isNews ? Number.NEGATIVE_INFINITY : CONTACT_ROW_INTERVAL_MS);
  }

  /** Rows were journaled: where the clock is behind, their stamps do not show how late it is. */
  journaled(): void {
    if (this.#time.isBehind()) this.#keep(BEHIND_ROW_INTERVAL_MS);
  }

  #keep(intervalMs: number): void {
    const nowMs = this.#time.nowMs();
    const kept = this.#time.kept();
    if (!kept || this.#journal.state.kind !== 'ready') return;
    if (nowMs - this.#journaledMs < intervalMs) return;
    this.#journaledMs = nowMs;
    const rows = [noSaleRow(CONTACT_ROW, contactRow(kept))];
    this.#journal.append({ atMs: this.#time.wallMs(), rows }).catch(() => {
      // The next one tries again; what is lost is at most an age that looks older than it is, or how late it was.
      this.#journaledMs = Number.NEGATIVE_INFINITY;
    });
  }
}
