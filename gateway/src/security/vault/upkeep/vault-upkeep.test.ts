import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newWait } from '../../../core/payments/rules/wait-changes.js';
import { SqliteStore } from '../../../kernel/store/sqlite-store.js';
import type { Change } from '../../../kernel/store/store.js';
import { newAgentRow } from '../../agents/agent-row.js';
import { openKeyStore, temporaryHome } from '../../test-keys.test.support.js';
import { KeyEncryptionKeys } from '../key-encryption-keys.js';
import { MessageSeal } from '../message-seal.js';
import { RESEAL_BATCH } from '../reseal.js';
import { StoredDataKeys } from '../stored-data-keys.js';
import { AesGcmVault } from '../vault-aes-gcm.js';
import { ENTITY_ROWS, intentOf, parkedOf } from '../vault-rows.test.support.js';
import { WaitSeal } from '../wait-seal.js';
import { VAULT_UPKEEP_LIMITS, VaultUpkeep } from './vault-upkeep.js';

const account = { pan: '4200000000000000', expiryYear: '2031', expiryMonth: '12' };
const DAY_MS = 24 * 3_600_000;

let home: string;
let store: SqliteStore;
let clock: VirtualClock;
let keks: KeyEncryptionKeys;
beforeEach(async () => {
  home = temporaryHome();
  store = await SqliteStore.open(join(home, 'gateway.db'));
  clock = new VirtualClock(1_000);
  keks = new KeyEncryptionKeys(openKeyStore(home), random);
  const agent = newAgentRow({ id: 'a1', entityId: 'e1', publicKey: 'key', terminals: [] }, 1);
  await store.commit([
    ...ENTITY_ROWS,
    { op: 'insert', table: 'agents', row: agent },
    { op: 'insert', table: 'intents', row: intentOf('i1') },
  ]);
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

/** A process on the home. */
async function start(rotateAfterMs = 365 * DAY_MS) {
  const keys = await StoredDataKeys.open({ store, keks, random, clock });
  const vault = new AesGcmVault({ dataKeys: keys.ring, store, random, clock });
  const upkeep = new VaultUpkeep({ keys, store, clock, rotateAfterMs });
  const waitSeal = new WaitSeal(keys.ring);
  return { keys, vault, upkeep, waitSeal, seal: new MessageSeal(keys.ring) };
}

const under = async (keyId: string) => (await store.find('vault', 'keyId', [keyId])).length;

test('old rows are sealed anew batch by batch, across restarts; then the old key goes, after a while', async () => {
  const first = await start();
  const old = first.keys.active.id;
  const count = 2 * RESEAL_BATCH + 1;
  const rows = Array.from({ length: count }, () =>
    first.vault.seal(account, { entityId: 'e1', intentId: 'i1' }),
  );
  const sealed = first.seal.seal('a1', 'm1', Buffer.from('message'));
  const intent = { id: 'i1', paymentId: 'p1', entityId: 'e1' };
  const waiting = { ...newWait(intent, {}, 1), ...first.waitSeal.seal('p1', Buffer.from('card')) };
  await store.commit([
    ...rows.map((row): Change => ({ op: 'insert', table: 'vault', row })),
    { op: 'insert', table: 'parked', row: { ...parkedOf('a1', 'm1'), ...sealed } },
    { op: 'insert', table: 'waits', row: waiting },
  ]);
  // By a command, in a separate process.
  await (await start()).keys.rotate();
  await first.upkeep.round();
  expect(await under(old)).toBe(count - RESEAL_BATCH);
  const second = await start();
  for (const { id } of rows.slice(0, 3)) expect(await second.vault.open(id, 'e1')).toEqual(account);
  await second.upkeep.round();
  await second.upkeep.round();
  expect(await under(old)).toBe(0);
  await second.upkeep.round();
  await second.upkeep.round();
  const parked = await store.get('parked', ['a1', 'm1']);
  const { message, keyId } = parked ?? {};
  expect(keyId).toBe(second.keys.active.id);
  if (!message || !keyId) throw new Error('the message is gone');
  expect((await second.seal.open('a1', 'm1', { message, keyId })).toString()).toBe('message');
  const wait = await store.get('waits', ['p1']);
  if (!wait?.sealed || !wait.keyId) throw new Error('the continuation is gone');
  expect(wait.keyId).toBe(second.keys.active.id);
  expect((await second.waitSeal.open('p1', { sealed: wait.sealed, keyId: wait.keyId })).toString()).toBe(
    'card',
  );
  await expect(second.waitSeal.open('p2', { sealed: wait.sealed, keyId: wait.keyId })).rejects.toThrow();
  await second.upkeep.round();
  await clock.advance(VAULT_UPKEEP_LIMITS.graceMs - 1);
  await second.upkeep.round();
  expect(second.keys.retired.map(({ id }) => id)).toEqual([old]);
  await clock.advance(1);
  await second.upkeep.round();
  expect(second.keys.rows.map(({ id }) => id)).toEqual([second.keys.active.id]);
  for (const { id } of rows) expect(await second.vault.open(id, 'e1')).toEqual(account);
});

test('a row that was committed late keeps its key: the wait begins anew', async () => {
  const { keys, vault, upkeep } = await start();
  const late = vault.seal(account, { entityId: 'e1', intentId: 'i1' });
  await keys.rotate();
  await upkeep.round();
  await store.commit([{ op: 'insert', table: 'vault', row: late }]);
  await clock.advance(VAULT_UPKEEP_LIMITS.graceMs);
  await upkeep.round();
  expect(keys.retired).toHaveLength(1);
  expect(await vault.open(late.id, 'e1')).toEqual(account);
  await upkeep.round();
  await clock.advance(VAULT_UPKEEP_LIMITS.graceMs);
  await upkeep.round();
  expect(keys.retired).toEqual([]);
  expect(await vault.open(late.id, 'e1')).toEqual(account);
});

test('a rotation of the key-encryption key that broke off is brought to its end', async () => {
  const { keys, upkeep } = await start();
  keks.add();
  await upkeep.round();
  expect(keys.active.kek).toBe('2');
  expect(keks.list().map(({ number }) => number)).toEqual([2]);
});

test('a data key is replaced at its age, and not before', async () => {
  const { keys, upkeep } = await start(DAY_MS);
  const old = keys.active.id;
  await clock.advance(DAY_MS - 1);
  await upkeep.round();
  expect(keys.active.id).toBe(old);
  await clock.advance(1);
  await upkeep.round();
  expect(keys.active.id).not.toBe(old);
});
