import type { Store } from '../../store/store.js';
import { NO_POLICY, type StorePolicy } from '../decide/store-policy.js';

/** The policy of an entity, else that of its merchant. @throws StoreUnavailableError */
export async function policyOf(store: Pick<Store, 'get'>, entityId: string): Promise<StorePolicy> {
  const own = await store.get('storePolicies', [entityId]);
  if (own) return JSON.parse(own.policy) as StorePolicy;
  const parentId = (await store.get('entities', [entityId]))?.parentId;
  const merchants = parentId == null ? undefined : await store.get('storePolicies', [parentId]);
  return merchants ? (JSON.parse(merchants.policy) as StorePolicy) : NO_POLICY;
}
