import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { parsedColumn } from '../../../kernel/store/parsed-column.js';
import type { StorePolicyRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { NO_POLICY } from '../policy/store-policy.js';

const storedPolicy = parsedColumn<'policy', StorePolicy>('policy');

/**
 * The policy of an entity, else that of its merchant.
 * @param read the row of an entity; absent: as the store remembers it
 * @throws StoreUnavailableError
 */
export async function policyOf(
  store: Pick<Store, 'get'>,
  entityId: string,
  read = (id: string): Promise<StorePolicyRow | undefined> => store.get('storePolicies', [id]),
): Promise<StorePolicy> {
  const [own, entity] = await Promise.all([read(entityId), store.get('entities', [entityId])]);
  const parentId = entity?.parentId ?? null;
  const row = own ?? (parentId === null ? undefined : await read(parentId));
  return row ? storedPolicy(row) : NO_POLICY;
}

/** The highest version of a store policy that was ever set: another one, and some policy has changed. @throws StoreUnavailableError */
export async function policiesVersion(store: Pick<Store, 'get'>): Promise<number> {
  return Number((await store.get('settings', ['store-policies']))?.value ?? 0);
}
