import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Fingerprint } from '../security/tokens/fingerprint.js';
import { CommitConflict, type Store } from '../store/store.js';
import { decideUse, type Use, type UseLimit } from './decide-use.js';

/** Lost races in a row before a use is refused. */
const ATTEMPTS = 8;
/** How long a use has to wait that lost so many, in milliseconds. */
const BUSY_MS = 1_000;

/** What {@link RecentUses} works with. */
export interface RecentUsesParts {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly fingerprint: Fingerprint;
}

/** Counts in the database what subjects used lately: the nodes of a gateway count together, and a restart forgets nothing. */
export class RecentUses {
  readonly #parts: RecentUsesParts;
  readonly #kind: string;
  readonly #limit: UseLimit;

  /** @param kind what is counted, so that two kinds of subject never meet */
  constructor(parts: RecentUsesParts, kind: string, limit: UseLimit) {
    this.#parts = parts;
    this.#kind = kind;
    this.#limit = limit;
  }

  /**
   * Counts a use.
   * @param of whose: an address is kept as its fingerprint alone
   * @param what the same within the window is one use; absent: each is one of its own
   * @returns 0 when it may be, else how long to wait, in milliseconds
   * @throws StoreUnavailableError
   */
  async take(of: string, what?: string): Promise<number> {
    const { store, clock, fingerprint } = this.#parts;
    const subject = fingerprint('use', `${this.#kind} ${of}`);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const row = await store.get('recentUses', [subject]);
      const nowMs = clock.nowMs();
      const before = row ? (JSON.parse(row.uses) as readonly Use[]) : [];
      const { waitMs, uses } = decideUse(this.#limit, before, nowMs, what);
      if (!uses) return waitMs;
      const kept = { subject, uses: JSON.stringify(uses), expiresAtMs: nowMs + this.#limit.windowMs };
      try {
        await store.commit([
          row
            ? { op: 'update', table: 'recentUses', row: { ...row, ...kept } }
            : { op: 'insert', table: 'recentUses', row: { ...kept, version: 1 } },
        ]);
        return waitMs;
      } catch (error) {
        // Another use was counted at the same moment.
        if (!(error instanceof CommitConflict)) throw error;
      }
    }
    return BUSY_MS;
  }
}
