import { CommitConflict, type Store } from '../store/store.js';

/** The home belongs to the other mode; the message holds the remedy. Exit code 2. */
export class HomeModeError extends Error {
  override readonly name = 'HomeModeError';
}

/**
 * Records the mode of a database, or checks that it is this one: a database of test mode is never used live, nor the other way round.
 * A fresh database gets its id with it.
 * @throws HomeModeError, StoreUnavailableError
 */
export async function claimMode(store: Store, mode: 'test' | 'live', freshId: string): Promise<void> {
  try {
    const stored = await store.get('settings', ['mode']);
    if (!stored) {
      await store.commit([
        { op: 'insert', table: 'settings', row: { name: 'mode', value: mode, version: 1 } },
        { op: 'insert', table: 'settings', row: { name: 'database', value: freshId, version: 1 } },
      ]);
    } else if (stored.value !== mode) {
      throw new HomeModeError(
        `this home was used in mode ${stored.value} and cannot be used in mode ${mode}: each mode has a database, keys and tokens of its own, so choose another home with GATEWAY_HOME`,
      );
    }
  } catch (error) {
    // Another process recorded its mode first: that one counts.
    if (error instanceof CommitConflict) return claimMode(store, mode, freshId);
    throw error;
  }
}
