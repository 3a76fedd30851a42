import { wipe } from '../../bytes.js';
import { aesEncryptEcb } from '../ciphers/aes.js';
import { CryptoError } from '../ciphers/errors.js';
import { countOnes, requireLegalCounter } from './counter.js';

/** Bytes of an AES DUKPT key serial number: initial key id and counter. */
export const AES_KSN_BYTES = 12;
/** Bytes of the initial key id, the front of the KSN. */
export const INITIAL_KEY_ID_BYTES = 8;
/** More one-bits than this never occur in a legal counter (X9.24-3 §6.3). */
export const AES_COUNTER_MAX_ONES = 16;
/** The highest legal counter. */
const AES_COUNTER_LAST = 0xffff0000;
/** The counter at which the update key is derived: never that of a transaction (X9.24-3 §6.5). */
const AES_UPDATE_KEY_COUNTER = 0xffffffff;

/** Key usage indicators (X9.24-3 table 2). */
const AES_KEY_USAGES = {
  keyEncryption: 0x0002,
  pin: 0x1000,
  macGeneration: 0x2000,
  macVerification: 0x2001,
  macBothWays: 0x2002,
  dataEncrypt: 0x3000,
  dataDecrypt: 0x3001,
  dataBothWays: 0x3002,
  keyDerivation: 0x8000,
  initialKey: 0x8001,
} as const;

/** What a derived key is for. */
export type AesKeyUsage = keyof typeof AES_KEY_USAGES;

interface KeyType {
  /** Algorithm indicator of the derivation data (X9.24-3 table 3). */
  readonly algorithm: number;
  readonly bytes: number;
}

/** Algorithms that a key can be derived for. */
const DERIVED_KEY_TYPES = {
  tdes2: { algorithm: 0, bytes: 16 },
  tdes3: { algorithm: 1, bytes: 24 },
  aes128: { algorithm: 2, bytes: 16 },
  aes192: { algorithm: 3, bytes: 24 },
  aes256: { algorithm: 4, bytes: 32 },
  hmac128: { algorithm: 5, bytes: 16 },
  hmac192: { algorithm: 5, bytes: 24 },
  hmac256: { algorithm: 5, bytes: 32 },
} as const satisfies Readonly<Record<string, KeyType>>;

/** The algorithm of a derived key. */
export type DerivedKeyType = keyof typeof DERIVED_KEY_TYPES;
/** The algorithms of base derivation, initial and intermediate keys. */
export type AesKeyType = 'aes128' | 'aes192' | 'aes256';

/**
 * The AES key type of a key by its length.
 * @throws CryptoError badKeyLength
 */
export function aesKeyType(key: Uint8Array): AesKeyType {
  if (key.length === 16) return 'aes128';
  if (key.length === 24) return 'aes192';
  if (key.length === 32) return 'aes256';
  throw new CryptoError('badKeyLength', `${key.length} bytes, expected 16, 24 or 32`);
}

function requireKsn(ksn: Uint8Array): void {
  if (ksn.length !== AES_KSN_BYTES)
    throw new CryptoError('badKsn', `${ksn.length} bytes, expected ${AES_KSN_BYTES}`);
}

/**
 * The transaction counter, the last four bytes of a KSN.
 * @throws CryptoError badKsn
 */
export function aesCounter(ksn: Uint8Array): number {
  requireKsn(ksn);
  return new DataView(ksn.buffer, ksn.byteOffset, ksn.byteLength).getUint32(INITIAL_KEY_ID_BYTES);
}

/**
 * The counter of a KSN that may stand with a transaction.
 * @throws CryptoError badKsn, badCounter when it is zero or has more than 16 one-bits
 */
export function requireLegalAesCounter(ksn: Uint8Array): number {
  return requireLegalCounter(aesCounter(ksn), AES_COUNTER_MAX_ONES);
}

/** The 16 bytes that are enciphered to make one block of a key (X9.24-3 §6.3.2), block counter 1 and up. */
export function derivationData(
  usage: AesKeyUsage,
  type: DerivedKeyType,
  initialKeyId: Uint8Array,
  counter: number,
  block: number = 1,
): Buffer {
  const { algorithm, bytes } = DERIVED_KEY_TYPES[type];
  const data = Buffer.alloc(16);
  data[0] = 0x01;
  data[1] = block;
  data.writeUInt16BE(AES_KEY_USAGES[usage], 2);
  data.writeUInt16BE(algorithm, 4);
  data.writeUInt16BE(bytes * 8, 6);
  if (usage === 'initialKey') {
    data.set(initialKeyId, 8);
  } else {
    data.set(initialKeyId.subarray(4), 8);
    data.writeUInt32BE(counter, 12);
  }
  return data;
}

function derive(
  key: Uint8Array,
  usage: AesKeyUsage,
  type: DerivedKeyType,
  initialKeyId: Uint8Array,
  counter: number,
): Buffer {
  return deriveFrom(key, derivationBlocks(usage, type, initialKeyId, counter), DERIVED_KEY_TYPES[type].bytes);
}

