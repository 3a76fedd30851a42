import { wipe } from '@tillbridge/wire/bytes.js';
import { AES_BLOCK_BYTES, aesEncryptCbc, aesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { aesCmac, iso9797Algorithm1 } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { DES_BLOCK_BYTES, tdesEncryptCbc, tdesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  AES_KSN_BYTES,
  type AesKeyUsage,
  advanceAesKsn,
  aesCounter,
  aesWorkingKey,
  deriveAesInitialKey,
  deriveAesTransactionKey,
  INITIAL_KEY_ID_BYTES,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import {
  advanceKsn,
  deriveInitialKey,
  deriveTransactionKey,
  type TdesKeyUsage,
  tdesCounter,
  withTdesCounter,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { encodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { encipherPinBlock4, PIN_BLOCK_4_RANDOM_BYTES } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { simulatorKey } from '../../keys/simulator-keys.js';

/** Base derivation keys of a terminal; each is there for TDES and for AES. */
export type DeviceBaseKey = 'bdkPin' | 'bdkData';

/** What a working key is for. */
export type DukptUse = 'pin' | 'data' | 'mac';

/** DUKPT of one algorithm on the side of the device, between keys and serial numbers that are given. */
export interface DukptScheme {
  readonly algorithm: 'tdes' | 'aes128';
  readonly blockBytes: number;
  /** The counter of a serial number. @throws CryptoError badKsn */
  counter(ksn: Uint8Array): number;
  /** The serial number with the counter zero, which names the initial key. */
  initialKsn(ksn: Uint8Array): Uint8Array;
  /** The initial key of a device under a published base key. */
  initialKey(bdk: DeviceBaseKey, initialKsn: Uint8Array): Buffer;
  /** The next serial number. @throws CryptoError counterExhausted */
  advance(ksn: Uint8Array): Buffer;
  /** A working key; the caller wipes it. */
  workingKey(initialKey: Uint8Array, ksn: Uint8Array, use: DukptUse): Buffer;
  /** Whole blocks in CBC; each alone without a first chaining value. */
  encipher(key: Uint8Array, clear: Uint8Array, iv: Uint8Array | undefined): Buffer;
  mac(key: Uint8Array, message: Uint8Array): Buffer;
  /** A PIN block of the format that belongs to the algorithm (ISO 9564-1). @throws CryptoError badPin, badPan */
  encipherPin(key: Uint8Array, digits: Uint8Array, pan: string, random: Random): Buffer;
}

/** What each use is called in both standards. */
const USAGES: Readonly<Record<DukptUse, { readonly tdes: TdesKeyUsage; readonly aes: AesKeyUsage }>> = {
  pin: { tdes: 'pin', aes: 'pin' },
  data: { tdes: 'dataRequest', aes: 'dataEncrypt' },
  mac: { tdes: 'macRequest', aes: 'macGeneration' },
};

/** X9.24-1, KSN of 10 bytes; PIN blocks of format 0, CBC-MAC (ISO/IEC 9797-1 algorithm 1). */
const TDES: DukptScheme = {
  algorithm: 'tdes',
  blockBytes: DES_BLOCK_BYTES,
  counter: tdesCounter,
  initialKsn: (ksn) => withTdesCounter(ksn, 0),
  initialKey: (bdk, ksn) => usedOnce(simulatorKey(bdk), (key) => deriveInitialKey(key, ksn)),
  advance: advanceKsn,
  workingKey: (initialKey, ksn, use) =>
    usedOnce(deriveTransactionKey(initialKey, ksn), (key) => workingKey(key, USAGES[use].tdes)),
  encipher: (key, clear, iv) => (iv ? tdesEncryptCbc(key, iv, clear) : tdesEncryptEcb(key, clear)),
  mac: (key, message) => iso9797Algorithm1(key, message, 'iso9797Method1'),
  encipherPin: (key, pin, pan) =>
    usedOnce(encodePinBlock({ format: 0, pin, pan }), (block) => tdesEncryptEcb(key, block)),
};

/** X9.24-3 with AES-128, KSN of 12 bytes; PIN blocks of format 4, CMAC. */
const AES: DukptScheme = {
  algorithm: 'aes128',
  blockBytes: AES_BLOCK_BYTES,
  counter: aesCounter,
  initialKsn: (ksn) => Buffer.concat([ksn.subarray(0, INITIAL_KEY_ID_BYTES)], AES_KSN_BYTES),
  initialKey: (bdk, ksn) =>
    usedOnce(simulatorKey(bdk === 'bdkPin' ? 'bdkPinAes' : 'bdkDataAes'), (key) =>
      deriveAesInitialKey(key, ksn.subarray(0, INITIAL_KEY_ID_BYTES)),
    ),
  advance: advanceAesKsn,
  workingKey: (initialKey, ksn, use) =>
    usedOnce(deriveAesTransactionKey(initialKey, ksn), (key) =>
      aesWorkingKey(key, ksn, USAGES[use].aes, 'aes128'),
    ),
  encipher: (key, clear, iv) => (iv ? aesEncryptCbc(key, iv, clear) : aesEncryptEcb(key, clear)),
  mac: aesCmac,
  encipherPin: (key, pin, pan, random) =>
    encipherPinBlock4(key, pin, pan, random.bytes(PIN_BLOCK_4_RANDOM_BYTES)),
};

/** The scheme that a serial number belongs to, by its length. */
export function dukptScheme({ length }: Uint8Array): DukptScheme {
  return length === AES_KSN_BYTES ? AES : TDES;
}

/** What `work` makes of a secret, which is wiped behind it. */
function usedOnce(secret: Buffer, work: (secret: Uint8Array) => Buffer): Buffer {
  try {
    return work(secret);
  } finally {
    wipe(secret);
  }
}
