import { aesDecryptEcb, aesEncryptEcb } from '@tillbridge/protocol/crypto/aes.js';
import { aesCmac, retailMac, tdesCmac } from '@tillbridge/protocol/crypto/mac.js';
import type { MacPadding } from '@tillbridge/protocol/crypto/padding.js';
import type { BlockKey } from '@tillbridge/protocol/crypto/remote-key.js';
import { tdesDecryptEcb, tdesEncryptEcb } from '@tillbridge/protocol/crypto/tdes.js';
import { isTdes } from './key-rules.js';
import type { SymmetricKeyAlgorithm } from './key-store.js';

/**
 * What one symmetric key does for an operation, wherever its bytes are: in this process for the length of the operation, or in a token for good.
 * Not to be kept beyond the operation.
 */
export interface KeyOperations extends BlockKey {
  /** The retail MAC (ISO/IEC 9797-1 algorithm 3) of a double-length TDES key, eight bytes. */
  readonly retailMac: (data: Uint8Array, padding: MacPadding) => Buffer;
  /** CMAC (NIST SP 800-38B), one block. */
  readonly cmac: (data: Uint8Array) => Buffer;
}

/** The operations of a key whose bytes are at hand; they stop working when the bytes are wiped. */
export function operationsOf(algorithm: SymmetricKeyAlgorithm, key: Uint8Array): KeyOperations {
  const mac = (data: Uint8Array, padding: MacPadding): Buffer => retailMac(key, data, padding);
  return isTdes(algorithm)
    ? {
        encrypt: (blocks) => tdesEncryptEcb(key, blocks),
        decrypt: (blocks) => tdesDecryptEcb(key, blocks),
        retailMac: mac,
        cmac: (data) => tdesCmac(key, data),
      }
    : {
        encrypt: (blocks) => aesEncryptEcb(key, blocks),
        decrypt: (blocks) => aesDecryptEcb(key, blocks),
        retailMac: mac,
        cmac: (data) => aesCmac(key, data),
      };
}
