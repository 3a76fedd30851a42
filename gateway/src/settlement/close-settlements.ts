import { findAll } from '../store/all-rows.js';
import type { SettlementRecordRow, SettlementRow } from '../store/rows.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';
import type { FeeType } from './decide/fees.js';
import { recordOfFee, withRecord } from './decide/record.js';
import { type AccountParts, SettlementAccounts } from './settlement-accounts.js';

/** What settlements are closed with. */
export interface CloseParts extends AccountParts {
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
}

/**
 * Closes the open settlements, each with the fees for its operations in one commit.
 * @param source of those that are closed; absent: of all
 * @returns those that were closed
 * @throws StoreUnavailableError
 */
export async function closeSettlements(
  parts: CloseParts,
  source?: SettlementRow['source'],
): Promise<readonly SettlementRow[]> {
  const accounts = new SettlementAccounts(parts);
  const closed: SettlementRow[] = [];
  for (const open of await findAll(parts.store, 'settlements', 'state', ['open'])) {
    const account = await accounts.of(open.entityId);
    if (!account || (source !== undefined && open.source !== source)) continue;
    const records: SettlementRecordRow[] = [];
    let settlement = open;
    const counted = JSON.parse(open.operations) as Readonly<Partial<Record<FeeType, number>>>;
    for (const [type, count = 0] of Object.entries(counted) as [FeeType, number | undefined][]) {
      const feeMinor = count * account.fees.perOperation[type];
      if (feeMinor === 0) continue;
      const record = recordOfFee(settlement, type, feeMinor, account.clearingMerchantId);
      records.push(record);
      settlement = withRecord(settlement, record);
    }
    const row: SettlementRow = { ...settlement, state: 'closed' };
    const isEmpty = row.recordCount === 0;
    try {
      await parts.store.commit([
        isEmpty
          ? { op: 'delete', table: 'settlements', key: [row.id], version: row.version }
          : { op: 'update', table: 'settlements', row },
        ...records.map((record): Change => ({ op: 'insert', table: 'settlementRecords', row: record })),
      ]);
      if (!isEmpty) closed.push(row);
    } catch (error) {
      // Something was added, or another run has closed it: the next run looks again.
      if (!(error instanceof CommitConflict)) throw error;
    }
  }
  return closed;
}
