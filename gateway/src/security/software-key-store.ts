import type { KeyObject } from 'node:crypto';
import { equalConstantTime, wipe } from '@tillbridge/protocol/bytes.js';
import { CryptoError } from '@tillbridge/protocol/crypto/errors.js';
import { isTestKey } from '@tillbridge/protocol/crypto/test-keys.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { requireDeviceType } from './key-device-type.js';
import { ensureKeyFile, loadKeyFile } from './key-file.js';
import { checkValue, requireFit, USAGE_RULES } from './key-rules.js';
import {
  type KeyInfo,
  type KeyMode,
  type KeyStore,
  KeyStoreError,
  type KeyUsage,
  type NewKey,
} from './key-store.js';
import { MAX_KEYS, parseKeyStoreFile, type SealedKey, writeKeyStoreFile } from './key-store-file.js';
import { contextOf, seal, unseal } from './sealing.js';
import { readSecretFile } from './secret-file.js';

/** Where a software key store lives. */
export interface SoftwareKeyStoreOptions {
  /** The sealed keys, JSON, mode 0600. */
  readonly keysPath: string;
  /** The master key that seals them, mode 0600. Whoever has both files has the keys: keep them apart in live mode. */
  readonly masterKeyPath: string;
  readonly mode: KeyMode;
  readonly random: Random;
}

/**
 * Keys sealed on disk under a master key (AES-256-GCM; use, scope, check value and mode are bound to each key). In memory they stay sealed
 * too, and are opened for one operation at a time.
 */
export class SoftwareKeyStore implements KeyStore {
  readonly mode: KeyMode;
  readonly #keysPath: string;
  readonly #masterKey: KeyObject;
  readonly #random: Random;
  #keys: readonly SealedKey[];

