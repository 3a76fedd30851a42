import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { padForMac } from '@tillbridge/wire/crypto/ciphers/padding.js';
import { DES_BLOCK_BYTES, ZERO_BLOCK } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import type { KeyOperations } from '../keys/key-store.js';
import type { TokenKeyEntry } from './pkcs11-keys.js';
import type { Pkcs11Token } from './pkcs11-token.js';

/** The operations of a key that stays in the token. */
export function tokenOperations(token: Pkcs11Token, entry: TokenKeyEntry): KeyOperations {
  const { key, type } = entry;
  return {
    encrypt: (blocks) => token.encrypt(key, type, blocks),
    decrypt: (blocks) => token.decrypt(key, type, blocks),
    cmac: (data) => token.cmac(key, type, data),
    cbcMac: (data, padding) =>
      token
        .encrypt(key, type, padForMac(data, padding, DES_BLOCK_BYTES), ZERO_BLOCK)
        .subarray(-DES_BLOCK_BYTES),
    retailMac: (data, padding) => {
      const { companion } = entry;
      if (companion === undefined)
        throw new CryptoError('badKeyLength', `${entry.id} is no double-length MAC key`);
      // Single DES up to the last block, which the whole key then enciphers: the retail MAC in the token's own mechanisms.
      const padded = padForMac(data, padding, DES_BLOCK_BYTES);
      const last = padded.length - DES_BLOCK_BYTES;
      const before =
        last === 0
          ? ZERO_BLOCK
          : token.encrypt(companion, 'des2', padded.subarray(0, last), ZERO_BLOCK).subarray(-DES_BLOCK_BYTES);
      return token.encrypt(key, type, padded.subarray(last), before);
    },
  };
}
