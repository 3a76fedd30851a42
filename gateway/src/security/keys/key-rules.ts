import { timingSafeEqual } from 'node:crypto';
import { toHex } from '@tillbridge/wire/bytes.js';
import { aesKcv, tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { hasOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { type KeyAlgorithm, type KeyInfo, KeyStoreError, type KeyUsage, type NewKey } from './key-store.js';

/** Bytes of symmetric keys. */
export const SYMMETRIC_KEY_BYTES: Readonly<Record<KeyAlgorithm, number>> = {
  tdes2: 16,
  tdes3: 24,
  aes128: 16,
  aes192: 24,
  aes256: 32,
};

interface UsageRule {
  readonly algorithms: readonly KeyAlgorithm[];
  /** `name`: the scope is a whole name; `prefix`: the beginning of a KSN or PAN. */
  readonly scope: 'name' | 'prefix';
  /** Whether a new key may take the old one's place at once: not where devices or cards carry derived keys or values. */
  readonly rotatable: boolean;
}

const TDES2: readonly KeyAlgorithm[] = ['tdes2'];
const TDES: readonly KeyAlgorithm[] = ['tdes2', 'tdes3'];
const TDES2_OR_AES: readonly KeyAlgorithm[] = ['tdes2', 'aes128', 'aes192', 'aes256'];
const ANY_SYMMETRIC: readonly KeyAlgorithm[] = ['tdes2', 'tdes3', 'aes128', 'aes192', 'aes256'];

/** What every use of keys requires of them. */
export const USAGE_RULES: Readonly<Record<KeyUsage, UsageRule>> = {
  'bdk-data': { algorithms: TDES2_OR_AES, scope: 'prefix', rotatable: false },
  'bdk-pin': { algorithms: TDES2_OR_AES, scope: 'prefix', rotatable: false },
  'bdk-mac': { algorithms: TDES2_OR_AES, scope: 'prefix', rotatable: false },
  'imk-ac': { algorithms: TDES2, scope: 'prefix', rotatable: false },
  'imk-smi': { algorithms: TDES2, scope: 'prefix', rotatable: false },
  'imk-smc': { algorithms: TDES2, scope: 'prefix', rotatable: false },
  pvk: { algorithms: TDES2, scope: 'prefix', rotatable: false },
  'pvk-ibm': { algorithms: TDES2, scope: 'prefix', rotatable: false },
  cvk: { algorithms: TDES2, scope: 'prefix', rotatable: false },
  'zone-pin': { algorithms: ANY_SYMMETRIC, scope: 'name', rotatable: true },
  mac: { algorithms: ANY_SYMMETRIC, scope: 'name', rotatable: true },
  kbpk: { algorithms: ANY_SYMMETRIC, scope: 'name', rotatable: true },
  // A key under AES comes in a key block; blocks enciphered one by one are a method of TDES alone.
  zmk: { algorithms: TDES, scope: 'name', rotatable: true },
  'vault-kek': { algorithms: ['aes256'], scope: 'name', rotatable: false },
};

/** Whether a key serves a subject: by the whole name, or by the beginning of a KSN or PAN. */
function isInScope({ usage, scope }: Pick<KeyInfo, 'usage' | 'scope'>, subject: string): boolean {
  return USAGE_RULES[usage].scope === 'name' ? scope === subject : subject.startsWith(scope);
}

/** The key that serves a subject best: the one in place with the longest scope. */
export function bestOf<T extends KeyInfo>(
  keys: readonly T[],
  usage: KeyUsage,
  subject: string,
): T | undefined {
  let best: T | undefined;
  for (const key of keys) {
    if (key.usage !== usage || key.retiredUntilMs !== undefined || !isInScope(key, subject)) continue;
    if (best === undefined || key.scope.length > best.scope.length) best = key;
  }
  return best;
}

/** The rotated keys of the same use and scope that still open what was closed under them, the youngest first. */
export function predecessorsOf<T extends KeyInfo>(
  keys: readonly T[],
  { usage, scope }: KeyInfo,
  nowMs: number,
): T[] {
  return keys
    .filter((key) => key.usage === usage && key.scope === scope && (key.retiredUntilMs ?? 0) > nowMs)
    .sort((a, b) => (b.retiredUntilMs ?? 0) - (a.retiredUntilMs ?? 0));
}

/** The key with an id. @throws KeyStoreError noKey */
export function requireId<T extends Pick<KeyInfo, 'id'>>(keys: readonly T[], id: string): T {
  const key = keys.find((candidate) => candidate.id === id);
  if (key === undefined) throw new KeyStoreError('noKey', `id ${id}; "keys list" shows them`);
  return key;
}

/** Refuses a key that no other one may replace. @throws KeyStoreError retired, notRotatable */
export function requireRotatable({ id, usage, retiredUntilMs }: KeyInfo): void {
  if (retiredUntilMs !== undefined) throw new KeyStoreError('retired', id);
  if (!USAGE_RULES[usage].rotatable) throw new KeyStoreError('notRotatable', `${id}: ${usage}`);
}

/** Whether a key opens something at a moment: it was not replaced, or its time is not over. */
export function isUsableAt({ retiredUntilMs }: KeyInfo, nowMs: number): boolean {
  return (retiredUntilMs ?? Number.POSITIVE_INFINITY) > nowMs;
}

/** Whether a use is one of base derivation keys. */
export function isBaseKeyUsage(usage: KeyUsage): usage is 'bdk-data' | 'bdk-pin' | 'bdk-mac' {
  return usage === 'bdk-data' || usage === 'bdk-pin' || usage === 'bdk-mac';
}

/** Whether an algorithm is one of TDES. */
export function isTdes(algorithm: KeyAlgorithm): boolean {
  return algorithm === 'tdes2' || algorithm === 'tdes3';
}

/**
 * Refuses a key that is not of its algorithm, or whose algorithm does not serve its use.
 * @throws KeyStoreError badUse, badKey
 */
export function requireFit({ id, usage, algorithm, key }: NewKey): void {
  const { algorithms } = USAGE_RULES[usage];
  if (!algorithms.includes(algorithm))
    throw new KeyStoreError('badUse', `${id}: ${usage} takes ${algorithms.join(', ')}, not ${algorithm}`);
  const expected = SYMMETRIC_KEY_BYTES[algorithm];
  if (key.length !== expected)
    throw new KeyStoreError('badKey', `${id}: ${key.length} bytes, ${algorithm} has ${expected}`);
  if (!isTdes(algorithm)) return;
  if (!hasOddParity(key)) throw new KeyStoreError('badKey', `${id}: a byte has even parity`);
  if (isSingleDes(key))
    throw new KeyStoreError('badKey', `${id}: two parts in a row are the same, which leaves single DES`);
  if ((usage === 'kbpk' || usage === 'zmk') && algorithm === 'tdes3' && isTwoKeys(key))
    throw new KeyStoreError('badKey', `${id}: its first and third part are the same: bring it in as tdes2`);
}

/** Whether a TDES key of three parts is one of two: it would pass for a stronger protection key than it is. */
function isTwoKeys(key: Uint8Array): boolean {
  return timingSafeEqual(key.subarray(0, DES_KEY_BYTES), key.subarray(2 * DES_KEY_BYTES));
}

const DES_KEY_BYTES = 8;

/** Do two adjacent parts of a TDES key undo each other (SP 800-67 §3.2)? */
function isSingleDes(key: Uint8Array): boolean {
  for (let at = DES_KEY_BYTES; at < key.length; at += DES_KEY_BYTES) {
    const previous = key.subarray(at - DES_KEY_BYTES, at);
    if (timingSafeEqual(previous, key.subarray(at, at + DES_KEY_BYTES))) return true;
  }
  return false;
}

/**
 * The check value by which people compare keys: three bytes, uppercase hex.
 * @throws KeyStoreError badKey
 */
export function checkValue(algorithm: KeyAlgorithm, key: Uint8Array): string {
  return toHex(isTdes(algorithm) ? tdesKcv(key) : aesKcv(key));
}
