import { toHex, wipe } from '@tillbridge/protocol/bytes.js';
import {
  AES_KSN_BYTES,
  type AesKeyType,
  type AesKeyUsage,
  aesWorkingKey,
  deriveAesInitialKey,
  requireLegalAesCounter,
} from '@tillbridge/protocol/crypto/dukpt-aes.js';
import { AesDukptKeys, TdesDukptKeys } from '@tillbridge/protocol/crypto/dukpt-keys.js';
import {
  dataKeyVariant,
  deriveInitialKey,
  requireLegalTdesCounter,
  workingKey,
} from '@tillbridge/protocol/crypto/dukpt-tdes.js';
import { isTdes } from './key-rules.js';
import { type KeyInfo, type KeyStore, KeyStoreError, requireKey } from './key-store.js';

/** Which key of a TDES transaction an operation works with. */
export type TdesWorkingKey = 'pin' | 'dataRequest' | 'dataRequestVariant' | 'pinVariant';

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

type BaseKeyUsage = 'bdk-data' | 'bdk-pin';

/**
 * The transaction keys of all devices under the base keys of a key store. Intermediate keys stay in bounded caches, one per base key; working
 * keys are wiped when their operation ends.
 */
export class DukptKeyRing {
  readonly #keys: KeyStore;
  readonly #tdes = new Map<string, TdesDukptKeys>();
  readonly #aes = new Map<string, AesDukptKeys>();

  constructor(keys: KeyStore) {
    this.#keys = keys;
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
    const transaction = cache.transactionKey(ksn, () =>
      this.#keys.use(base, (bdk) => deriveInitialKey(bdk, ksn)),
    );
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
    operation: (key: Uint8Array) => T,
  ): T {
    requireLegalAesCounter(ksn);
    const base = this.#baseKey(usage, ksn, 'AES');
    const cache = cacheOf(this.#aes, base, () => new AesDukptKeys());
    const transaction = cache.transactionKey(ksn, () =>
      this.#keys.use(base, (bdk) => deriveAesInitialKey(bdk, ksn)),
    );
    const type = kind.type === 'likeBaseKey' ? (base.algorithm as AesKeyType) : kind.type;
    const working = aesWorkingKey(transaction, ksn, kind.usage, type);
    try {
      return operation(working);
    } finally {
      wipe(transaction, working);
    }
  }

  /** Wipes the caches. */
  clear(): void {
    for (const cache of [...this.#tdes.values(), ...this.#aes.values()]) cache.clear();
    this.#tdes.clear();
    this.#aes.clear();
  }

  /** The KSN says the algorithm by its length; a base key of the other one belongs to other devices. */
  #baseKey(usage: BaseKeyUsage, ksn: Uint8Array, algorithm: 'TDES' | 'AES'): KeyInfo {
    const base = requireKey(this.#keys, usage, toHex(ksn));
    if (isTdes(base.algorithm) !== (algorithm === 'TDES'))
      throw new KeyStoreError('noKey', `${usage} ${base.id} is no ${algorithm} key, which the KSN asks for`);
    return base;
  }
}

function cacheOf<T>(caches: Map<string, T>, { id, kcv }: KeyInfo, make: () => T): T {
  const name = `${id}:${kcv}`;
  const cache = caches.get(name) ?? make();
  caches.set(name, cache);
  return cache;
}

function tdesWorkingKey(transaction: Uint8Array, kind: TdesWorkingKey): Buffer {
  if (kind === 'dataRequestVariant') return dataKeyVariant(transaction, 'dataRequest');
  return workingKey(transaction, kind === 'dataRequest' ? 'dataRequest' : 'pin');
}
