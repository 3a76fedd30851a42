import { findAll } from '../../kernel/store/all-rows.js';
import type { SettlementRecordRow, SettlementRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';
import { someAtOnce } from '../../kernel/workers/some-at-once.js';
import type { SettlementAccount } from './rules/account.js';
import { type FeeType, feeOfOperations } from './rules/fees.js';
import { recordOfFee, withRecord } from './rules/record.js';
import type { RunFaults } from './run-faults.js';
import { type AccountDeps, SettlementAccounts } from './settlement-accounts.js';

/** Settlements that are closed at once: those of many merchants share the sync of the disk, and no payment waits long behind them. */
const CLOSED_AT_ONCE = 16;

/** What settlements are closed with. */
interface CloseDeps extends AccountDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
  /** Where a settlement that cannot be closed is noted. */
  readonly faults: Pick<RunFaults, 'during'>;
}

/**
 * Closes the open settlements, each with the fees for its operations in one commit.
 * @param only which are closed; absent: all
 * @returns those that were closed
 * @throws StoreUnavailableError
 */
export async function closeSettlements(
  deps: CloseDeps,
  only: (open: SettlementRow) => boolean = () => true,
): Promise<readonly SettlementRow[]> {
  const accounts = new SettlementAccounts(deps);
  const open = await findAll(deps.store, 'settlements', 'state', ['open']);
  const closed = await someAtOnce(open.filter(only), CLOSED_AT_ONCE, (each) =>
    deps.faults.during(`settlement/${each.id}`, async () => {
      const account = await accounts.of(each.entityId);
      return account && close(deps.store, each, account);
    }),
  );
  return closed.filter((row) => row !== undefined);
}

/** Closes a settlement; undefined where it was empty, or another one was faster: the next run looks again. */
async function close(
  store: CloseDeps['store'],
  open: SettlementRow,
  { fees, clearingMerchantId }: SettlementAccount,
): Promise<SettlementRow | undefined> {
  const records: SettlementRecordRow[] = [];
  let settlement = open;
  const counted = JSON.parse(open.operations) as Readonly<Partial<Record<FeeType, number>>>;
  for (const [type, count = 0] of Object.entries(counted) as [FeeType, number | undefined][]) {
    const feeMinor = feeOfOperations(fees, type, count, open.currency);
    if (feeMinor === 0) continue;
    const record = recordOfFee(settlement, type, feeMinor, clearingMerchantId);
    records.push(record);
    settlement = withRecord(settlement, record);
  }
  const row: SettlementRow = { ...settlement, state: 'closed' };
  const isEmpty = row.recordCount === 0;
  try {
    await store.commit([
      isEmpty
        ? { op: 'delete', table: 'settlements', key: [row.id], version: row.version }
        : { op: 'update', table: 'settlements', row },
      ...records.map((record): Change => ({ op: 'insert', table: 'settlementRecords', row: record })),
    ]);
    return isEmpty ? undefined : row;
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    return undefined;
  }
}
