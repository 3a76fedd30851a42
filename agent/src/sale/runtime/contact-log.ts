import { type Journal, noSaleRow } from '../../journal/journal.js';
import type { TimeFloor } from '../offline/time-floor.js';
import { CONTACT_ROW, contactRow } from '../records/contact-row.js';

/** Contacts closer together than this share a row: an age of hours needs no more. */
export const CONTACT_ROW_INTERVAL_MS = 10 * 60_000;

/** Journals that the gateway was heard, so that the age of the last contact survives a restart (P6). */
export class ContactLog {
  readonly #journal: Journal;
  readonly #time: TimeFloor;
  #journaledMs = Number.NEGATIVE_INFINITY;

  constructor(journal: Journal, time: TimeFloor) {
    this.#journal = journal;
    this.#time = time;
  }

  /**
   * A time was heard from the gateway, milliseconds since 1970. Journaled at once where a restart has to know it: a correction, and
   * a clock that is behind.
   */
  heard(gatewayMs: number): void {
    const corrected = this.#time.heard(gatewayMs);
    const nowMs = this.#time.nowMs();
    const kept = this.#time.kept();
    if (corrected || this.#time.isBehind()) this.#journaledMs = Number.NEGATIVE_INFINITY;
    if (!kept || this.#journal.state.kind !== 'ready') return;
    if (nowMs - this.#journaledMs < CONTACT_ROW_INTERVAL_MS) return;
    this.#journaledMs = nowMs;
    const rows = [noSaleRow(CONTACT_ROW, contactRow(kept))];
    this.#journal.append({ atMs: this.#time.wallMs(), rows }).catch(() => {
      // The next contact tries again; what is lost is at most an age that looks older than it is.
      this.#journaledMs = Number.NEGATIVE_INFINITY;
    });
  }
}
