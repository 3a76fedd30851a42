import type { AcquirerRecord, RecordEntry } from '../../core/acquirers/acquirer.js';
import { followedIntent } from '../../core/payments/lookup/intent-of-entry.js';
import type { Store } from '../../kernel/store/store.js';

/**
 * Whether an entry without its own intent has a further reference of an intent: that of the fencing reversal, of the capture of a
 * PA.CP, or of the release of a hold. An intent keeps such references in its detail, and belongs to the payment tree of the entry.
 */
export async function belongsToIntent(
  store: Pick<Store, 'get' | 'find'>,
  record: AcquirerRecord,
  entry: RecordEntry,
): Promise<boolean> {
  const followed = await followedIntent(store, record, entry);
  if (!followed) return false;
  const rootId = followed.rootId ?? followed.paymentId;
  const children = await store.find('payments', 'root', [rootId]);
  const references = children.map(({ acquirerReference }) => acquirerReference);
  const root = await store.get('payments', [rootId]);
  const intents = await Promise.all(
    [...references, root?.acquirerReference, root?.lockedBy].map((id) =>
      id == null ? undefined : store.get('intents', [id]),
    ),
  );
  const quoted = JSON.stringify(entry.acquirerReference);
  return [followed, ...intents].some((intent) => intent?.detail.includes(quoted) === true);
}
