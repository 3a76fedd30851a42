import { statSync } from 'node:fs';
import { withFileLock } from '@tillbridge/platform/file-lock.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { equalConstantTime, withSecret } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { readSecretFile } from '../../kernel/data-folder/secret-file.js';
import { acceptKey, refuseTestKeyInLive } from './key-acceptance.js';
import { ensureKeyFile } from './key-file.js';
import { operationsOf } from './key-operations.js';
import { bestOf, checkValue, isUsableAt, predecessorsOf, requireRotatable } from './key-rules.js';
import {
  type KeyInfo,
  type KeyMode,
  type KeyOperations,
  KeyStoreError,
  type KeyUsage,
  type NewKey,
  type ReadableKeyStore,
  type Replacement,
} from './key-store.js';
import { MAX_KEYS, parseKeyStoreFile, type SealedKey, writeKeyStoreFile } from './key-store-file.js';
import {
  loadMasterKey,
  loadNextMasterKey,
  type MasterKey,
  makeNextMasterKey,
  promoteNextMasterKey,
} from './master-key.js';
import { contextOf, seal, unseal } from './sealing.js';

/** What a software key store is opened with. */
export interface SoftwareKeyStoreOptions {
  /** The sealed keys, JSON, mode 0600. */
  readonly keysPath: string;
  /** The master key that seals them, mode 0600. Both files together give the keys: store them apart in live mode. */
  readonly masterKeyPath: string;
  readonly mode: KeyMode;
  readonly random: Random;
  readonly clock?: Pick<Clock, 'nowMs'>;
}

/** The files as they were read together. */
interface Loaded {
  readonly keys: readonly SealedKey[];
  readonly master: MasterKey;
  /** Whether the master key is still the next one of a rotation that broke off. */
  readonly isNext: boolean;
  /** Distinguishes one state of the file from another. */
  readonly stamp: string;
}

/** How often reading is tried again when another process changes both files in between. */
const LOAD_TRIES = 3;

/**
 * Keys sealed on disk under a master key (AES-256-GCM; use, scope, check value and mode are bound to each key). In memory they stay sealed
 * too, and are opened for one operation at a time. Processes of one home share the file: writers take turns, and every reader sees a change
 * at its next look.
 */
export class SoftwareKeyStore implements ReadableKeyStore {
  readonly mode: KeyMode;
  readonly #options: SoftwareKeyStoreOptions;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #loaded: Loaded;

  private constructor(options: SoftwareKeyStoreOptions) {
    this.mode = options.mode;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#loaded = load(options);
  }

  /**
   * Opens the store and proves every key in it: it opens, its check value is right, and in live mode it is no test key.
   * @throws KeyStoreError badFile, wrongMode, wrongMasterKey, kcvMismatch, testKeyInLive; SecretFileError
   */
  static open(options: SoftwareKeyStoreOptions): SoftwareKeyStore {
    return new SoftwareKeyStore(options);
  }

  /** Opens the store as {@link open} does, with a new master key where there is no store yet. */
  static create(options: SoftwareKeyStoreOptions): SoftwareKeyStore {
    // A store without its master key is lost, and a new master key would only hide that.
    if (readSecretFile(options.keysPath) === undefined)
      withFileLock(lockOf(options), () => ensureKeyFile(options.masterKeyPath, options.random));
    return SoftwareKeyStore.open(options);
  }

  list(): readonly KeyInfo[] {
    return this.#keys().map((sealed) => sealed.info);
  }

  find(usage: KeyUsage, subject: string): KeyInfo | undefined {
    return bestOf(this.list(), usage, subject);
  }

