import { scryptSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashPassword, isOutdated, isPassword } from './password-hash.js';
import { HASH_LIMITS, HashQueueFullError, PasswordHashes } from './password-hashes.js';

const WEAK = { N: 1_024, r: 8, p: 1 };

it('stores parameters and salt next to the hash, and knows the password again', async () => {
  const stored = await hashPassword('correct horse battery', WEAK);
  expect(stored).toMatch(/^scrypt\$N=1024,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await hashPassword('correct horse battery', WEAK)).not.toBe(stored);
  expect(await isPassword('correct horse battery', stored)).toBe(true);
  expect(await isPassword('correct horse batterz', stored)).toBe(false);
  const [, , salt = '', hash] = stored.split('$');
  const plain = scryptSync('correct horse battery', Buffer.from(salt, 'base64url'), 32, WEAK);
  expect(plain.toString('base64url')).toBe(hash);
});

it('takes a character however it was composed', async () => {
  const stored = await hashPassword('caf\u00e9 on the corner', WEAK);
  expect(await isPassword('cafe\u0301 on the corner', stored)).toBe(true);
});

it('marks what was made with other parameters, to be hashed anew', async () => {
  expect(isOutdated(await hashPassword('x', WEAK))).toBe(true);
  const stored = await hashPassword('x');
  expect(isOutdated(stored)).toBe(false);
  expect(stored).toMatch(/^scrypt\$N=32768,r=8,p=1\$/);
});

it('finds no password where there is none, and refuses a text that it did not make', async () => {
  expect(await isPassword('', null)).toBe(false);
  await expect(isPassword('x', 'plain')).rejects.toThrow('form');
  await expect(
    isPassword('x', `scrypt$N=9999999,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`),
  ).rejects.toThrow();
});

it('computes one hash at a time in the order of the requests, and refuses what would wait too long', async () => {
  const queue = new PasswordHashes(WEAK);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const works = Array.from({ length: 1 + HASH_LIMITS.waiting }, (_, at) =>
    queue.run(() => {
      begun.push(at);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  await expect(queue.run(async () => undefined)).rejects.toBeInstanceOf(HashQueueFullError);
  expect(begun).toEqual([0]);
  for (let at = 0; at < works.length; at += 1) {
    ends[at]?.();
    await works[at];
    await Promise.resolve();
  }
  expect(begun).toEqual(works.map((_, at) => at));
  expect(await queue.run(async () => 'free')).toBe('free');
});
