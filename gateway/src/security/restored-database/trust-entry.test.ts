import { expect, it } from 'vitest';
import { newAgentRow } from '../agents/agent-row.js';
import { exampleDevice } from '../devices/device-example.test.support.js';
import { agentEntry, counterEntry, deviceEntry, isDeviceState, isInUse, keyDigest } from './trust-entry.js';

const AGENT = {
  ...newAgentRow({ id: 'store-1', entityId: 'e', publicKey: 'first', terminals: ['1'] }, 0),
  epoch: 5,
};

it('is made of an agent that was revoked, or has another key or generation than at first', () => {
  const entry = { kind: 'agent', id: 'store-1', atMs: 9, epoch: 5, isRevoked: false, generation: 1 };
  const key = keyDigest('first');
  expect(agentEntry(AGENT, 9)).toBeUndefined();
  expect(agentEntry({ ...AGENT, state: 'revoked' }, 9)).toEqual({ ...entry, key, isRevoked: true });
  expect(agentEntry({ ...AGENT, generation: 2 }, 9)).toEqual({ ...entry, key, generation: 2 });
  expect(agentEntry({ ...AGENT, publicKey: 'second', formerPublicKey: 'first' }, 9)).toEqual({
    ...entry,
    key: keyDigest('second'),
  });
});

it('has the highest counter that a device has used, whichever database knows it', () => {
  const counter = (highestCounter: number, unknownCounter: number) =>
    counterEntry(exampleDevice({ highestCounter, unknownCounter }), 7)?.counter;
  expect([counter(0, 0), counter(3, 0), counter(3, 8), counter(0, 1)]).toEqual([undefined, 3, 8, 1]);
});

it('distinguishes devices in use from those that are not', () => {
  const device = exampleDevice({ state: 'suspended', stateSinceMs: 4 });
  expect(deviceEntry(device)).toEqual({ kind: 'device', id: device.serial, atMs: 4, state: 'suspended' });
  const states = ['inStock', 'active', 'suspended', 'tampered', 'decommissioned'] as const;
  expect(states.map(isInUse)).toEqual([true, true, false, false, false]);
  expect(states.every(isDeviceState)).toBe(true);
});
