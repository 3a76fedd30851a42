import type { StorePolicy } from '@tillbridge/protocol/payment/store-policy.js';
import type { Store } from '../../store/store.js';
import { NO_POLICY } from '../policy/store-policy.js';

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

/** The highest version of a store policy that was ever set: another one, and some policy has changed. @throws StoreUnavailableError */
export async function policiesVersion(store: Pick<Store, 'get'>): Promise<number> {
  return Number((await store.get('settings', ['store-policies']))?.value ?? 0);
}
