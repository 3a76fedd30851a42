import type { IntentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import type { AcquirerRecord, RecordEntry } from '../../acquirers/acquirer.js';

/** The longest chain: a reversal of a refund of a capture of an authorization. */
const MAX_STEPS = 4;

/** The intent of an entry of the acquirer's record, else that of the nearest entry that it follows. @throws StoreUnavailableError, AcquirerUnreachableError */
export async function intentOfEntry(
  store: Pick<Store, 'get'>,
  record: Pick<AcquirerRecord, 'entry'>,
  entry: Pick<RecordEntry, 'acquirerReference' | 'originalReference'>,
): Promise<IntentRow | undefined> {
  const own = await store.get('intents', [entry.acquirerReference]);
  return own ?? followedIntent(store, record, entry);
}

/** The intent of the nearest entry that is followed. @throws StoreUnavailableError, AcquirerUnreachableError */
export async function followedIntent(
  store: Pick<Store, 'get'>,
  record: Pick<AcquirerRecord, 'entry'>,
  { originalReference }: Pick<RecordEntry, 'originalReference'>,
): Promise<IntentRow | undefined> {
  let reference = originalReference;
  for (let step = 0; step < MAX_STEPS && reference !== null; step += 1) {
    const intent = await store.get('intents', [reference]);
    if (intent) return intent;
    reference = (await record.entry(reference))?.originalReference ?? null;
  }
  return undefined;
}
