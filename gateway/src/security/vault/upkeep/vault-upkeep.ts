import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Store } from '../../../kernel/store/store.js';
import { Reseal } from '../reseal.js';
import type { StoredDataKeys } from '../stored-data-keys.js';

/** The pace of the work on the data keys of the vault. */
export const VAULT_UPKEEP_LIMITS = {
  /** From one batch to the next, in milliseconds. */
  intervalMs: 500,
  /** How long no row must have named a retired data key before it is deleted, in milliseconds: longer than a commit waits for the disk. */
  graceMs: 60_000,
} as const;

/** What {@link VaultUpkeep} works with. */
interface VaultUpkeepDeps {
  readonly keys: StoredDataKeys;
  readonly store: Pick<Store, 'find' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** Age at which the active data key is replaced, in milliseconds. */
  readonly rotateAfterMs: number;
}

/**
 * Brings rotations of the vault's keys to their end, whichever process began them: it takes over new keys, seals old rows anew, deletes data keys that
 * seal nothing. All that it goes on from is in the database.
 */
export class VaultUpkeep {
  readonly #deps: VaultUpkeepDeps;
  readonly #reseals = new Map<string, Reseal>();
  /** Since when no row names a retired key, by the monotonic clock. */
  readonly #emptySinceMs = new Map<string, number>();

  constructor(deps: VaultUpkeepDeps) {
    this.#deps = deps;
  }

  /** One batch at most. @throws VaultError, StoreUnavailableError; errors of the key store */
  async round(): Promise<void> {
    const { keys, clock, rotateAfterMs } = this.#deps;
    await keys.settleKeks();
    if (clock.nowMs() - keys.active.createdAtMs >= rotateAfterMs) await keys.rotate();
    for (const row of keys.retired) {
      const { done } = await this.#resealOf(row.id).step();
      if (!done) {
        this.#emptySinceMs.delete(row.id);
        return;
      }
      const sinceMs = this.#emptySinceMs.get(row.id) ?? clock.monotonicMs();
      this.#emptySinceMs.set(row.id, sinceMs);
      if (clock.monotonicMs() - sinceMs >= VAULT_UPKEEP_LIMITS.graceMs) await this.#forget(row);
    }
  }

  async #forget(row: StoredDataKeys['active']): Promise<void> {
    await this.#deps.keys.forget(row);
    this.#reseals.delete(row.id);
    this.#emptySinceMs.delete(row.id);
  }

  #resealOf(id: string): Reseal {
    const { store, keys } = this.#deps;
    const reseal = this.#reseals.get(id) ?? new Reseal({ store, dataKeys: keys.ring }, id);
    this.#reseals.set(id, reseal);
    return reseal;
  }
}
