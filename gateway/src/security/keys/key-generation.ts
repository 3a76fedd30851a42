import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { withSecret } from '@tillbridge/protocol/bytes.js';
import { withOddParity } from '@tillbridge/protocol/crypto/ciphers/tdes.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { isTdes, privateKeyOf, SYMMETRIC_KEY_BYTES } from './key-rules.js';
import { type KeyAlgorithm, type KeyInfo, KeyStoreError, type ReadableKeyStore } from './key-store.js';

/** A fresh key in the store's form: symmetric bytes (odd parity for TDES), or PKCS#8 DER. The caller wipes it. */
export function newKeyBytes(algorithm: KeyAlgorithm, random: Random): Buffer {
  if (algorithm === 'ecP256') {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return privateKey.export({ format: 'der', type: 'pkcs8' });
  }
  return withSecret(random.bytes(SYMMETRIC_KEY_BYTES[algorithm]), (bytes) =>
    isTdes(algorithm) ? withOddParity(bytes) : Buffer.from(bytes),
  );
}

/**
 * The public part of a private key, PEM (SPKI).
 * @throws KeyStoreError notPublic for a symmetric key: nothing of it is public but its check value
 */
export function publicKeyPem(store: ReadableKeyStore, info: KeyInfo): string {
  if (info.algorithm !== 'ecP256') throw new KeyStoreError('notPublic', `${info.id} is ${info.algorithm}`);
  return store.use(info, (der) =>
    createPublicKey(privateKeyOf(der)).export({ format: 'pem', type: 'spki' }),
  ) as string;
}
