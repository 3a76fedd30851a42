/** Enciphers or deciphers whole blocks; without an initial value each alone. */
type Cipher = (key: Uint8Array, iv: Uint8Array | null, data: Uint8Array) => Buffer;

/** Both modes of a block cipher that work on whole blocks: nothing is padded, and no padding is removed. */
export function blockModes(encrypt: Cipher, decrypt: Cipher) {
  return {
    /** Enciphers blocks, each alone. @throws CryptoError badKeyLength, badDataLength */
    encryptEcb: (key: Uint8Array, data: Uint8Array): Buffer => encrypt(key, null, data),
    /** Deciphers blocks, each alone. @throws CryptoError badKeyLength, badDataLength */
    decryptEcb: (key: Uint8Array, data: Uint8Array): Buffer => decrypt(key, null, data),
    /** Enciphers blocks in cipher block chaining. @throws CryptoError badKeyLength, badDataLength, badIv */
    encryptCbc: (key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer => encrypt(key, iv, data),
    /** Deciphers blocks in cipher block chaining. @throws CryptoError badKeyLength, badDataLength, badIv */
    decryptCbc: (key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer => decrypt(key, iv, data),
  };
}
