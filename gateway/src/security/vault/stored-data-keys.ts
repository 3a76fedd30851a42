import { createSecretKey, type KeyObject } from 'node:crypto';
import { withSecret } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { DataKeyRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';
import { DATA_KEY_BYTES, DataKeyRing, dataKeyId, type RingContent } from './data-key-ring.js';
import { type Kek, type KeyEncryptionKeys, kekNumber } from './key-encryption-keys.js';
import { VaultError } from './vault.js';

/** Most data keys of a vault: each rotation adds one, and the worker deletes those that seal nothing any more. */
export const MAX_DATA_KEYS = 64;
/** How often a change is tried that other processes came before. */
const CHANGE_TRIES = 8;

/** What {@link StoredDataKeys} works with. */
export interface StoredDataKeysOptions {
  readonly store: Pick<Store, 'get' | 'findAfter' | 'commit'>;
  readonly keks: KeyEncryptionKeys;
  readonly random: Random;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * The data keys of a database and its fingerprint key, each wrapped under a key-encryption key. Every step of a rotation is one commit, or one change of the key store:
 * a process that ends in between leaves keys that open everything, and {@link settleKeks} goes on from there. Processes of one home may do
 * so at once.
 */
export class StoredDataKeys {
  readonly #options: StoredDataKeysOptions;
  /** Seals and opens with them. */
  readonly ring: DataKeyRing;
  /** Makes keyed hashes: its owner could find the card number of one by trial. The same for as long as the database is there. */
  readonly fingerprintKey: KeyObject;
  #rows: readonly DataKeyRow[];

  private constructor(options: StoredDataKeysOptions, rows: readonly DataKeyRow[]) {
    this.#options = options;
    this.#rows = rows;
    this.fingerprintKey = options.keks.unwrap(fingerprintRow(rows));
    this.ring = new DataKeyRing({ keys: new Map(), activeId: '' }, options.random, () => this.refresh());
    this.ring.use(this.#content());
  }

  /**
   * Opens the keys; a database without one gets its first of each use, and a key store without a key-encryption key too.
   * @throws VaultError when a data key does not open; KeyStoreError, SecretFileError, SecurityModuleError, StoreUnavailableError
   */
  static async open(options: StoredDataKeysOptions): Promise<StoredDataKeys> {
    let rows = await allRows(options.store, 'dataKeys');
    if (rows.length === 0) {
      const kek = options.keks.first();
      const first = [newRow(options, kek, 'rows'), newRow(options, kek, 'fingerprints')];
      await commitOrLose(options.store, first.map(insertion));
      rows = await allRows(options.store, 'dataKeys');
    }
    return new StoredDataKeys(options, rows);
  }

  /** The data keys, as they were read last. */
  get rows(): readonly DataKeyRow[] {
    return this.#rows.filter(({ use }) => use === 'rows');
  }

  /** The data key that seals what is new. */
  get active(): DataKeyRow {
    const active = this.#rows.find((row) => row.active === 1);
    if (active === undefined) throw new VaultError('no data key is active');
    return active;
  }

  /** The data keys that seal nothing new, the oldest first. */
  get retired(): readonly DataKeyRow[] {
    return this.rows.filter((row) => row.active === null).sort((a, b) => a.createdAtMs - b.createdAtMs);
  }

  /** Reads the keys as they are now. @throws as {@link open} */
  async refresh(): Promise<void> {
    this.#rows = await allRows(this.#options.store, 'dataKeys');
    this.ring.use(this.#content());
  }

  /**
   * Makes a new data key and lets it seal from now on; returns its id. The others are retired.
   * @throws VaultError when there are {@link MAX_DATA_KEYS}; as {@link open}
   */
  async rotate(): Promise<string> {
    const { store } = this.#options;
    const added = await this.#tried(async () => {
      if (this.rows.length >= MAX_DATA_KEYS)
        throw new VaultError(`${MAX_DATA_KEYS} data keys still seal rows: wait until those are sealed anew`);
      const row = newRow(this.#options, this.#currentKek(), 'rows');
      // First: one key alone is active. Its version also makes this and a new key-encryption key exclude each other.
      await store.commit([update({ ...this.active, active: null }), insertion(row)]);
      return row.id;
    });
    await this.refresh();
    return added;
  }

  /**
   * Makes a new key-encryption key and wraps all keys under it; what data keys sealed stays as it is. Returns its number.
   * @throws as {@link open}
   */
  async rotateKek(): Promise<number> {
    const { number } = this.#options.keks.add();
    await this.settleKeks();
    return number;
  }

  /** Wraps under the current key-encryption key what an older one wraps, then deletes those that wrap nothing. @throws as {@link open} */
  async settleKeks(): Promise<void> {
    const { keks, store } = this.#options;
    const current = this.#currentKek();
    await this.#tried(async () => {
      const stale = this.#rows.filter((row) => kekNumber(row) < current.number);
      if (stale.length > 0) await store.commit(stale.map((row) => update(this.#rewrapped(row, current))));
    });
    const inUse = new Set(this.#rows.map(kekNumber));
    for (const kek of keks.list()) {
      if (kek.number < current.number && !inUse.has(kek.number)) keks.remove(kek);
    }
  }

  /** Deletes a retired data key. The database refuses it while a row names the key. @throws StoreUnavailableError */
  async forget({ id, version }: DataKeyRow): Promise<void> {
    await commitOrLose(this.#options.store, [{ op: 'delete', table: 'dataKeys', key: [id], version }]);
    await this.refresh();
  }

  /** Does a change on what is stored now, and again when another process came first; then reads what there is. */
  async #tried<T>(change: () => Promise<T>): Promise<T> {
    for (let left = CHANGE_TRIES; ; left -= 1) {
      await this.refresh();
      try {
        const result = await change();
        await this.refresh();
        return result;
      } catch (error) {
        if (!(error instanceof CommitConflict) || left <= 1) throw error;
      }
    }
  }

  #currentKek(): Kek {
    const current = this.#options.keks.current();
    const newest = Math.max(0, ...this.#rows.map(kekNumber));
    // A token shows a key that another process brought in only after a moment.
    if (current === undefined || current.number < newest)
      throw new VaultError(`key-encryption key ${newest} is not there: try again`);
    return current;
  }

  #rewrapped(row: DataKeyRow, kek: Kek): DataKeyRow {
    const key = this.#opened(row);
    return { ...row, ...this.#options.keks.wrap(kek, key) };
  }

  /** The data keys, opened. */
  #content(): RingContent {
    return { keys: new Map(this.rows.map((row) => [row.id, this.#opened(row)])), activeId: this.active.id };
  }

  /** The key of a row; what was opened before stays so. */
  #opened(row: DataKeyRow): KeyObject {
    return this.ring.key(row.id) ?? this.#options.keks.unwrap(row);
  }
}

function newRow(
  { random, keks, clock }: StoredDataKeysOptions,
  kek: Kek,
  use: DataKeyRow['use'],
): DataKeyRow {
  const key = withSecret(random.bytes(DATA_KEY_BYTES), createSecretKey);
  const active = use === 'rows' ? 1 : null;
  return { id: dataKeyId(key), ...keks.wrap(kek, key), use, active, createdAtMs: clock.nowMs(), version: 1 };
}

function fingerprintRow(rows: readonly DataKeyRow[]): DataKeyRow {
  const row = rows.find(({ use }) => use === 'fingerprints');
  if (row === undefined)
    throw new VaultError('the database has no fingerprint key: restore it from a backup');
  return row;
}

function insertion(row: DataKeyRow): Change {
  return { op: 'insert', table: 'dataKeys', row };
}

function update(row: DataKeyRow): Change {
  return { op: 'update', table: 'dataKeys', row };
}

/** Commits, unless another process came first. */
async function commitOrLose(store: Pick<Store, 'commit'>, changes: readonly Change[]): Promise<void> {
  await store.commit(changes).catch((error: unknown) => {
    if (!(error instanceof CommitConflict)) throw error;
  });
}
