import type { SettlementRecordRow, SettlementRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { type RecordView, viewOf } from './rules/columns.js';
import { type AccountDeps, SettlementAccounts } from './settlement-accounts.js';

/** Records that are read at once. */
const PAGE = 500;

/** The records of settlements, in their order. What is in memory does not grow with them. @throws StoreUnavailableError */
export async function* recordViews(
  deps: Omit<AccountDeps, 'store'> & { readonly store: Pick<Store, 'get' | 'commit' | 'findRange'> },
  settlements: readonly SettlementRow[],
): AsyncGenerator<RecordView, void> {
  const accounts = new SettlementAccounts(deps);
  for (const settlement of settlements) {
    const account = await accounts.of(settlement.entityId);
    if (!account) continue;
    for await (const record of recordsOf(deps.store, settlement.id)) yield viewOf(record, account);
  }
}

async function* recordsOf(
  store: Pick<Store, 'findRange'>,
  settlementId: string,
): AsyncGenerator<SettlementRecordRow, void> {
  for (let from = 0; ; ) {
    const page = await store.findRange('settlementRecords', 'position', {
      equals: [settlementId],
      from,
      limit: PAGE,
    });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    from = last.position + 1;
  }
}
