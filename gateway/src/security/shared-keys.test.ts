import { createSecretKey } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { MemoryStore } from '../kernel/store/testing/memory-store.js';
import { claimKeys, SharedKeyError, sharedIdentity, sharedKey } from './shared-keys.js';

let store: MemoryStore;
beforeEach(() => {
  store = new MemoryStore();
});

const key = (fill: number, name = 'token') =>
  sharedKey(name, `/home/keys/${name}.key`, createSecretKey(Buffer.alloc(32, fill)));
const identity = (current: number, backup: number) =>
  sharedIdentity('/home/keys/identity.pem', {
    identityKeys: [Uint8Array.of(current), Uint8Array.of(backup)],
  } as unknown as Parameters<typeof sharedIdentity>[1]);

it('lets in nodes with the same keys, also at once', async () => {
  await Promise.all([1, 2, 3].map(() => claimKeys(store, [key(1), key(2, 'acquirer')])));
  await claimKeys(store, [key(1), key(2, 'acquirer')]);
});

it('refuses a node with another key, and names its file', async () => {
  await claimKeys(store, [key(1), key(2, 'acquirer')]);
  const claim = claimKeys(store, [key(1), key(3, 'acquirer')]);
  await expect(claim).rejects.toThrow(SharedKeyError);
  await expect(claim).rejects.toThrow(
    '/home/keys/acquirer.key is not the key that this database was used with',
  );
});

it('stores nothing that a key follows from', async () => {
  await claimKeys(store, [key(1)]);
  const [row] = await store.findAfter('settings', undefined);
  expect(row?.value).toMatch(/^[0-9a-f]{32,64}$/);
  expect(row?.value).not.toContain('0101');
});

it('lets a rotated identity in, and no node with the former one after it', async () => {
  await claimKeys(store, [identity(1, 2)]);
  await claimKeys(store, [identity(2, 3)]);
  await expect(claimKeys(store, [identity(1, 2)])).rejects.toThrow('identity.pem is not the key');
});
