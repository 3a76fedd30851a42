import type { Store } from '../../store/store.js';
import { NO_POLICY, type StorePolicy } from '../decide/store-policy.js';

/** The policy of an entity, else that of its merchant. @throws StoreUnavailableError */
export async function policyOf(store: Pick<Store, 'get'>, entityId: string): Promise<StorePolicy> {
  const [own, entity] = await Promise.all([
    store.get('storePolicies', [entityId]),
    store.get('entities', [entityId]),
  ]);
  const parentId = entity?.parentId ?? null;
  const row = own ?? (parentId === null ? undefined : await store.get('storePolicies', [parentId]));
  return row ? (JSON.parse(row.policy) as StorePolicy) : NO_POLICY;
}
