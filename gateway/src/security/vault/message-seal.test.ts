import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { MessageSeal } from './message-seal.js';
import { testKeyRing } from './testing/test-key-ring.js';
import { VaultError } from './vault.js';

function sealUnder(byte: number): MessageSeal {
  const key = createSecretKey(Buffer.alloc(32, byte));
  return new MessageSeal(testKeyRing(key));
}

const message = Buffer.from('a message with card data');

test('a message opens for its agent and id alone, under its key alone', async () => {
  const seal = sealUnder(1);
  const sealed = seal.seal('store-1', 'm1', message);
  expect(sealed.message.toLowerCase()).not.toContain(message.toString('hex'));
  expect(await seal.open('store-1', 'm1', sealed)).toEqual(message);
  await expect(seal.open('store-2', 'm1', sealed)).rejects.toThrow(VaultError);
  await expect(seal.open('store-1', 'm2', sealed)).rejects.toThrow(VaultError);
  await expect(sealUnder(2).open('store-1', 'm1', sealed)).rejects.toThrow(/is not there/);
  const changed = { ...sealed, message: `00${sealed.message.slice(2)}` };
  await expect(seal.open('store-1', 'm1', changed)).rejects.toThrow(VaultError);
});
