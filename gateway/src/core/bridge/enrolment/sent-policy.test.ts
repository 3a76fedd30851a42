import { generateKeyPairSync } from 'node:crypto';
import { storePolicyOf } from '@tillbridge/wire/bridge/store-policy.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, test } from 'vitest';
import { cachedStore } from '../../../kernel/store/cached-store.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { setStorePolicy } from '../../entities/entities.js';
import { policyOf } from '../../payments/lookup/policy-of.js';
import { policyToSend } from './sent-policy.js';

const entity = { id: 'e1', kind: 'merchant', parentId: null, name: 'a', createdAtMs: 1, version: 1 } as const;

test('sends a policy that another process has set, although the former one is in the cache', async () => {
  const [database, clock] = [new MemoryStore(), new VirtualClock()];
  const store = cachedStore(database, clock);
  await database.commit([
    { op: 'insert', table: 'entities', row: { ...entity, compatibility: 'specification' } },
  ]);
  await policyOf(store, 'e1');
  await setStorePolicy({ store: database, clock }, 'e1', { ceilings: { EUR: 5 }, unlinkedRefunds: false });
  const { privateKey: signingKey } = generateKeyPairSync('ed25519');
  const sent = await policyToSend({ store, clock, signingKey }, { agentId: 'a1', entityId: 'e1' });
  expect(storePolicyOf(sent.message)).toMatchObject({ version: sent.asOf, ceilings: { EUR: 5 } });
});
