import { type Cipher, createCipheriv } from 'node:crypto';
import { wipe } from '../../bytes.js';
import { CryptoError } from './errors.js';
import { expandTdesKey } from './tdes.js';

/**
 * One key ready to encipher block after block. Making a cipher object costs some three times what a block costs, so code that uses a key more than
 * once keeps one of these. Dispose of it when its message is done: that lets go of the key schedule.
 */
export class EcbEncryptor {
  readonly #cipher: Cipher;
  readonly blockBytes: 8 | 16;

  private constructor(algorithm: string, key: Uint8Array, blockBytes: 8 | 16) {
    this.#cipher = createCipheriv(algorithm, key, null);
    this.#cipher.setAutoPadding(false);
    this.blockBytes = blockBytes;
  }

  /**
   * With a TDES key of 8, 16 or 24 bytes.
   * @throws CryptoError badKeyLength
   */
  static tdes(key: Uint8Array): EcbEncryptor {
    const full = expandTdesKey(key);
    try {
      return new EcbEncryptor('des-ede3-ecb', full, 8);
    } finally {
      wipe(full);
    }
  }

  /**
   * With an AES key of 16, 24 or 32 bytes.
   * @throws CryptoError badKeyLength
   */
  static aes(key: Uint8Array): EcbEncryptor {
    if (key.length !== 16 && key.length !== 24 && key.length !== 32) {
      throw new CryptoError('badKeyLength', `${key.length} bytes, expected 16, 24 or 32`);
    }
    return new EcbEncryptor(`aes-${key.length * 8}-ecb`, key, 16);
  }

  /**
   * Whole blocks, each alone.
   * @throws CryptoError badDataLength
   */
  encrypt(blocks: Uint8Array): Buffer {
    if (blocks.length % this.blockBytes !== 0) {
      throw new CryptoError('badDataLength', `${blocks.length} bytes, block is ${this.blockBytes}`);
    }
    return this.#cipher.update(blocks);
  }

  /** Ends the use of the key; nothing can be enciphered any more. */
  dispose(): void {
    this.#cipher.final();
  }
}
