import { CommitConflict, type Store } from '../../store/store.js';
import { IDEMPOTENCY_RETENTION_MS } from './decide.js';

/** Bounds of one sweep: what is left waits for the next. */
export const SWEEP_LIMITS = {
  /** Keys of one commit: small enough to hold up no payment behind it. */
  batch: 200,
  /** Commits of one sweep. */
  batches: 50,
  /** From one sweep to the next, in milliseconds. */
  intervalMs: 600_000,
} as const;

/**
 * Deletes the keys that stand for no request any more, the oldest first, so many at most.
 * @returns how many
 * @throws StoreUnavailableError
 */
export async function sweepIdempotencyKeys(store: Store, nowMs: number): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < SWEEP_LIMITS.batches; batch += 1) {
    const found = await deleteBatch(store, nowMs - IDEMPOTENCY_RETENTION_MS);
    deleted += found;
    if (found < SWEEP_LIMITS.batch) break;
  }
  return deleted;
}

async function deleteBatch(store: Store, keptSinceMs: number): Promise<number> {
  // A key has run out when it is exactly so old (decide.ts).
  const options = { limit: SWEEP_LIMITS.batch };
  const rows = await store.findBelow('idempotency', 'age', keptSinceMs + 1, options);
  if (rows.length === 0) return 0;
  const gone = rows.map(({ entityId, idempotencyKey, version }) => ({
    op: 'delete' as const,
    table: 'idempotency' as const,
    key: [entityId, idempotencyKey],
    version,
  }));
  try {
    await store.commit(gone);
    return rows.length;
  } catch (error) {
    // One of them was just renewed by its merchant: the next sweep finds the others.
    if (error instanceof CommitConflict) return 0;
    throw error;
  }
}
