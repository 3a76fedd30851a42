import { fromHex } from '@tillbridge/wire/bytes.js';
import { describe, expect, it } from 'vitest';
import type { DeviceRow } from '../../kernel/store/rows.js';
import { ACCOUNT_FAILURE_LIMITS } from './account-failures.js';
import { type AccountDataSender, admitDevice, type KnownDevice } from './admit-device.js';
import { exampleDevice } from './device-example.test.support.js';
import { type KsnParts, ksnParts } from './ksn.js';

const NOW_MS = 5_000;
const ksn = ksnParts(fromHex('FFFF9877000001000007')) as KsnParts;

const BRIDGE: AccountDataSender = { entityIds: ['m1'], agentId: 'a1', terminalId: '1' };
const REST: AccountDataSender = { entityIds: ['c1', 'm1'], terminalId: '1' };

function verdict(
  device: Partial<DeviceRow> | undefined,
  sender: AccountDataSender = BRIDGE,
  known: Partial<KnownDevice> = {},
) {
  const row = device && exampleDevice(device);
  const facts = { device: row, failures: [], keySets: new Map(), ...known };
  const given = admitDevice(ksn, sender, facts, NOW_MS);
  return given.ok ? given.profile : given.fault;
}

const locked = (kind: 'device' | 'entity', failures: number, sinceMs = NOW_MS) => ({
  failures: [{ kind, subject: 'x', failures, sinceMs, version: 1 }],
});

describe('account data is taken', () => {
  it('from the active device of the agent, at its terminal', () => {
    expect(verdict({})).toBe('GERTEC_PPC930');
    expect(verdict({}, { ...BRIDGE, deviceType: 'GERTEC_PPC930' })).toBe('GERTEC_PPC930');
  });

  it('over REST from a device of the channel and of its merchant, which needs no agent and no terminal', () => {
    for (const device of [{}, { entityId: 'c1' }, { agentId: null }, { agentId: null, terminalId: null }])
      expect(verdict(device, REST)).toBe('GERTEC_PPC930');
  });

  it('late, where the device took it before it was suspended or went out of use', () => {
    for (const state of ['suspended', 'decommissioned'] as const) {
      expect(verdict({ state }, { ...BRIDGE, decidedOfflineAtMs: 999 })).toBe('GERTEC_PPC930');
      expect(verdict({ state }, { ...BRIDGE, decidedOfflineAtMs: 1_000 })).toBe('not-active');
    }
    expect(verdict({ state: 'tampered' }, { ...BRIDGE, decidedOfflineAtMs: 999 })).toBe('not-active');
    expect(verdict({ state: 'inStock' }, { ...BRIDGE, decidedOfflineAtMs: 999 })).toBe('not-active');
  });

  it('of a suspended device neither where the gateway decides now', () => {
    for (const state of ['suspended', 'decommissioned'] as const)
      expect(verdict({ state, stateSinceMs: NOW_MS }, BRIDGE)).toBe('not-active');
  });

  it('again once a lock is over', () => {
    const { device, windowMs } = ACCOUNT_FAILURE_LIMITS;
    expect(verdict({}, BRIDGE, locked('device', device - 1))).toBe('GERTEC_PPC930');
    expect(verdict({}, BRIDGE, locked('device', device, NOW_MS - windowMs))).toBe('GERTEC_PPC930');
    expect(verdict({}, BRIDGE, locked('device', device, NOW_MS - windowMs + 1))).toBe('locked');
    expect(verdict({}, BRIDGE, locked('entity', device))).toBe('GERTEC_PPC930');
    expect(verdict({}, BRIDGE, locked('entity', ACCOUNT_FAILURE_LIMITS.entity))).toBe('locked');
  });
});

describe('account data is not taken', () => {
  it.each([
    ['from a device that is not registered', undefined, BRIDGE, 'unknown-device'],
    ['of another merchant over REST', { entityId: 'm2' }, REST, 'foreign-device'],
    ['of another channel', { entityId: 'c2' }, REST, 'foreign-device'],
    ['of another agent of the same merchant', { agentId: 'a2' }, BRIDGE, 'foreign-device'],
    ['of an agent by a merchant’s device', { agentId: null }, BRIDGE, 'foreign-device'],
    ['of another merchant by the same agent id', { entityId: 'm2' }, BRIDGE, 'foreign-device'],
    ['at another terminal', { terminalId: '2' }, BRIDGE, 'other-terminal'],
    ['of an agent’s device without a terminal', { terminalId: null }, BRIDGE, 'other-terminal'],
    ['of a device in stock', { state: 'inStock' }, BRIDGE, 'not-active'],
    ['of a suspended device', { state: 'suspended' }, BRIDGE, 'not-active'],
    ['of a device that was opened', { state: 'tampered' }, BRIDGE, 'not-active'],
    ['of one that is out of use', { state: 'decommissioned' }, BRIDGE, 'not-active'],
    ['under another type', {}, { ...BRIDGE, deviceType: 'MAGTEK_DYNAFLEX' }, 'other-type'],
  ] as const)('%s', (_what, device, sender, fault) => {
    expect(verdict(device, sender)).toBe(fault);
  });

  it('where the key set of its KSN is that of another type', () => {
    const keySets = new Map([['FFFF9877', 'MAGTEK_DYNAFLEX']]);
    expect(verdict({}, BRIDGE, { keySets })).toBe('other-type');
  });
});
