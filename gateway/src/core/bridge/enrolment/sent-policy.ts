import type { KeyObject } from 'node:crypto';
import type { WireStorePolicy } from '@tillbridge/wire/bridge/messages.js';
import { signStorePolicy } from '@tillbridge/wire/bridge/store-policy.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Store } from '../../../kernel/store/store.js';
import { PRIMARY } from '../../../kernel/store/tables.js';
import { policiesVersion, policyOf } from '../../payments/lookup/policy-of.js';

/** The policy of an agent's store as it is sent, and the version of all policies when it was read. */
export interface SentPolicy {
  readonly message: WireStorePolicy;
  readonly asOf: number;
}

/** Collaborators of the policy's sender. */
interface PolicyTeller {
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly signingKey: KeyObject;
}

/** The policy of an agent's store, signed now. @throws StoreUnavailableError */
export async function policyToSend(
  { store, clock, signingKey }: PolicyTeller,
  { agentId, entityId }: { readonly agentId: string; readonly entityId: string },
): Promise<SentPolicy> {
  // First: a change in between is sent with the next look.
  const asOf = await policiesVersion(store);
  // Read past the cache: a cached row older than the version would never be sent.
  const stored = async (id: string) => (await store.find('storePolicies', PRIMARY, [id], { limit: 1 }))[0];
  const policy = await policyOf(store, entityId, stored);
  return { asOf, message: signStorePolicy(policy, { agentId, entityId, timeMs: clock.nowMs() }, signingKey) };
}
