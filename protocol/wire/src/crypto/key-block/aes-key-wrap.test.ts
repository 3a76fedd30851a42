import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { aesDecryptEcb, aesEncryptEcb } from '../ciphers/aes.js';
import { unwrapKey, wrapKey } from './aes-key-wrap.js';
import type { BlockKey } from './remote-key.js';

const KEY = fromHex('00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F');

function blockKey(hex: string): BlockKey {
  const key = fromHex(hex);
  return { encrypt: (blocks) => aesEncryptEcb(key, blocks), decrypt: (blocks) => aesDecryptEcb(key, blocks) };
}

const KEK_256 = '000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F';

describe('AES Key Wrap', () => {
  // RFC 3394 §4.1, §4.4, §4.6
  it.each([
    ['000102030405060708090A0B0C0D0E0F', 16, '1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5'],
    [
      '000102030405060708090A0B0C0D0E0F1011121314151617',
      24,
      '031D33264E15D33268F24EC260743EDCE1C6C7DDEE725A936BA814915C6762D2',
    ],
    [KEK_256, 32, '28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21'],
  ])('gives the published result under %s', (kek, bytes, wrapped) => {
    const key = KEY.subarray(0, bytes);
    expect(toHex(wrapKey(blockKey(kek), key))).toBe(wrapped);
    expect(toHex(unwrapKey(blockKey(kek), fromHex(wrapped)))).toBe(toHex(key));
  });

  it('agrees with OpenSSL', () => {
    const [kek, key] = [randomBytes(32), randomBytes(32)];
    const cipher = createCipheriv('id-aes256-wrap', kek, Buffer.alloc(8, 0xa6));
    const expected = Buffer.concat([cipher.update(key), cipher.final()]);
    expect(wrapKey(blockKey(toHex(kek)), key)).toEqual(expected);
  });

  it('refuses every changed byte, another key, and what has not the length of a wrapped key', () => {
    const wrapped = wrapKey(blockKey(KEK_256), KEY);
    for (let at = 0; at < wrapped.length; at += 1) {
      const changed = Buffer.from(wrapped);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => unwrapKey(blockKey(KEK_256), changed)).toThrow(/^badTag/);
    }
    const other = blockKey(toHex(randomBytes(32)));
    expect(() => unwrapKey(other, wrapped)).toThrow(/^badTag/);
    for (const bytes of [0, 8, 16, 23, 39])
      expect(() => unwrapKey(other, wrapped.subarray(0, bytes))).toThrow(/^badLength/);
    for (const bytes of [0, 8, 17])
      expect(() => wrapKey(other, KEY.subarray(0, bytes))).toThrow(/^badKeyLength/);
  });
});
