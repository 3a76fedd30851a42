import { aesDecryptEcb, aesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { aesCmac, iso9797Algorithm1, retailMac, tdesCmac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import type { MacPadding } from '@tillbridge/wire/crypto/ciphers/padding.js';
import { tdesDecryptEcb, tdesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { isTdes } from './key-rules.js';
import type { KeyAlgorithm, KeyOperations } from './key-store.js';

/** The operations of a key whose bytes are at hand; they stop working when the bytes are wiped. */
export function operationsOf(algorithm: KeyAlgorithm, key: Uint8Array): KeyOperations {
  const macs = {
    cbcMac: (data: Uint8Array, padding: MacPadding): Buffer => iso9797Algorithm1(key, data, padding),
    retailMac: (data: Uint8Array, padding: MacPadding): Buffer => retailMac(key, data, padding),
  };
  return isTdes(algorithm)
    ? {
        encrypt: (blocks) => tdesEncryptEcb(key, blocks),
        decrypt: (blocks) => tdesDecryptEcb(key, blocks),
        ...macs,
        cmac: (data) => tdesCmac(key, data),
      }
    : {
        encrypt: (blocks) => aesEncryptEcb(key, blocks),
        decrypt: (blocks) => aesDecryptEcb(key, blocks),
        ...macs,
        cmac: (data) => aesCmac(key, data),
      };
}
