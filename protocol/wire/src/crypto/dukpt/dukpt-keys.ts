import { toHex, wipe } from '../../bytes.js';
import { EcbEncryptor } from '../ciphers/ecb-encryptor.js';
import {
  type AesKeyType,
  aesKeyType,
  derivationData,
  INITIAL_KEY_ID_BYTES,
  requireLegalAesCounter,
} from './dukpt-aes.js';
import { DUKPT_CACHE_DEVICES, type DukptNode, DukptPathCache } from './dukpt-path-cache.js';
import { requireLegalTdesCounter, withTdesCounter } from './dukpt-tdes.js';

/** The byte pattern that separates the two halves of a TDES step (X9.24-1 A.2). */
const HALF_MASK = [0xc0, 0xc0, 0xc0, 0xc0, 0, 0, 0, 0];

/** An intermediate TDES key with the two ciphers of its one-way step, made at the first use. */
class TdesNode implements DukptNode {
  readonly reached: number;
  readonly #key: Buffer;
  /** The KSN's last eight bytes, counter zero. */
  readonly #register: Buffer;
  #left: EcbEncryptor | undefined;
  #right: EcbEncryptor | undefined;

  constructor(key: Buffer, register: Buffer, reached: number) {
    this.#key = key;
    this.#register = register;
    this.reached = reached;
  }

  childKey(reached: number): Buffer {
    const key = this.#key;
    const [left, right] = this.#ciphers();
    const leftIn = Buffer.alloc(8);
    const rightIn = Buffer.alloc(8);
    for (let i = 0; i < 8; i += 1) {
      const register = (this.#register[i] ?? 0) | (i < 5 ? 0 : (reached >>> ((7 - i) * 8)) & 0xff);
      rightIn[i] = register ^ (key[8 + i] ?? 0);
      leftIn[i] = (rightIn[i] ?? 0) ^ (HALF_MASK[i] ?? 0);
    }
    const child = Buffer.alloc(16);
    left.encrypt(leftIn).copy(child, 0);
    right.encrypt(rightIn).copy(child, 8);
    for (let i = 0; i < 8; i += 1) {
      const mask = key[8 + i] ?? 0;
      child[i] = (child[i] ?? 0) ^ mask ^ (HALF_MASK[i] ?? 0);
      child[8 + i] = (child[8 + i] ?? 0) ^ mask;
    }
    wipe(leftIn, rightIn);
    return child;
  }

  child(reached: number): TdesNode {
    return new TdesNode(this.childKey(reached), this.#register, reached);
  }

  #ciphers(): readonly [EcbEncryptor, EcbEncryptor] {
    if (this.#left === undefined || this.#right === undefined) {
      const masked = Buffer.from(this.#key.subarray(0, 8));
      for (let i = 0; i < 8; i += 1) masked[i] = (masked[i] ?? 0) ^ (HALF_MASK[i] ?? 0);
      this.#left = EcbEncryptor.tdes(masked);
      this.#right = EcbEncryptor.tdes(this.#key.subarray(0, 8));
      wipe(masked);
    }
    return [this.#left, this.#right];
  }

  dispose(): void {
    this.#left?.dispose();
    this.#right?.dispose();
    this.#left = undefined;
    this.#right = undefined;
    wipe(this.#key);
  }
}

/** An intermediate AES key with its cipher, made at the first use. */
class AesNode implements DukptNode {
  readonly reached: number;
  readonly #key: Buffer;
  readonly #initialKeyId: Buffer;
  readonly #type: AesKeyType;
  #cipher: EcbEncryptor | undefined;

  constructor(key: Buffer, initialKeyId: Buffer, reached: number) {
    this.#key = key;
    this.#initialKeyId = initialKeyId;
    this.#type = aesKeyType(key);
    this.reached = reached;
  }

  childKey(reached: number): Buffer {
    this.#cipher ??= EcbEncryptor.aes(this.#key);
    const first = derivationData('keyDerivation', this.#type, this.#initialKeyId, reached, 1);
    if (this.#key.length === 16) return this.#cipher.encrypt(first);
    const second = derivationData('keyDerivation', this.#type, this.#initialKeyId, reached, 2);
    const blocks = this.#cipher.encrypt(Buffer.concat([first, second]));
    const child = Buffer.from(blocks.subarray(0, this.#key.length));
    wipe(blocks);
    return child;
  }

  child(reached: number): AesNode {
    return new AesNode(this.childKey(reached), this.#initialKeyId, reached);
  }

  dispose(): void {
    this.#cipher?.dispose();
    this.#cipher = undefined;
    wipe(this.#key);
  }
}

/** The transaction keys of the devices under one base derivation key. */
abstract class DukptKeys {
  protected readonly cache: DukptPathCache;

  constructor(maxDevices: number = DUKPT_CACHE_DEVICES) {
    this.cache = new DukptPathCache(maxDevices);
  }

  /** Wipes everything. */
  clear(): void {
    this.cache.clear();
  }
}

/**
 * TDES transaction keys of the devices under ONE base derivation key, with their intermediate keys kept (see `DukptPathCache`).
 * Same results as `deriveTransactionKey`.
 */
export class TdesDukptKeys extends DukptKeys {
  /**
   * The key of one transaction before any variant; the caller wipes it.
   * @param initialKey gives the device's initial key, 16 bytes, when the device is not known; the cache owns and wipes it
   * @throws CryptoError badKsn, badCounter
   */
  transactionKey(ksn: Uint8Array, initialKey: () => Buffer): Buffer {
    const counter = requireLegalTdesCounter(ksn);
    const id = withTdesCounter(ksn, 0);
    return this.cache.transactionKey(toHex(id), counter, () => new TdesNode(initialKey(), id.subarray(2), 0));
  }
}

/**
 * AES transaction keys of the devices under ONE base derivation key, with their intermediate keys kept (see `DukptPathCache`).
 * Same results as `deriveAesTransactionKey`.
 */
export class AesDukptKeys extends DukptKeys {
  /**
   * The derivation key of one transaction; the caller wipes it.
   * @param initialKey gives the device's initial key when the device is not known; the cache owns and wipes it
   * @throws CryptoError badKsn, badCounter
   */
  transactionKey(ksn: Uint8Array, initialKey: () => Buffer): Buffer {
    const counter = requireLegalAesCounter(ksn);
    const id = Buffer.from(ksn.subarray(0, INITIAL_KEY_ID_BYTES));
    return this.cache.transactionKey(toHex(id), counter, () => new AesNode(initialKey(), id, 0));
  }
}