  private constructor(options: SoftwareKeyStoreOptions, masterKey: KeyObject) {
    this.mode = options.mode;
    this.#keysPath = options.keysPath;
    this.#masterKey = masterKey;
    this.#random = options.random;
    this.#keys = parseKeyStoreFile(options.keysPath, options.mode);
    for (const sealed of this.#keys) this.#check(sealed);
  }

  /**
   * Opens the store and proves every key in it: it opens, its check value is right, and in live mode it is no test key.
   * @throws KeyStoreError badFile, wrongMode, wrongMasterKey, kcvMismatch, testKeyInLive; SecretFileError
   */
  static open(options: SoftwareKeyStoreOptions): SoftwareKeyStore {
    return new SoftwareKeyStore(options, loadKeyFile(options.masterKeyPath));
  }

  /** As {@link open}, with a new master key and an empty store where there is none yet. */
  static create(options: SoftwareKeyStoreOptions): SoftwareKeyStore {
    // A store without its master key is lost, and a new master key would only hide that.
    if (readSecretFile(options.keysPath) !== undefined) return SoftwareKeyStore.open(options);
    return new SoftwareKeyStore(options, ensureKeyFile(options.masterKeyPath, options.random));
  }

  list(): readonly KeyInfo[] {
    return this.#keys.map((sealed) => sealed.info);
  }

  find(usage: KeyUsage, subject: string): KeyInfo | undefined {
    let best: KeyInfo | undefined;
    for (const { info } of this.#keys) {
      if (info.usage !== usage || !inScope(info, subject)) continue;
      if (best === undefined || info.scope.length > best.scope.length) best = info;
    }
    return best;
  }

  use<T>(info: KeyInfo, operation: (key: Uint8Array) => T): T {
    const sealed = this.#keys.find((candidate) => candidate.info.id === info.id);
    if (sealed === undefined) throw new KeyStoreError('noKey', `id ${info.id}`);
    const key = this.#unseal(sealed);
    try {
      return operation(key);
    } finally {
      wipe(key);
    }
  }

  /**
   * Seals a key and writes the store; on return the key is on disk.
   * @throws KeyStoreError badKey, kcvMismatch, testKeyInLive, keyExists; SecretFileError
   */
  add(input: NewKey): KeyInfo {
    const sealed = this.#seal(input);
    this.#refuseDouble(input);
    this.#replace([...this.#keys, sealed]);
    return sealed.info;
  }

  /**
   * Puts a new key in the place of another of the same use and scope, in one write: a crash leaves the old or the new one.
   * @param id of the key that goes
   * @throws KeyStoreError noKey, notRotatable, keyExists, badKey, badUse, kcvMismatch, testKeyInLive; SecretFileError
   */
  rotate(id: string, replacement: Pick<NewKey, 'id' | 'algorithm' | 'key' | 'expectedKcv'>): KeyInfo {
    const old = this.#keys.find(({ info }) => info.id === id)?.info;
    if (old === undefined) throw new KeyStoreError('noKey', `id ${id}`);
    if (!USAGE_RULES[old.usage].rotatable) throw new KeyStoreError('notRotatable', `${id}: ${old.usage}`);
    if (this.#keys.some(({ info }) => info.id === replacement.id))
      throw new KeyStoreError('keyExists', `${replacement.id}: the new key needs an id of its own`);
    const { usage, scope, label } = old;
    const sealed = this.#seal({ usage, scope, label, ...replacement });
    this.#replace(this.#keys.map((key) => (key.info.id === id ? sealed : key)));
    return sealed.info;
  }

  #seal(input: NewKey): SealedKey {
    requireFit(input);
    requireDeviceType(input);
    const kcv = checkValue(input.algorithm, input.key);
    if (input.expectedKcv !== undefined && input.expectedKcv.toUpperCase() !== kcv)
      throw new KeyStoreError('kcvMismatch', `${input.id}: the key gives ${kcv}`);
    this.#refuseTestKeyInLive(input.id, input.key);
    const { id, usage, algorithm, scope, deviceType, label } = input;
    const ofDevices = deviceType !== undefined && { deviceType };
    const info: KeyInfo = { id, usage, algorithm, scope, ...ofDevices, label, kcv, mode: this.mode };
    return { info, blob: seal(this.#masterKey, keyContext(info), input.key, this.#random) };
  }

  #replace(keys: readonly SealedKey[]): void {
    if (keys.length > MAX_KEYS) throw new KeyStoreError('storeFull', `${MAX_KEYS} keys`);
    writeKeyStoreFile(this.#keysPath, this.mode, keys);
    this.#keys = keys;
  }

  #refuseDouble(input: NewKey): void {
    for (const { info } of this.#keys) {
      const sameScope = info.usage === input.usage && info.scope === input.scope;
      if (info.id === input.id || sameScope)
        throw new KeyStoreError('keyExists', `${info.id}: ${info.usage} "${info.scope}"`);
    }
  }

  #refuseTestKeyInLive(id: string, key: Uint8Array): void {
    if (this.mode === 'live' && isTestKey(key)) throw new KeyStoreError('testKeyInLive', id);
  }

  #unseal(sealed: SealedKey): Buffer {
    try {
      return unseal(this.#masterKey, keyContext(sealed.info), sealed.blob);
    } catch (error) {
      if (error instanceof CryptoError) throw new KeyStoreError('wrongMasterKey', sealed.info.id);
      throw error;
    }
  }

  #check(sealed: SealedKey): void {
    const key = this.#unseal(sealed);
    try {
      const { id, algorithm, kcv } = sealed.info;
      if (!equalConstantTime(Buffer.from(checkValue(algorithm, key)), Buffer.from(kcv)))
        throw new KeyStoreError('kcvMismatch', id);
      this.#refuseTestKeyInLive(id, key);
    } finally {
      wipe(key);
    }
  }
}

function inScope(info: KeyInfo, subject: string): boolean {
  return USAGE_RULES[info.usage].scope === 'name' ? info.scope === subject : subject.startsWith(info.scope);
}

/** Binds a key to everything that decides how it is used. */
function keyContext(info: KeyInfo): Buffer {
  const { mode, id, usage, algorithm, scope, kcv, deviceType } = info;
  // Keys that were sealed before there were device types have none.
  const ofDevices = deviceType === undefined ? [] : [`device type ${deviceType}`];
  return contextOf('key', mode, id, usage, algorithm, scope, kcv, ...ofDevices);
}
