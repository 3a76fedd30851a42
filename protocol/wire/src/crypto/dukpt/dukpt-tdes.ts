import { wipe, xorInto } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { tdesEncryptEcb } from '../ciphers/tdes.js';
import { countOnes, requireLegalCounter } from './counter.js';

/** Bytes of a TDES DUKPT key serial number. */
export const TDES_KSN_BYTES = 10;
/** The transaction counter is the low 21 bits of the KSN (X9.24-1 A.2). */
const TDES_COUNTER_MASK = 0x1fffff;
/** More one-bits than this never occur in a legal counter (X9.24-1 A.2). */
export const TDES_COUNTER_MAX_ONES = 10;

/** What a working key is for; each use and direction has its own key (X9.24-1 A.4.1). */
export type TdesKeyUsage = 'pin' | 'macRequest' | 'macResponse' | 'dataRequest' | 'dataResponse';

/** The byte of each half that the variant flips, always with FF (X9.24-1 table A-1). */
const VARIANT_BYTE: Readonly<Record<TdesKeyUsage, number>> = {
  pin: 7,
  macRequest: 6,
  macResponse: 4,
  dataRequest: 5,
  dataResponse: 3,
};

/** Mask of a key (X9.24-1 A.2, A.6): the masked key derives the other half of the next key. */
const RIGHT_HALF_MASK = Buffer.from('C0C0C0C000000000C0C0C0C000000000', 'hex');

function requireKey(key: Uint8Array): void {
  if (key.length !== 16) throw new CryptoError('badKeyLength', `${key.length} bytes, expected 16`);
}

function requireKsn(ksn: Uint8Array): void {
  if (ksn.length !== TDES_KSN_BYTES)
    throw new CryptoError('badKsn', `${ksn.length} bytes, expected ${TDES_KSN_BYTES}`);
}

/**
 * The transaction counter of a KSN.
 * @throws CryptoError badKsn
 */
export function tdesCounter(ksn: Uint8Array): number {
  requireKsn(ksn);
  return (((ksn[7] ?? 0) << 16) | ((ksn[8] ?? 0) << 8) | (ksn[9] ?? 0)) & TDES_COUNTER_MASK;
}

/**
 * The counter of a KSN that may stand with a transaction.
 * @throws CryptoError badKsn, badCounter when it is zero or has more than 10 one-bits
 */
export function requireLegalTdesCounter(ksn: Uint8Array): number {
  return requireLegalCounter(tdesCounter(ksn), TDES_COUNTER_MAX_ONES);
}

/** The KSN with its counter replaced. */
export function withTdesCounter(ksn: Uint8Array, counter: number): Buffer {
  requireKsn(ksn);
  const out = Buffer.from(ksn);
  out[7] = ((out[7] ?? 0) & 0xe0) | (counter >>> 16);
  out[8] = (counter >>> 8) & 0xff;
  out[9] = counter & 0xff;
  return out;
}

/**
 * The initial key of a device from the base derivation key (X9.24-1 A.6). The counter of the KSN does not matter.
 * @throws CryptoError badKeyLength, badKsn
 */
export function deriveInitialKey(bdk: Uint8Array, ksn: Uint8Array): Buffer {
  requireKey(bdk);
  const id = withTdesCounter(ksn, 0).subarray(0, 8);
  const maskedBdk = Buffer.from(bdk);
  xorInto(maskedBdk, RIGHT_HALF_MASK);
  const key = Buffer.concat([tdesEncryptEcb(bdk, id), tdesEncryptEcb(maskedBdk, id)]);
  wipe(maskedBdk);
  return key;
}

/**
 * The key of one transaction before any variant (X9.24-1 A.3): one one-way step for every one-bit of the counter.
 * @throws CryptoError badKeyLength, badKsn, badCounter
 */
export function deriveTransactionKey(initialKey: Uint8Array, ksn: Uint8Array): Buffer {
  requireKey(initialKey);
  const counter = requireLegalTdesCounter(ksn);
  let key: Buffer = Buffer.from(initialKey);
  let reached = 0;
  for (let bit = 0x100000; bit !== 0; bit >>>= 1) {
    if ((counter & bit) === 0) continue;
    reached |= bit;
    const next = oneWayStep(key, withTdesCounter(ksn, reached).subarray(2));
    wipe(key);
    key = next;
  }
  return key;
}

/** Non-reversible key generation (X9.24-1 A.2): both halves of the next key from this key and eight KSN bytes. */
function oneWayStep(key: Uint8Array, register: Uint8Array): Buffer {
  const masked = Buffer.from(key);
  xorInto(masked, RIGHT_HALF_MASK);
  const next = Buffer.concat([oneWayHalf(masked, register), oneWayHalf(key, register)]);
  wipe(masked);
  return next;
}

function oneWayHalf(key: Uint8Array, register: Uint8Array): Buffer {
  const right = key.subarray(8);
  const block = Buffer.from(register);
  xorInto(block, right);
  const out = tdesEncryptEcb(key.subarray(0, 8), block);
  xorInto(out, right);
  return out;
}

/**
 * The key for one use and direction. PIN and MAC keys are the transaction key with a variant; a data key takes one more
 * one-way step, each half enciphered under the whole variant (X9.24-1 A.4.1).
 * @throws CryptoError badKeyLength
 */
export function workingKey(transactionKey: Uint8Array, usage: TdesKeyUsage): Buffer {
  const variant = dataKeyVariant(transactionKey, usage);
  if (usage !== 'dataRequest' && usage !== 'dataResponse') return variant;
  const key = tdesEncryptEcb(variant, variant);
  wipe(variant);
  return key;
}

/**
 * The variant alone, without the one-way step of data keys: some readers encipher under it (a matter of the device profile).
 * @throws CryptoError badKeyLength
 */
export function dataKeyVariant(transactionKey: Uint8Array, usage: TdesKeyUsage): Buffer {
  requireKey(transactionKey);
  const variant = Buffer.from(transactionKey);
  const at = VARIANT_BYTE[usage];
  variant[at] = (variant[at] ?? 0) ^ 0xff;
  variant[at + 8] = (variant[at + 8] ?? 0) ^ 0xff;
  return variant;
}

/**
 * The KSN of the next transaction: the next counter with at most 10 one-bits.
 * @throws CryptoError badKsn, counterExhausted
 */
export function advanceKsn(ksn: Uint8Array): Buffer {
  let counter = tdesCounter(ksn) + 1;
  // Adding the lowest one-bit is the shortest way to fewer one-bits.
  while (countOnes(counter) > TDES_COUNTER_MAX_ONES) counter += counter & -counter;
  if (counter > TDES_COUNTER_MASK)
    throw new CryptoError('counterExhausted', 'all counters of the key are used');
  return withTdesCounter(ksn, counter);
}
