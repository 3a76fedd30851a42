import { createSecretKey } from 'node:crypto';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { expect, test } from 'vitest';
import type { VaultRow } from '../../kernel/store/rows.js';
import type { Key, Store } from '../../kernel/store/store.js';
import { panFingerprint } from './pan-fingerprint.js';
import { testKeyRing } from './testing/test-key-ring.js';
import { VaultError } from './vault.js';
import { AesGcmVault } from './vault-aes-gcm.js';

const key = createSecretKey(Buffer.alloc(32, 7));
const account = { pan: '4200000000000000', expiryYear: '2031', expiryMonth: '12', holder: 'TILL/TESSA' };
const owner = { entityId: 'entity-a', intentId: 'intent' };
const clock = { nowMs: () => 1_000 };

/** Reads like the store, from rows that the test put there. */
function vaultOver(rows: readonly VaultRow[], dataKey = key): AesGcmVault {
  const get = async (_table: string, [id]: Key) => rows.find((row) => row.id === id);
  return new AesGcmVault({
    dataKeys: testKeyRing(dataKey),
    store: { get } as Pick<Store, 'get'>,
    random: systemRandom,
    clock,
  });
}

test('what was sealed is read back, without track, card verification value and PIN block', async () => {
  const pin = { ksn: Buffer.alloc(10), pinBlock: Buffer.alloc(8) };
  const given = { ...account, track2: `${account.pan}D3112201`, cvv: '123', pin };
  const row = vaultOver([]).seal(given, owner);
  expect(JSON.stringify(row)).not.toContain(account.pan);
  expect(row).toMatchObject({ version: 1, createdAtMs: 1_000, id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(row).toMatchObject(owner);
  expect(await vaultOver([row]).open(row.id, 'entity-a')).toEqual(account);
});

test('an entry opens for its entity alone, in its own place, unchanged, under its key', async () => {
  const vault = vaultOver([]);
  const [first, second] = [vault.seal(account, owner), vault.seal(account, owner)];
  const swapped = { ...first, id: second.id };
  const flipped = { ...first, sealed: first.sealed.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) };
  const short = { ...first, sealed: first.sealed.slice(0, 8) };
  await expect(vaultOver([first]).open(first.id, 'entity-b')).rejects.toThrow(VaultError);
  // The column is not what counts.
  const stolen = { ...first, entityId: 'entity-b' };
  await expect(vaultOver([stolen]).open(first.id, 'entity-b')).rejects.toThrow(VaultError);
  await expect(vaultOver([swapped]).open(second.id, 'entity-a')).rejects.toThrow(VaultError);
  await expect(vaultOver([flipped]).open(first.id, 'entity-a')).rejects.toThrow(VaultError);
  await expect(vaultOver([short]).open(first.id, 'entity-a')).rejects.toThrow(VaultError);
  await expect(vaultOver([]).open(first.id, 'entity-a')).rejects.toThrow(VaultError);
  const other = createSecretKey(Buffer.alloc(32, 8));
  await expect(vaultOver([first], other).open(first.id, 'entity-a')).rejects.toThrow(
    /data key .* is not there/,
  );
  expect(await vaultOver([first]).open(first.id, 'entity-a')).toEqual(account);
});

test('two entries of one card have nothing in common, their fingerprints all', () => {
  const vault = vaultOver([]);
  const [first, second] = [vault.seal(account, owner), vault.seal(account, owner)];
  expect(first.sealed.slice(2, 26)).not.toBe(second.sealed.slice(2, 26));
  expect(first.sealed.slice(-32)).not.toBe(second.sealed.slice(-32));
  expect(panFingerprint(key, account.pan)).toBe(panFingerprint(key, account.pan));
  expect(panFingerprint(key, account.pan)).not.toBe(panFingerprint(key, '4200000000000018'));
  expect(panFingerprint(createSecretKey(Buffer.alloc(32, 8)), account.pan)).not.toBe(
    panFingerprint(key, account.pan),
  );
});
