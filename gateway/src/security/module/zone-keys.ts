import { equalConstantTime, withSecret } from '@tillbridge/wire/bytes.js';
import { ZERO_AES_BLOCK } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { withOddParity, ZERO_BLOCK } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { requireProtection } from '@tillbridge/wire/crypto/key-block/key-block-policy.js';
import { operationsOf } from '../keys/key-operations.js';
import { checkValue, isTdes, SYMMETRIC_KEY_BYTES } from '../keys/key-rules.js';
import {
  type KeyAlgorithm,
  type KeyInfo,
  type KeyOperations,
  type KeyStore,
  KeyStoreError,
  requireKey,
  underFirst,
} from '../keys/key-store.js';
import { withKeyOfBlock } from './key-block-import.js';
import {
  MAX_ZONE_KEY_OVERLAP_MS,
  type ReplaceZoneKeyRequest,
  SecurityModuleError,
  type WrappedZoneKey,
} from './security-module.js';

/** A key as TDES blocks under the zone transport key of a partner, and its check value. */
interface ZoneCryptogram extends Extract<WrappedZoneKey, { readonly cryptogram: Uint8Array }> {
  readonly partner: string;
}

/** What a key is, by the length of its cryptogram. */
const ALGORITHMS: Readonly<Record<number, KeyAlgorithm>> = { 16: 'tdes2', 24: 'tdes3' };

/**
 * Opens a key that a partner sent under the zone transport key, or under one that it replaced; the operation gets the key, which is wiped
 * afterwards. Parity bits are set: they say nothing of the key.
 * @throws KeyStoreError noKey, badKey, kcvMismatch; CryptoError weakProtection
 */
export function withKeyOfCryptogram<T>(
  keys: KeyStore,
  { partner, cryptogram, kcv }: ZoneCryptogram,
  operation: (algorithm: KeyAlgorithm, key: Uint8Array) => T,
): T {
  const algorithm = ALGORITHMS[cryptogram.length];
  if (algorithm === undefined)
    throw new KeyStoreError('badKey', `a cryptogram of ${cryptogram.length} bytes; a TDES key has 16 or 24`);
  const current = requireKey(keys, 'zmk', partner);
  const key = underFirst([current, ...keys.predecessors(current)], isOfOtherKey, (zmk) => {
    const by = { algorithm: 'T', bytes: SYMMETRIC_KEY_BYTES[zmk.algorithm] };
    requireProtection(by, { algorithm: 'T', bytes: cryptogram.length });
    return withSecret(
      keys.operate(zmk, ({ decrypt }) => decrypt(cryptogram)),
      (clear) => checked(partner, algorithm, withOddParity(clear), kcv),
    );
  });
  return withSecret(key, () => operation(algorithm, key));
}

function checked(partner: string, algorithm: KeyAlgorithm, key: Buffer, kcv: string): Buffer {
  if (checkValue(algorithm, key) === kcv.toUpperCase()) return key;
  key.fill(0);
  throw new KeyStoreError('kcvMismatch', `the key that ${partner} sent`);
}

function isOfOtherKey(error: unknown): boolean {
  return (
    (error instanceof KeyStoreError && error.code === 'kcvMismatch') ||
    (error instanceof CryptoError && error.rule === 'weakProtection')
  );
}

/**
 * Puts a key that a partner sent in the place of the one in use, or takes the first one in.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function replaceZoneKey(keys: KeyStore, request: ReplaceZoneKeyRequest): KeyInfo {
  const { partner, usage, wrapped, keepOldMs } = request;
  if (!Number.isSafeInteger(keepOldMs) || keepOldMs < 0 || keepOldMs > MAX_ZONE_KEY_OVERLAP_MS)
    throw new SecurityModuleError('bad-data', `the overlap is not 0 to ${MAX_ZONE_KEY_OVERLAP_MS} ms`);
  const take = (algorithm: KeyAlgorithm, key: Uint8Array) => put(keys, request, algorithm, key);
  return 'block' in wrapped
    ? withKeyOfBlock(keys, { partner, usage, block: wrapped.block }, take)
    : withKeyOfCryptogram(keys, { partner, ...wrapped }, take);
}

function put(
  keys: KeyStore,
  { partner, usage, keepOldMs }: ReplaceZoneKeyRequest,
  algorithm: KeyAlgorithm,
  key: Uint8Array,
): KeyInfo {
  const isIt = (info: KeyInfo): boolean => isSame(keys, info, algorithm, key);
  const current = keys.find(usage, partner);
  if (current && isIt(current)) return current;
  const id = `${usage}-${partner}-${checkValue(algorithm, key)}`;
  const old = current && keys.predecessors(current).find(isIt);
  if (old !== undefined) throw new KeyStoreError('retired', `${old.id} was sent again`);
  try {
    return current === undefined
      ? keys.add({ id, usage, scope: partner, label: 'from the acquirer', algorithm, key })
      : keys.rotate(current.id, { id, algorithm, key, keepOldMs });
  } catch (error) {
    // Another node received the same key and was faster.
    const now = error instanceof KeyStoreError ? keys.find(usage, partner) : undefined;
    if (now && isIt(now)) return now;
    throw error;
  }
}

/** Whether a key of the store has these bytes: by the whole block of the check value. */
function isSame(keys: KeyStore, info: KeyInfo, algorithm: KeyAlgorithm, key: Uint8Array): boolean {
  if (info.algorithm !== algorithm) return false;
  const block = ({ encrypt, cmac }: KeyOperations) =>
    isTdes(algorithm) ? encrypt(ZERO_BLOCK) : cmac(ZERO_AES_BLOCK);
  return equalConstantTime(keys.operate(info, block), block(operationsOf(algorithm, key)));
}
