import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import type { RecentUsesRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { Fingerprint } from '../tokens/fingerprint.js';
import { decideUse, type Use, type UseLimit } from './decide-use.js';

/** What {@link RecentUses} works with. */
export interface RecentUsesDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly fingerprint: Fingerprint;
}

/** Counts in the database what subjects used lately: the nodes of a gateway count together, and a restart forgets nothing. */
export class RecentUses {
  readonly #deps: RecentUsesDeps;
  readonly #kind: string;
  readonly #limit: UseLimit;

  /** @param kind what is counted, so that two kinds of subject never meet */
  constructor(deps: RecentUsesDeps, kind: string, limit: UseLimit) {
    this.#deps = deps;
    this.#kind = kind;
    this.#limit = limit;
  }

  /**
   * Counts a use.
   * @param of whose: an address is kept as its fingerprint alone
   * @param what the same within the window is one use; absent: each is one of its own
   * @returns 0 when it may be, else how long to wait, in milliseconds
   * @throws CommitConflict when every race was lost, StoreUnavailableError
   */
  take(of: string, what?: string): Promise<number> {
    return this.#change(of, (before, nowMs) => {
      const verdict = decideUse(this.#limit, before, nowMs, what);
      return { ...verdict, result: verdict.waitMs };
    });
  }

  /** Whether the next use would have to wait. @throws StoreUnavailableError */
  async isSpent(of: string): Promise<boolean> {
    const row = await this.#deps.store.get('recentUses', [this.#subject(of)]);
    return decideUse(this.#limit, usesOf(row), this.#deps.clock.nowMs()).waitMs > 0;
  }

  /** Counts none of the uses so far any more. @throws StoreUnavailableError */
  async forget(of: string): Promise<void> {
    await this.#change(of, (before) => ({ result: undefined, ...(before.length > 0 && { uses: [] }) }));
  }

  /** Changes the uses of a subject, unless they stay. */
  #change<T>(
    of: string,
    decide: (before: readonly Use[], nowMs: number) => { readonly uses?: readonly Use[]; readonly result: T },
  ): Promise<T> {
    const { store, clock } = this.#deps;
    const subject = this.#subject(of);
    const round = async (): Promise<T> => {
      const row = await store.get('recentUses', [subject]);
      const nowMs = clock.nowMs();
      const { uses, result } = decide(usesOf(row), nowMs);
      if (!uses) return result;
      const kept = { subject, uses: JSON.stringify(uses), expiresAtMs: nowMs + this.#limit.windowMs };
      await store.commit([
        row
          ? { op: 'update', table: 'recentUses', row: { ...row, ...kept } }
          : { op: 'insert', table: 'recentUses', row: { ...kept, version: 1 } },
      ]);
      return result;
    };
    return decideAgain(this.#deps, round, { key: `recentUses/${subject}` });
  }

  #subject(of: string): string {
    return this.#deps.fingerprint('use', `${this.#kind} ${of}`);
  }
}

function usesOf(row: RecentUsesRow | undefined): readonly Use[] {
  return row ? (JSON.parse(row.uses) as readonly Use[]) : [];
}
