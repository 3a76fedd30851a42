import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { accessTokenHash, accessTokenHashes } from './access-token-hash.js';

const KEY = createSecretKey(Buffer.alloc(32, 7));

test('a remembered hash is the hash, for each token and beyond the number that is remembered', () => {
  const hashOf = accessTokenHashes(KEY);
  const tokens = Array.from({ length: 2_100 }, (_, at) => `tb_${at}`);
  for (const token of [...tokens, ...tokens]) expect(hashOf(token)).toBe(accessTokenHash(KEY, token));
});

test('another key has other hashes of the same token', () => {
  const other = createSecretKey(Buffer.alloc(32, 8));
  expect(accessTokenHashes(KEY)('tb_1')).not.toBe(accessTokenHashes(other)('tb_1'));
});
