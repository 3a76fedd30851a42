import { withSecret } from '@tillbridge/wire/bytes.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { isTdes, SYMMETRIC_KEY_BYTES } from './key-rules.js';
import type { KeyAlgorithm } from './key-store.js';

/** A fresh key, of odd parity for TDES. The caller wipes it. */
export function newKeyBytes(algorithm: KeyAlgorithm, random: Random): Buffer {
  return withSecret(random.bytes(SYMMETRIC_KEY_BYTES[algorithm]), (bytes) =>
    isTdes(algorithm) ? withOddParity(bytes) : Buffer.from(bytes),
  );
}
