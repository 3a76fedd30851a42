import { unlessConflict } from '../../kernel/store/decide-again.js';
import type { Change, Store } from '../../kernel/store/store.js';

/** Bounds of one round: what is left waits for the next. */
export const TRIM_LIMITS = {
  /** Rows of one commit: small enough to hold up no payment behind it. */
  batch: 200,
  /** Commits of one round. */
  batches: 50,
  /** From one round to the next, in milliseconds. */
  intervalMs: 30_000,
} as const;

/** Deletes the oldest requests where there are more than `maxRows`; returns how many went. @throws StoreUnavailableError */
export async function trimRequests(
  store: Pick<Store, 'findRange' | 'commit'>,
  maxRows: number,
): Promise<number> {
  const [first] = await store.findRange('requestLog', 'age', { descending: true, skip: maxRows, limit: 1 });
  if (!first) return 0;
  const range = { below: first.createdAtMs + 1, limit: TRIM_LIMITS.batch };
  let gone = 0;
  for (let batch = 0; batch < TRIM_LIMITS.batches; batch += 1) {
    const rows = await store.findRange('requestLog', 'age', range);
    const changes = rows.map(
      ({ id, version }): Change => ({ op: 'delete', table: 'requestLog', key: [id], version }),
    );
    // Another node may delete the same.
    if (rows.length > 0) gone += await unlessConflict(() => store.commit(changes).then(() => rows.length), 0);
    if (rows.length < TRIM_LIMITS.batch) break;
  }
  return gone;
}
