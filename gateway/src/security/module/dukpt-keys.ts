import { toHex, wipe } from '@tillbridge/wire/bytes.js';
import { aesDecryptCbc, aesDecryptEcb } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { aesCmac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import {
  AES_KSN_BYTES,
  type AesKeyType,
  type AesKeyUsage,
  aesWorkingKey,
  deriveAesInitialKey,
  requireLegalAesCounter,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { AesDukptKeys, TdesDukptKeys } from '@tillbridge/wire/crypto/dukpt/dukpt-keys.js';
import {
  dataKeyVariant,
  deriveInitialKey,
  requireLegalTdesCounter,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { type DeviceKeySets, deviceKeySetsOf } from '../keys/device-key-sets.js';
import { isTdes, requireId } from '../keys/key-rules.js';
import { type KeyInfo, KeyStoreError, type ReadableKeyStore, requireKey } from '../keys/key-store.js';

/** Which key of a TDES transaction an operation works with. */
export type TdesWorkingKey =
  | 'pin'
  | 'dataRequest'
  | 'dataRequestVariant'
  | 'pinVariant'
  | 'macRequest'
  | 'macResponse';

/** Which key of an AES transaction an operation works with. */
export interface AesWorkingKey {
  readonly usage: AesKeyUsage;
  /** Algorithm of the working key; `likeBaseKey`: that of the base derivation key. */
  readonly type: AesKeyType | 'likeBaseKey';
}

/** Whether a KSN is one of AES DUKPT, by its length. */
export function isAesKsn(ksn: Uint8Array): boolean {
  return ksn.length === AES_KSN_BYTES;
}

/** Uses of base derivation keys. */
export type BaseKeyUsage = 'bdk-data' | 'bdk-pin' | 'bdk-mac';

/** A base derivation key by name. */
export type BaseKey = Pick<KeyInfo, 'id' | 'kcv' | 'algorithm'>;

/** A working key of AES DUKPT, wherever its bytes are. */
export interface AesWorkingCipher {
  /** @throws CryptoError badIv, badDataLength */
  decryptCbc(iv: Uint8Array, data: Uint8Array): Buffer;
  /** Deciphers 16 bytes. */
  decryptBlock(block: Uint8Array): Buffer;
  /** The MAC of a message, 16 bytes; for keys whose use is to make or check MACs. */
  cmac(message: Uint8Array): Buffer;
}

/** Base keys, which stay where they are: what comes out is the initial key of one device at most. */
export interface BaseKeys {
  /** The key sets of account data. */
  deviceKeySets(): DeviceKeySets;
  /** @throws KeyStoreError noKey */
  require(usage: BaseKeyUsage, ksn: Uint8Array): BaseKey;
  tdesInitialKey(base: BaseKey, ksn: Uint8Array): Buffer;
  aesInitialKey(base: BaseKey, ksn: Uint8Array): Buffer;
  /** Where AES-128 DUKPT runs without any key leaving: runs an operation with the working key of a transaction. */
  withInnerAes128?<T>(
    base: BaseKey,
    ksn: Uint8Array,
    usage: AesKeyUsage,
    operation: (cipher: AesWorkingCipher) => T,
  ): T;
}

/** The base keys of a key store. */
export function keyStoreBaseKeys(keys: ReadableKeyStore): BaseKeys {
  const infoOf = ({ id }: BaseKey): KeyInfo => requireId(keys.list(), id);
  return {
    deviceKeySets: () => deviceKeySetsOf(keys.list()),
    require: (usage, ksn) => requireKey(keys, usage, toHex(ksn)),
    tdesInitialKey: (base, ksn) => keys.use(infoOf(base), (bdk) => deriveInitialKey(bdk, ksn)),
    aesInitialKey: (base, ksn) => keys.use(infoOf(base), (bdk) => deriveAesInitialKey(bdk, ksn)),
  };
}

/**
 * The transaction keys of all devices under the base keys. Intermediate keys stay in bounded caches, one per base key; working keys are wiped
 * when their operation ends.
 */
export class DukptKeyRing {
  readonly #base: BaseKeys;
  readonly #tdes = new Map<string, TdesDukptKeys>();
  readonly #aes = new Map<string, AesDukptKeys>();

  constructor(base: BaseKeys) {
    this.#base = base;
  }

  /**
   * Runs an operation with a working key of TDES DUKPT (X9.24-1).
   * @throws KeyStoreError noKey; CryptoError badKsn, badCounter
   */
  withTdesKey<T>(
    usage: BaseKeyUsage,
    ksn: Uint8Array,
    kind: TdesWorkingKey,
    operation: (key: Uint8Array) => T,
  ): T {
    requireLegalTdesCounter(ksn);
    const base = this.#baseKey(usage, ksn, 'TDES');
    const cache = cacheOf(this.#tdes, base, () => new TdesDukptKeys());
    const transaction = cache.transactionKey(ksn, () => this.#base.tdesInitialKey(base, ksn));
    const working = tdesWorkingKey(transaction, kind);
    try {
      return operation(working);
    } finally {
      wipe(transaction, working);
    }
  }

  /**
   * Runs an operation with a working key of AES DUKPT (X9.24-3).
   * @throws KeyStoreError noKey; CryptoError badKsn, badCounter
   */
  withAesKey<T>(
    usage: BaseKeyUsage,
    ksn: Uint8Array,
    kind: AesWorkingKey,
    operation: (cipher: AesWorkingCipher) => T,
  ): T {
    requireLegalAesCounter(ksn);
    const base = this.#baseKey(usage, ksn, 'AES');
    const type = kind.type === 'likeBaseKey' ? (base.algorithm as AesKeyType) : kind.type;
    if (base.algorithm === 'aes128' && type === 'aes128' && this.#base.withInnerAes128)
      return this.#base.withInnerAes128(base, ksn, kind.usage, operation);
    const cache = cacheOf(this.#aes, base, () => new AesDukptKeys());
    const transaction = cache.transactionKey(ksn, () => this.#base.aesInitialKey(base, ksn));
    const key = aesWorkingKey(transaction, ksn, kind.usage, type);
    try {
      return operation({
        decryptCbc: (iv, data) => aesDecryptCbc(key, iv, data),
        decryptBlock: (block) => aesDecryptEcb(key, block),
        cmac: (message) => aesCmac(key, message),
      });
    } finally {
      wipe(transaction, key);
    }
  }

  /** The key sets of account data. */
  deviceKeySets(): DeviceKeySets {
    return this.#base.deviceKeySets();
  }

  /** Wipes the caches. */
  clear(): void {
    for (const cache of [...this.#tdes.values(), ...this.#aes.values()]) cache.clear();
    this.#tdes.clear();
    this.#aes.clear();
  }

  /** The length of the KSN decides the algorithm; a base key of the other one belongs to other devices. */
  #baseKey(usage: BaseKeyUsage, ksn: Uint8Array, algorithm: 'TDES' | 'AES'): BaseKey {
    const base = this.#base.require(usage, ksn);
    if (isTdes(base.algorithm) !== (algorithm === 'TDES'))
      throw new KeyStoreError('noKey', `${usage} ${base.id} is no ${algorithm} key, which the KSN requires`);
    return base;
  }
}

function cacheOf<T>(caches: Map<string, T>, { id, kcv }: BaseKey, make: () => T): T {
  const name = `${id}:${kcv}`;
  const cache = caches.get(name) ?? make();
  caches.set(name, cache);
  return cache;
}

function tdesWorkingKey(transaction: Uint8Array, kind: TdesWorkingKey): Buffer {
  if (kind === 'dataRequestVariant') return dataKeyVariant(transaction, 'dataRequest');
  return workingKey(transaction, kind === 'pinVariant' ? 'pin' : kind);
}