  predecessors(info: KeyInfo): readonly KeyInfo[] {
    return predecessorsOf(this.list(), info, this.#clock.nowMs());
  }

  operate<T>(info: KeyInfo, operation: (key: KeyOperations) => T): T {
    const { algorithm } = info;
    return this.use(info, (key) => operation(operationsOf(algorithm, key)));
  }

  use<T>(info: KeyInfo, operation: (key: Uint8Array) => T): T {
    const sealed = sealedOf(this.#keys(), info.id);
    return withSecret(unsealKey(this.#loaded.master, sealed), operation);
  }

  /**
   * Seals a key and writes the store; on return the key is on disk.
   * @throws KeyStoreError badKey, kcvMismatch, testKeyInLive, keyExists; SecretFileError
   */
  add(input: NewKey): KeyInfo {
    return this.#change((keys) => {
      const sealed = this.#seal(input);
      refuseDouble(keys, input);
      return { keys: [...keys, sealed], result: sealed.info };
    });
  }

  rotate(id: string, { keepOldMs, ...replacement }: Replacement): KeyInfo {
    return this.#change((keys) => {
      const old = sealedOf(keys, id);
      requireRotatable(old.info);
      if (keys.some(({ info }) => info.id === replacement.id))
        throw new KeyStoreError('keyExists', `${replacement.id}: the new key needs its own id`);
      const { usage, algorithm, scope, label } = old.info;
      const sealed = this.#seal({ usage, algorithm, scope, label, ...replacement });
      const retired = keepOldMs > 0 ? [this.#retired(old, this.#clock.nowMs() + keepOldMs)] : [];
      return {
        keys: keys.flatMap((key) => (key === old ? [sealed, ...retired] : [key])),
        result: sealed.info,
      };
    });
  }

  remove(id: string): void {
    this.#change((keys) => {
      const gone = sealedOf(keys, id);
      return { keys: keys.filter((key) => key !== gone), result: undefined };
    });
  }

  /**
   * Seals every key anew under a fresh master key, whose check value it gives. The next key is on disk before the store that needs it, and takes
   * the old one's place after it: a store that breaks off in between opens with the one that it names.
   * @throws KeyStoreError, SecretFileError
   */
  rotateMasterKey(): string {
    const { masterKeyPath, random } = this.#options;
    return withFileLock(lockOf(this.#options), () => {
      this.#settle();
      const { keys, master } = this.#loaded;
      const next = makeNextMasterKey(masterKeyPath, random);
      const sealed = keys.map((key) =>
        withSecret(unsealKey(master, key), (bytes) => sealKey(next, key.info, bytes, random)),
      );
      this.#write(sealed, next);
      promoteNextMasterKey(masterKeyPath);
      this.#loaded = load(this.#options);
      return next.kcv;
    });
  }

  /** The keys of the file as it is now. */
  #keys(): readonly SealedKey[] {
    const stamp = stampOf(this.#options.keysPath);
    // A file that is gone takes no key away: what was read still serves, and nothing is written until it is back.
    if (stamp !== this.#loaded.stamp && stamp !== NO_FILE) this.#loaded = load(this.#options);
    return this.#loaded.keys;
  }

  /** Reads, changes and writes the file while no other process does. */
  #change<T>(
    work: (keys: readonly SealedKey[]) => { readonly keys: readonly SealedKey[]; readonly result: T },
  ): T {
    return withFileLock(lockOf(this.#options), () => {
      this.#settle();
      const now = this.#clock.nowMs();
      const { keys, result } = work(this.#loaded.keys.filter(({ info }) => isUsableAt(info, now)));
      if (keys.length > MAX_KEYS) throw new KeyStoreError('storeFull', `${MAX_KEYS} keys`);
      this.#write(keys, this.#loaded.master);
      this.#loaded = { ...this.#loaded, keys, stamp: stampOf(this.#options.keysPath) };
      return result;
    });
  }

  /** The state of the files now, with a rotation of the master key that broke off brought to its end. */
  #settle(): void {
    const { keysPath } = this.#options;
    if (stampOf(keysPath) === NO_FILE && this.#loaded.stamp !== NO_FILE)
      throw new KeyStoreError('badFile', `${keysPath} is gone: put it back, or keys would be lost`);
    this.#loaded = load(this.#options);
    if (!this.#loaded.isNext) return;
    promoteNextMasterKey(this.#options.masterKeyPath);
    this.#loaded = { ...this.#loaded, isNext: false };
  }

  #write(keys: readonly SealedKey[], { kcv }: MasterKey): void {
    writeKeyStoreFile(this.#options.keysPath, this.mode, { keys, masterKcv: kcv });
  }

  #seal(input: NewKey): SealedKey {
    const kcv = acceptKey(this.mode, input);
    const { id, usage, algorithm, scope, deviceType, label } = input;
    const about = { id, usage, algorithm, scope, ...present({ deviceType }), label };
    return sealKey(this.#loaded.master, { ...about, kcv, mode: this.mode }, input.key, this.#options.random);
  }

  /** The key with the end of its time bound to it. */
  #retired(old: SealedKey, retiredUntilMs: number): SealedKey {
    const { master } = this.#loaded;
    return withSecret(unsealKey(master, old), (bytes) =>
      sealKey(master, { ...old.info, retiredUntilMs }, bytes, this.#options.random),
    );
  }
}

function lockOf({ keysPath }: SoftwareKeyStoreOptions): string {
  return `${keysPath}.lock`;
}

/** Reads store and master key; both may be replaced in between, so the key that the store names is looked for again. */
function load(options: SoftwareKeyStoreOptions): Loaded {
  const { keysPath, masterKeyPath, mode } = options;
  for (let left = LOAD_TRIES; ; left -= 1) {
    const stamp = stampOf(keysPath);
    const { keys, masterKcv } = parseKeyStoreFile(keysPath, mode);
    const current = loadMasterKey(masterKeyPath);
    const isCurrent = masterKcv === undefined || masterKcv === current.kcv;
    const master = isCurrent ? current : loadNextMasterKey(masterKeyPath);
    if (master !== undefined && (isCurrent || master.kcv === masterKcv)) {
      for (const sealed of keys) prove(master, sealed, mode);
      return { keys, master, isNext: !isCurrent, stamp };
    }
    if (left <= 1) throw new KeyStoreError('wrongMasterKey', `the store names master key ${masterKcv}`);
  }
}

const NO_FILE = '';

/** Changes whenever the file is replaced; files are never written in place. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? NO_FILE : `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

function prove(master: MasterKey, sealed: SealedKey, mode: KeyMode): void {
  const { id, algorithm, kcv } = sealed.info;
  withSecret(unsealKey(master, sealed), (key) => {
    if (!equalConstantTime(Buffer.from(checkValue(algorithm, key)), Buffer.from(kcv)))
      throw new KeyStoreError('kcvMismatch', id);
    refuseTestKeyInLive(mode, id, key);
  });
}

function sealedOf(keys: readonly SealedKey[], id: string): SealedKey {
  const sealed = keys.find(({ info }) => info.id === id);
  if (sealed === undefined) throw new KeyStoreError('noKey', `id ${id}`);
  return sealed;
}

function sealKey({ key }: MasterKey, info: KeyInfo, bytes: Uint8Array, random: Random): SealedKey {
  return { info, blob: seal(key, keyContext(info), bytes, random) };
}

function unsealKey(master: MasterKey, sealed: SealedKey): Buffer {
  try {
    return unseal(master.key, keyContext(sealed.info), sealed.blob);
  } catch (error) {
    if (error instanceof CryptoError) throw new KeyStoreError('wrongMasterKey', sealed.info.id);
    throw error;
  }
}

function refuseDouble(keys: readonly SealedKey[], input: NewKey): void {
  for (const { info } of keys) {
    const sameScope =
      info.usage === input.usage && info.scope === input.scope && info.retiredUntilMs === undefined;
    if (info.id === input.id || sameScope)
      throw new KeyStoreError('keyExists', `${info.id}: ${info.usage} "${info.scope}"`);
  }
}

/** Binds a key to everything that decides how it is used. */
function keyContext(info: KeyInfo): Buffer {
  const { mode, id, usage, algorithm, scope, kcv, retiredUntilMs, deviceType } = info;
  const retired = retiredUntilMs === undefined ? [] : [`retired until ${retiredUntilMs}`];
  // Keys that were sealed before there were device types have none.
  const ofDevices = deviceType === undefined ? [] : [`device type ${deviceType}`];
  return contextOf('key', mode, id, usage, algorithm, scope, kcv, ...retired, ...ofDevices);
}
