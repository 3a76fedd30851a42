import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { findAll } from '../../../kernel/store/all-rows.js';
import type { VaultRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../../kernel/store/store.js';
import { decideVaultRetention } from './decide-vault-retention.js';

/** Bounds of one sweep of the vault: what is left waits for the next. */
export const VAULT_RETENTION_LIMITS = {
  /** Rows that are read at once. */
  batch: 200,
  /** Batches of one sweep. */
  batches: 200,
} as const;

/** What {@link sweepVault} works with. */
interface VaultRetentionDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** How long card data is kept after its last use, in milliseconds. */
  readonly keepMs: number;
}

/**
 * Deletes card data that nothing needs any more, the longest overdue first. The payments that had it stay, without it.
 * @returns how many rows went
 * @throws StoreUnavailableError
 */
export async function sweepVault(deps: VaultRetentionDeps): Promise<number> {
  const { batch, batches } = VAULT_RETENTION_LIMITS;
  const nowMs = deps.clock.nowMs();
  let gone = 0;
  for (let turn = 0; turn < batches; turn += 1) {
    const rows = await deps.store.findRange('vault', 'due', { below: nowMs + 1, limit: batch });
    for (const row of rows) if (await applyRule(deps, row, nowMs)) gone += 1;
    if (rows.length < batch) break;
  }
  return gone;
}

/** Returns whether the row went. */
async function applyRule(
  { store, keepMs }: VaultRetentionDeps,
  row: VaultRow,
  nowMs: number,
): Promise<boolean> {
  const payments = await findAll(store, 'payments', 'vault', [row.id]);
  const intent = await store.get('intents', [row.intentId]);
  const schedules = await findAll(store, 'schedules', 'card', [row.id]);
  const isScheduled = schedules.some(({ dueAtMs }) => dueAtMs !== null);
  const verdict = decideVaultRetention({ row, payments, isScheduled, intent, nowMs, keepMs });
  const changes: readonly Change[] =
    verdict === 'delete'
      ? [
          ...payments.map(
            (payment): Change => ({ op: 'update', table: 'payments', row: { ...payment, vaultId: null } }),
          ),
          { op: 'delete', table: 'vault', key: [row.id], version: row.version },
        ]
      : [{ op: 'update', table: 'vault', row: { ...row, dueAtMs: verdict.keepUntilMs } }];
  try {
    await store.commit(changes);
    return verdict === 'delete';
  } catch (error) {
    // It has just been used: the next sweep decides anew.
    if (error instanceof CommitConflict) return false;
    throw error;
  }
}
