import type { UsedKsnRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';

/** The use of a KSN that a request makes. */
export type KsnUse = Pick<UsedKsnRow, 'ksn' | 'serial' | 'counter' | 'sale' | 'data' | 'paymentId'>;

/** What stands about a KSN. */
interface KnownKsn {
  readonly stored: UsedKsnRow | undefined;
  /** Uses of counters up to this one have been forgotten (`devices.forgottenCounter`). */
  readonly forgottenCounter: number;
  /** Uses of counters up to this one may have been forgotten (`devices.unknownCounter`), and a sale of now has none of them. */
  readonly unknownCounter: number;
}

/**
 * The change that takes a KSN for a sale; undefined where it may not be used. A KSN belongs to one sale and to the data that first
 * stood under it; only the offline record of that sale may contain it again. One that comes late and was never used is taken. Pure.
 */
export function decideKsnUse(
  wanted: KsnUse,
  { stored, forgottenCounter, unknownCounter }: KnownKsn,
  isOfflineRecord: boolean,
  nowMs: number,
): Change | undefined {
  const table = 'usedKsns';
  if (!stored) {
    const lowest = isOfflineRecord ? forgottenCounter : Math.max(forgottenCounter, unknownCounter);
    if (wanted.counter !== null && wanted.counter <= lowest) return undefined;
    return { op: 'insert', table, row: { ...wanted, createdAtMs: nowMs, version: 1 } };
  }
  const same = isOfflineRecord && stored.sale === wanted.sale && stored.data === wanted.data;
  return same ? { op: 'update', table, row: { ...stored, paymentId: wanted.paymentId } } : undefined;
}
