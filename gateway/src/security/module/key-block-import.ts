import { withSecret } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import type { UnwrappedKey } from '@tillbridge/wire/crypto/key-block/key-block.js';
import type { KeyBlockHeader } from '@tillbridge/wire/crypto/key-block/key-block-header.js';
import {
  type KeyUseName,
  importKeyBlock as openKeyBlock,
} from '@tillbridge/wire/crypto/key-block/key-block-policy.js';
import { present } from '@tillbridge/wire/present.js';
import { isTdes, SYMMETRIC_KEY_BYTES } from '../keys/key-rules.js';
import {
  type KeyAlgorithm,
  type KeyInfo,
  type KeyStore,
  KeyStoreError,
  type KeyUsage,
  type Replacement,
  requireKey,
  underFirst,
} from '../keys/key-store.js';
import type { ImportKeyBlockRequest } from './security-module.js';

/** What the header must allow for each use of the store (X9.143 tables 5 to 8). */
const HEADER_USES: Readonly<Record<KeyUsage, KeyUseName>> = {
  'bdk-data': 'baseDerivation',
  'bdk-pin': 'baseDerivation',
  'bdk-mac': 'baseDerivation',
  'imk-ac': 'issuerMasterAc',
  'imk-smi': 'issuerMasterSmi',
  'imk-smc': 'issuerMasterSmc',
  pvk: 'pinVerificationVisa',
  'pvk-ibm': 'pinVerificationIbm',
  cvk: 'cardVerification',
  'zone-pin': 'pinEncipher',
  mac: 'messageCode',
  kbpk: 'keyBlockProtection',
  zmk: 'keyEncipherment',
  'vault-kek': 'keyBlockProtection',
};

/**
 * Opens a key block under a partner's protection key; the operation gets the key, which is wiped afterwards.
 * @throws KeyStoreError, CryptoError
 */
export function withKeyOfBlock<T>(
  keys: KeyStore,
  { partner, block, usage }: Pick<ImportKeyBlockRequest, 'partner' | 'block' | 'usage'>,
  operation: (algorithm: KeyAlgorithm, key: Uint8Array) => T,
): T {
  const { header, key } = openUnder(keys, requireKey(keys, 'kbpk', partner), block, HEADER_USES[usage]);
  return withSecret(key, () => operation(algorithmOf(header, key), key));
}

/** Opens a block under the protection key, or under one that it replaced. */
function openUnder(keys: KeyStore, current: KeyInfo, block: string, use: KeyUseName): UnwrappedKey {
  return underFirst([current, ...keys.predecessors(current)], isOfOtherKey, (info) =>
    keys.operate(info, ({ cmac }) => {
      const cipher = isTdes(info.algorithm) ? 'tdes' : 'aes';
      return openKeyBlock({ cipher, bytes: bytesOf(info), cmac }, block, use);
    }),
  );
}

function isOfOtherKey(error: unknown): boolean {
  return error instanceof CryptoError && (error.rule === 'badMac' || error.rule === 'badKbpk');
}

function bytesOf({ algorithm }: KeyInfo): number {
  return SYMMETRIC_KEY_BYTES[algorithm];
}

/**
 * Takes a key out of a block into the store.
 * @throws KeyStoreError and CryptoError, which the module translates
 */
export function importKeyBlock(keys: KeyStore, request: ImportKeyBlockRequest): KeyInfo {
  const { id, usage, scope, deviceType, label, expectedKcv } = request;
  return withKeyOfBlock(keys, request, (algorithm, key) =>
    keys.add({ id, usage, algorithm, scope, label, key, ...present({ deviceType, expectedKcv }) }),
  );
}

/**
 * Takes a key out of a block and puts it in the place of another of the same use.
 * @throws KeyStoreError and CryptoError
 */
export function replaceByKeyBlock(
  keys: KeyStore,
  request: Pick<ImportKeyBlockRequest, 'partner' | 'block' | 'usage'>,
  replaced: string,
  replacement: Omit<Replacement, 'key' | 'algorithm'>,
): KeyInfo {
  return withKeyOfBlock(keys, request, (algorithm, key) =>
    keys.rotate(replaced, { ...replacement, algorithm, key }),
  );
}

const PREFIXES: Readonly<Record<string, string>> = { T: 'tdes', A: 'aes' };

function algorithmOf({ algorithm }: KeyBlockHeader, key: Uint8Array): KeyAlgorithm {
  const prefix = PREFIXES[algorithm];
  for (const [name, bytes] of Object.entries(SYMMETRIC_KEY_BYTES)) {
    if (prefix !== undefined && name.startsWith(prefix) && bytes === key.length) return name as KeyAlgorithm;
  }
  throw new KeyStoreError('badKey', `${key.length} bytes for header algorithm ${algorithm}`);
}
