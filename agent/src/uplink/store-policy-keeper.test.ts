import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signStorePolicy } from '@tillbridge/wire/bridge/store-policy.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEST_BACKUP_KEY, TEST_GATEWAY_KEY, TEST_PINS } from './enrolled-home.test.support.js';
import { filePolicy, STORE_POLICY_FILE, StorePolicyKeeper } from './store-policy-keeper.js';

let home: string;
let logged: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agent-policy-'));
  logged = [];
});
afterEach(() => rmSync(home, { recursive: true }));

/** A start of the agent on the home. */
function start({
  agentId = 'store-1',
  pins = TEST_PINS,
  storage = filePolicy(home),
} = {}): StorePolicyKeeper {
  const keep = (_about: object, text: string): void => {
    logged.push(text);
  };
  return new StorePolicyKeeper({ agentId, pins: () => pins, storage, log: { info: keep, error: keep } });
}

const POLICY: StorePolicy = { version: 5, unlinkedRefunds: false, ceilings: { EUR: 100 } };
const STRICTER: StorePolicy = { version: 6, unlinkedRefunds: false, ceilings: { EUR: 10 } };

function signed(policy: StorePolicy, { agentId = 'store-1', timeMs = 1_000, key = TEST_GATEWAY_KEY } = {}) {
  return signStorePolicy(policy, { agentId, entityId: 'e', timeMs }, key);
}

describe('the policy of the store', () => {
  it('is kept over a restart, by whichever of the two pinned keys it is signed', () => {
    for (const [policy, key] of [
      [POLICY, TEST_GATEWAY_KEY],
      [STRICTER, TEST_BACKUP_KEY],
    ] as const) {
      expect(start().take(signed(policy, { key }))).toBe('taken');
      expect(start().policy).toEqual(policy);
    }
    expect(logged).not.toContain('the kept policy of the store cannot be read');
  });

  it('reaches the listeners when it changes, and not when it is received again', () => {
    const keeper = start();
    const received: (StorePolicy | undefined)[] = [];
    keeper.onChange(() => received.push(keeper.policy));
    keeper.take(signed(POLICY));
    expect(keeper.take(signed(POLICY, { timeMs: 2_000 }))).toBe('known');
    keeper.take(signed(STRICTER));
    expect(received).toEqual([POLICY, STRICTER]);
  });

  it.each<[string, Parameters<typeof signed>[1], KeyObject?]>([
    ['by a foreign key', { key: generateKeyPairSync('ed25519').privateKey }],
    ['for another store', { agentId: 'store-2' }],
  ])('is not taken when it is signed %s', (_what, changes) => {
    const keeper = start();
    keeper.take(signed(POLICY));
    expect(keeper.take(signed({ version: 9 }, changes))).toBe('foreign');
    expect(keeper.policy).toEqual(POLICY);
    expect(start().policy).toEqual(POLICY);
  });

  it('is not taken when another field stands in it than was signed', () => {
    const keeper = start();
    expect(keeper.take({ ...signed(POLICY), version: 9 })).toBe('foreign');
    expect(keeper.take({ ...signed(POLICY), ceilings: [] })).toBe('foreign');
    expect(keeper.policy).toBeUndefined();
  });

  it('is not taken back to an older one, also after a restart', () => {
    start().take(signed(STRICTER));
    expect(start().take(signed(POLICY, { timeMs: 9_000 }))).toBe('older');
    expect(start().policy).toEqual(STRICTER);
    expect(logged.at(-1)).toContain('older policy');
  });

  it('of one version is the one that was signed later: a restored gateway counts anew', () => {
    const keeper = start();
    keeper.take(signed(POLICY));
    expect(keeper.take(signed({ ...STRICTER, version: 5 }, { timeMs: 999 }))).toBe('older');
    expect(keeper.take(signed({ ...STRICTER, version: 5 }, { timeMs: 1_001 }))).toBe('taken');
  });

  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['cut', (bytes) => bytes.subarray(0, bytes.length - 9)],
    ['empty', () => Buffer.alloc(0)],
    ['no envelope', () => Buffer.from('what is this')],
    ['another amount', (bytes) => Buffer.from(bytes.map((byte) => (byte === 200 ? 202 : byte)))],
  ])('is not known from a file that is %s, until it is received again', (_what, damage) => {
    start().take(signed(POLICY));
    const path = join(home, STORE_POLICY_FILE);
    writeFileSync(path, damage(readFileSync(path)));
    const keeper = start();
    expect(keeper.policy).toBeUndefined();
    expect(logged.at(-1)).toContain('the kept policy of the store');
    expect(keeper.take(signed(POLICY))).toBe('taken');
    expect(start().policy).toEqual(POLICY);
  });

  it('of another agent or gateway is not known from the file', () => {
    start().take(signed(POLICY));
    expect(start({ agentId: 'store-2' }).policy).toBeUndefined();
    const [, backup = new Uint8Array()] = TEST_PINS.identityKeys;
    expect(start({ pins: { ...TEST_PINS, identityKeys: [backup] } }).policy).toBeUndefined();
  });

  it('is in force though the disk does not take it, and nothing is known of it after the restart', () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const storage = {
      read: () => undefined,
      write: () => {
        throw full;
      },
    };
    const keeper = start({ storage });
    expect(keeper.take(signed(POLICY))).toBe('taken');
    expect(keeper.policy).toEqual(POLICY);
    expect(logged).toContain('policy of the store not kept');
  });
});
