import { isPolicyOf, storePolicyOf } from '@tillbridge/wire/bridge/store-policy.js';
import { expect, test } from 'vitest';
import { createEntity, setStorePolicy } from '../entities/entities.js';
import { AGENT, ENTITY } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { TEST_PINS } from './test-agent.test.support.js';

const bridge = bridgeOfTest();

test('an agent receives the policy of its store, signed for it alone', async () => {
  const { services, connect } = await bridge.open();
  const { policy: none } = await connect().join();
  expect(none && storePolicyOf(none)).toEqual({ version: 0, unlinkedRefunds: false, ceilings: {} });
  await setStorePolicy(services, ENTITY, { ceilings: { EUR: 5 } });
  const { policy } = await connect().join();
  expect(policy).toMatchObject({ agentId: AGENT, entityId: ENTITY, version: 1 });
  expect(policy && isPolicyOf(AGENT, policy, TEST_PINS)).toBe(true);
  expect(policy && isPolicyOf('another', policy, TEST_PINS)).toBe(false);
});

test('an agent with a session receives a change that another process made, once, and no change of another store', async () => {
  const agent = await bridge.joined();
  const { services, endpoint } = bridge.harness;
  const { id: other } = await createEntity(
    { ...services, random: services.context.random },
    { name: 'another merchant' },
  );
  await setStorePolicy(services, other, { unlinkedRefunds: true });
  await endpoint.sendPolicies();
  await setStorePolicy(services, ENTITY, { ceilings: { EUR: 7 } });
  await endpoint.sendPolicies();
  await endpoint.sendPolicies();
  const sent = await agent.next('storePolicy');
  expect(sent).toMatchObject({ version: 2, ceilings: [{ currency: 'EUR', minor: 7 }] });
  await setStorePolicy(services, ENTITY, {});
  await endpoint.sendPolicies();
  expect(await agent.next('storePolicy')).toMatchObject({ version: 3, ceilings: [] });
});