/** The derivation data of all blocks of a key. */
function derivationBlocks(
  usage: AesKeyUsage,
  type: DerivedKeyType,
  initialKeyId: Uint8Array,
  counter: number,
): Buffer {
  const first = derivationData(usage, type, initialKeyId, counter, 1);
  if (DERIVED_KEY_TYPES[type].bytes === 16) return first;
  return Buffer.concat([first, derivationData(usage, type, initialKeyId, counter, 2)]);
}

function deriveFrom(key: Uint8Array, data: Uint8Array, bytes: number): Buffer {
  const blocks = aesEncryptEcb(key, data);
  if (blocks.length === bytes) return blocks;
  const derived = Buffer.from(blocks.subarray(0, bytes));
  wipe(blocks);
  return derived;
}

/** Puts another counter into the derivation data of all blocks. */
function setCounter(data: Buffer, counter: number): void {
  for (let at = 12; at < data.length; at += 16) {
    data[at] = counter >>> 24;
    data[at + 1] = (counter >>> 16) & 0xff;
    data[at + 2] = (counter >>> 8) & 0xff;
    data[at + 3] = counter & 0xff;
  }
}

/**
 * The initial key of a device from the base derivation key, of the same length (X9.24-3 §6.3.3).
 * @param initialKeyId the first 8 bytes of the KSN, or the whole KSN
 * @throws CryptoError badKeyLength, badKsn
 */
export function deriveAesInitialKey(bdk: Uint8Array, initialKeyId: Uint8Array): Buffer {
  return derive(bdk, 'initialKey', aesKeyType(bdk), requireInitialKeyId(initialKeyId), 0);
}

function requireInitialKeyId(idOrKsn: Uint8Array): Uint8Array {
  if (idOrKsn.length !== INITIAL_KEY_ID_BYTES && idOrKsn.length !== AES_KSN_BYTES) {
    throw new CryptoError(
      'badKsn',
      `${idOrKsn.length} bytes, expected an initial key id of 8 or a KSN of 12`,
    );
  }
  return idOrKsn.subarray(0, INITIAL_KEY_ID_BYTES);
}

/**
 * The intermediate derivation key of a transaction: one step for every one-bit of the counter, of the initial key's length.
 * @throws CryptoError badKeyLength, badKsn, badCounter
 */
export function deriveAesTransactionKey(initialKey: Uint8Array, ksn: Uint8Array): Buffer {
  return walk(initialKey, ksn.subarray(0, INITIAL_KEY_ID_BYTES), requireLegalAesCounter(ksn));
}

function walk(initialKey: Uint8Array, initialKeyId: Uint8Array, counter: number): Buffer {
  const data = derivationBlocks('keyDerivation', aesKeyType(initialKey), initialKeyId, 0);
  let key: Buffer = Buffer.from(initialKey);
  let rest = counter;
  // The highest one-bit that is left, until none is: each is one step.
  while (rest !== 0) {
    rest = (rest & ~(0x80000000 >>> Math.clz32(rest))) >>> 0;
    setCounter(data, counter - rest);
    const next = deriveFrom(key, data, initialKey.length);
    wipe(key);
    key = next;
  }
  return key;
}

/**
 * A working key of a transaction for one use and algorithm (X9.24-3 §6.3.4).
 * @throws CryptoError badKeyLength, badKsn
 */
export function aesWorkingKey(
  transactionKey: Uint8Array,
  ksn: Uint8Array,
  usage: AesKeyUsage,
  type: DerivedKeyType,
): Buffer {
  aesKeyType(transactionKey);
  return derive(transactionKey, usage, type, requireInitialKeyId(ksn), aesCounter(ksn));
}

/**
 * The key under which a device receives its next initial key (X9.24-3 §6.5): usage 0002, from the derivation key at counter FFFFFFFF.
 * @throws CryptoError badKeyLength, badKsn
 */
export function deriveAesUpdateKey(
  initialKey: Uint8Array,
  initialKeyId: Uint8Array,
  type: DerivedKeyType,
): Buffer {
  const id = requireInitialKeyId(initialKeyId);
  const last = walk(initialKey, id, AES_UPDATE_KEY_COUNTER);
  const key = derive(last, 'keyEncryption', type, id, AES_UPDATE_KEY_COUNTER);
  wipe(last);
  return key;
}

/**
 * The KSN of the next transaction: the next counter with at most 16 one-bits.
 * @throws CryptoError badKsn, counterExhausted
 */
export function advanceAesKsn(ksn: Uint8Array): Buffer {
  let counter = aesCounter(ksn) + 1;
  // Above 2^32 the 32-bit operators of the language would wrap: test before using them.
  while (counter <= AES_UPDATE_KEY_COUNTER && countOnes(counter) > AES_COUNTER_MAX_ONES) {
    counter += (counter & -counter) >>> 0;
  }
  if (counter > AES_COUNTER_LAST)
    throw new CryptoError('counterExhausted', 'all counters of the key are used');
  const next = Buffer.from(ksn);
  next.writeUInt32BE(counter, INITIAL_KEY_ID_BYTES);
  return next;
}
