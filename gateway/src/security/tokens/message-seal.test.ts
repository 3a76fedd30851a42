import { createSecretKey } from 'node:crypto';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import { expect, test } from 'vitest';
import { MessageSeal } from './message-seal.js';

const seal = new MessageSeal(createSecretKey(Buffer.alloc(32, 1)), systemRandom);
const message = Buffer.from('a message with card data');

test('a message opens for its agent and id alone, under its key alone', () => {
  const sealed = seal.seal('store-1', 'm1', message);
  expect(sealed).not.toContain(message.toString('hex'));
  expect(Buffer.from(seal.open('store-1', 'm1', sealed))).toEqual(message);
  expect(() => seal.open('store-2', 'm1', sealed)).toThrow();
  expect(() => seal.open('store-1', 'm2', sealed)).toThrow();
  const other = new MessageSeal(createSecretKey(Buffer.alloc(32, 2)), systemRandom);
  expect(() => other.open('store-1', 'm1', sealed)).toThrow();
  expect(() => seal.open('store-1', 'm1', `00${sealed.slice(2)}`)).toThrow();
});
