import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { JournalUnavailable } from '../journal.js';
import { SqliteDatabase, type SqlRow } from '../sqlite-database.js';
import {
  COPY_LIMITS,
  type CopyBatch,
  type CopyEntry,
  type CopyKind,
  type CopyTarget,
  CopyUnavailable,
} from './copy-target.js';

/** Name of the copy in its folder. */
export const COPY_FILE = 'journal-copy.db';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (
    kind   TEXT NOT NULL,
    number INTEGER NOT NULL,
    name   TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (kind, number, name)
  ) STRICT, WITHOUT ROWID;`;

/** A copy in a folder of this machine: another disk, a stick, a share. */
export class FileCopy implements CopyTarget {
  readonly #folder: string;
  #database: SqliteDatabase;

  private constructor(folder: string, database: SqliteDatabase) {
    this.#folder = folder;
    this.#database = database;
  }

  /**
   * Opens the copy of a folder, or begins one. A folder that is not there is not made by default: a disk that is not mounted
   * must not become a copy on the disk it stands for.
   * @throws CopyUnavailable
   */
  static async open(folder: string, options: { readonly create?: boolean } = {}): Promise<FileCopy> {
    if (options.create) makeFolder(folder);
    return new FileCopy(folder, await openDatabase(folder, COPY_FILE));
  }

  /**
   * Opens a copy that must be there, to be read: a folder, or one file of it that was put aside.
   * @throws CopyUnavailable
   */
  static async openExisting(path: string): Promise<FileCopy> {
    const found = statSync(path, { throwIfNoEntry: false });
    const [folder, name] = found?.isFile() ? [dirname(path), basename(path)] : [path, COPY_FILE];
    if (!existsSync(join(folder, name)))
      throw new CopyUnavailable(`there is no copy of a journal at ${path}`);
    return new FileCopy(folder, await openDatabase(folder, name));
  }

  get(kind: CopyKind, number: number, name = ''): Promise<Uint8Array | undefined> {
    return this.#try(async (db) => {
      const found = 'SELECT sealed FROM entries WHERE kind = ? AND number = ? AND name = ?';
      return (await db.get(found, kind, number, name))?.sealed as Uint8Array | undefined;
    });
  }

  list(
    kind: CopyKind,
    after: { readonly number: number; readonly name: string },
    limit: number,
  ): Promise<readonly CopyEntry[]> {
    return this.#try(async (db) => {
      const page = await db.all(
        'SELECT * FROM entries WHERE kind = ? AND (number, name) > (?, ?) ORDER BY number, name LIMIT ?',
        kind,
        after.number,
        after.name,
        limit,
      );
      return page.map((record) => toEntry(kind, record));
    });
  }

  write({ put, dropBlobs, dropRowsTo }: CopyBatch): Promise<void> {
    return this.#try(async (db) => {
      await db.run('BEGIN IMMEDIATE');
      try {
        for (const { kind, number, name, sealed } of put)
          await db.run('INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)', kind, number, name, sealed);
        for (const name of dropBlobs)
          await db.run("DELETE FROM entries WHERE kind = 'blob' AND number = 0 AND name = ?", name);
        if (dropRowsTo > 0)
          await db.run("DELETE FROM entries WHERE kind = 'row' AND number <= ?", dropRowsTo);
        await db.run('COMMIT');
      } catch (error) {
        await db.run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async beginAnew(): Promise<void> {
    await this.#database.close();
    try {
      putAside(this.#folder);
    } catch (error) {
      throw unavailable(this.#folder, error);
    }
    this.#database = await openDatabase(this.#folder, COPY_FILE);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #try<T>(work: (database: SqliteDatabase) => Promise<T>): Promise<T> {
    try {
      return await work(this.#database);
    } catch (error) {
      throw unavailable(this.#folder, error);
    }
  }
}

async function openDatabase(folder: string, name: string): Promise<SqliteDatabase> {
  let database: SqliteDatabase | undefined;
  try {
    database = await SqliteDatabase.open(join(folder, name));
    await database.run('PRAGMA busy_timeout = 1000');
    // Alone with the file: two agents never write one copy, and a write-ahead log without shared memory works on shares, too.
    // It costs one sync a batch, where a rollback journal costs four.
    await database.run('PRAGMA locking_mode = EXCLUSIVE');
    await database.run('PRAGMA journal_mode = WAL');
    await database.run('PRAGMA synchronous = FULL');
    await database.run('PRAGMA secure_delete = ON');
    await database.exec(SCHEMA);
    return database;
  } catch (error) {
    await database?.close();
    throw unavailable(folder, error);
  }
}

/** The newest few earlier copies stay: what was copied is never thrown away because something else begins. */
function putAside(folder: string): void {
  const aside = readdirSync(folder)
    .map((name) => Number(/^journal-copy-(\d+)\.db$/.exec(name)?.[1] ?? 0))
    .filter((count) => count > 0)
    .sort((a, b) => a - b);
  const next = (aside.at(-1) ?? 0) + 1;
  for (const end of ['', '-wal']) {
    const file = join(folder, COPY_FILE + end);
    if (existsSync(file)) renameSync(file, join(folder, `journal-copy-${next}.db${end}`));
  }
  for (const old of aside.slice(0, Math.max(0, aside.length + 1 - COPY_LIMITS.maxAside)))
    rmSync(join(folder, `journal-copy-${old}.db`), { force: true });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unavailable(folder, error);
  }
}

function unavailable(folder: string, error: unknown): CopyUnavailable {
  const reason = error instanceof JournalUnavailable ? error.reason : 'io-error';
  const detail = error instanceof Error ? error.message : String(error);
  return new CopyUnavailable(
    `copy in ${folder} (${reason}): ${detail.replace(/^journal unavailable \([^)]*\): /, '')}`,
  );
}

function toEntry(kind: CopyKind, record: SqlRow): CopyEntry {
  return {
    kind,
    number: Number(record.number),
    name: String(record.name),
    sealed: record.sealed as Uint8Array,
  };
}
