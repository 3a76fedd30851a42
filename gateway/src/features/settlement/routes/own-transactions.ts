import type {
  AcquirerRecord,
  AcquirerTransaction,
  TransactionRecord,
} from '../../../core/acquirers/acquirer.js';
import { followedIntent } from '../../../core/payments/lookup/intent-of-entry.js';
import type { Store } from '../../../kernel/store/store.js';

/** Transactions that are looked up at once. */
const BATCH = 50;

/** The transactions of these entities; one whose request is not known any more belongs to no entity. @throws StoreUnavailableError */
export async function ownTransactions(
  store: Pick<Store, 'get'>,
  record: Pick<AcquirerRecord & TransactionRecord, 'entry'>,
  all: readonly AcquirerTransaction[],
  owners: ReadonlySet<string>,
): Promise<readonly AcquirerTransaction[]> {
  const isOwn = async ({ acquirerReference }: AcquirerTransaction): Promise<boolean> => {
    const intent =
      (await store.get('intents', [acquirerReference])) ?? (await followed(store, record, acquirerReference));
    return intent !== undefined && owners.has(intent.entityId);
  };
  const own: AcquirerTransaction[] = [];
  for (let from = 0; from < all.length; from += BATCH) {
    const batch = all.slice(from, from + BATCH);
    const verdicts = await Promise.all(batch.map(isOwn));
    own.push(...batch.filter((_, index) => verdicts[index]));
  }
  return own;
}

/** The request of what an entry follows, such as the sale of a chargeback. */
async function followed(store: Pick<Store, 'get'>, record: Pick<AcquirerRecord, 'entry'>, reference: string) {
  const entry = await record.entry(reference);
  return entry && followedIntent(store, record, entry);
}
