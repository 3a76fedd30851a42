import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { policiesVersion, policyOf } from '../payments/lookup/policy-of.js';
import {
  createEntity,
  type EntityDeps,
  isThreeDSecureOn,
  listEntities,
  MAX_CHANNELS,
  routingRules,
  setRoutingRules,
  setStorePolicy,
  setThreeDSecure,
  storePolicy,
} from './entities.js';

let deps: EntityDeps;
let merchantId: string;
let channelId: string;
beforeEach(async () => {
  deps = { store: new MemoryStore(), clock: new VirtualClock(1), random: systemRandom };
  merchantId = (await createEntity(deps, { name: 'Shop' })).id;
  channelId = (await createEntity(deps, { name: 'Shop, EUR', merchantId })).id;
});

it('3D Secure is off until it is switched on, for the one entity', async () => {
  const { store } = deps;
  expect(await isThreeDSecureOn(store, channelId)).toBe(false);
  await setThreeDSecure(store, channelId, true);
  await setThreeDSecure(store, channelId, true);
  expect(await isThreeDSecureOn(store, channelId)).toBe(true);
  expect(await isThreeDSecureOn(store, merchantId)).toBe(false);
  await setThreeDSecure(store, channelId, false);
  expect(await isThreeDSecureOn(store, channelId)).toBe(false);
  await expect(setThreeDSecure(store, 'unknown', true)).rejects.toBeInstanceOf(OperatorError);
});

describe('the policy of stores', () => {
  it('is set with a version that counts, and is no other entity’s', async () => {
    expect(await storePolicy(deps.store, channelId)).toEqual({ version: 0 });
    await setStorePolicy(deps, channelId, { unlinkedRefunds: true });
    expect(await setStorePolicy(deps, channelId, { ceilings: { EUR: 5 } })).toEqual({
      version: 2,
      ceilings: { EUR: 5 },
    });
    expect(await policyOf(deps.store, channelId)).toMatchObject({ version: 2 });
    expect(await storePolicy(deps.store, merchantId)).toEqual({ version: 0 });
    await expect(setStorePolicy(deps, 'unknown', {})).rejects.toBeInstanceOf(OperatorError);
  });

  it('of a merchant holds for its channels without one', async () => {
    await setStorePolicy(deps, merchantId, { unlinkedRefunds: true });
    expect(await policyOf(deps.store, channelId)).toMatchObject({ unlinkedRefunds: true });
    await setStorePolicy(deps, channelId, {});
    // Higher than the version that its agents received before.
    expect(await policyOf(deps.store, channelId)).toEqual({ version: 2 });
    expect(await policiesVersion(deps.store)).toBe(2);
    expect(await policyOf(deps.store, 'unknown')).toEqual({ version: 0 });
  });
});

describe('entities', () => {
  it('are made and listed, each channel after its merchant', async () => {
    const other = await createEntity(deps, { name: 'Other', compatibility: 'legacy' });
    const listed = await listEntities(deps.store);
    expect(listed.map(({ name }) => name).sort()).toEqual(['Other', 'Shop', 'Shop, EUR']);
    const places = listed.map(({ id }) => id);
    expect(places.indexOf(channelId)).toBe(places.indexOf(merchantId) + 1);
    expect(other).toMatchObject({ kind: 'merchant', compatibility: 'legacy' });
    expect(other.id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are so many of one merchant at most', async () => {
    for (let made = 1; made < MAX_CHANNELS; made += 1) await createEntity(deps, { name: 'Shop', merchantId });
    await expect(createEntity(deps, { name: 'Shop', merchantId })).rejects.toThrow('the most');
    expect(await createEntity(deps, { name: 'Other' })).toMatchObject({ kind: 'merchant' });
  });

  it('are channels of merchants alone', async () => {
    const about = { name: 'Shop' };
    await expect(createEntity(deps, { ...about, merchantId: 'none' })).rejects.toThrow('no entity none');
    await expect(createEntity(deps, { ...about, merchantId: channelId })).rejects.toBeInstanceOf(
      OperatorError,
    );
  });
});

describe('routing rules', () => {
  it('are set, replaced and taken away', async () => {
    expect(await routingRules(deps.store, merchantId)).toEqual([]);
    await setRoutingRules(deps.store, merchantId, [{ channelId, currencies: ['EUR'] }]);
    await setRoutingRules(deps.store, merchantId, [{ channelId, brands: ['VISA'] }, { channelId }]);
    expect(await routingRules(deps.store, merchantId)).toEqual([
      { channelId, brands: ['VISA'] },
      { channelId },
    ]);
    await setRoutingRules(deps.store, merchantId, []);
    await setRoutingRules(deps.store, merchantId, []);
    expect(await routingRules(deps.store, merchantId)).toEqual([]);
    expect(await deps.store.get('routing', [merchantId])).toBeUndefined();
  });

  it('name channels of their merchant alone', async () => {
    const stranger = (await createEntity(deps, { name: 'Other' })).id;
    for (const id of [stranger, merchantId, '0'.repeat(32)]) {
      const rules = [{ channelId }, { channelId: id }];
      await expect(setRoutingRules(deps.store, merchantId, rules)).rejects.toThrow(
        `rule 2: ${id} is no channel of ${merchantId}`,
      );
    }
    await expect(setRoutingRules(deps.store, channelId, [])).rejects.toThrow('is a channel');
    await expect(routingRules(deps.store, 'none')).rejects.toBeInstanceOf(OperatorError);
  });
});
