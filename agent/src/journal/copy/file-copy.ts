import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { migrate, type Schema } from '@tillbridge/platform/sqlite/migrate.js';
import { column, table } from '@tillbridge/platform/sqlite/table.js';
import { createSql, insertSql, valuesOf } from '@tillbridge/platform/sqlite/table-sql.js';
import { JournalUnavailable } from '../journal.js';
import { openDatabase } from '../open-database.js';
import {
  COPY_LIMITS,
  type CopyBatch,
  type CopyEntry,
  type CopyKind,
  type CopyTarget,
} from './copy-target.js';
import { CopyUnavailable } from './copy-unavailable.js';

/** Name of the copy in its folder. */
export const COPY_FILE = 'journal-copy.db';

const ENTRIES = table(
  'entries',
  {
    kind: column.text<CopyKind>(),
    number: column.integer(),
    name: column.text(),
    sealed: column.bytes(),
  },
  { key: ['kind', 'number', 'name'] },
);

const SCHEMA: Schema = { create: createSql([ENTRIES]), migrations: [] };

/** A copy in a folder of this machine: another disk, a stick, a share. */
export class FileCopy implements CopyTarget {
  readonly #folder: string;
  #database: SqliteConnection;

  private constructor(folder: string, database: SqliteConnection) {
    this.#folder = folder;
    this.#database = database;
  }

  /**
   * Opens the copy of a folder, or begins one. A folder that is not there is not made by default: a disk that is not mounted
   * must not become a copy on the disk it stands for.
   * @throws CopyUnavailable
   */
  static async open(folder: string, options: { readonly create?: boolean } = {}): Promise<FileCopy> {
    if (options.create) makeCopyFolder(folder);
    return new FileCopy(folder, await openCopy(folder, COPY_FILE));
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
    return new FileCopy(folder, await openCopy(folder, name));
  }

  get(kind: CopyKind, number: number, name = ''): Promise<Uint8Array | undefined> {
    return this.#try(async (db) => {
      const found = 'SELECT sealed FROM entries WHERE kind = ? AND number = ? AND name = ?';
      return (await db.get(found, kind, number, name))?.sealed as Uint8Array | undefined;
    });
  }

  list(
    kind: CopyKind,
    after: Pick<CopyEntry, 'number' | 'name'>,
    limit: number,
  ): Promise<readonly CopyEntry[]> {
    const page =
      'SELECT * FROM entries WHERE kind = ? AND (number, name) > (?, ?) ORDER BY number, name LIMIT ?';
    return this.#try((db) => db.all<CopyEntry>(page, kind, after.number, after.name, limit));
  }

  write({ put, dropBlobs, dropRowsTo }: CopyBatch): Promise<void> {
    return this.#try((db) =>
      db.transaction(async () => {
        for (const entry of put) await db.run(insertSql(ENTRIES, 'OR REPLACE '), ...valuesOf(ENTRIES, entry));
        for (const name of dropBlobs)
          await db.run("DELETE FROM entries WHERE kind = 'blob' AND number = 0 AND name = ?", name);
        if (dropRowsTo > 0)
          await db.run("DELETE FROM entries WHERE kind = 'row' AND number <= ?", dropRowsTo);
      }),
    );
  }

  async beginAnew(): Promise<void> {
    await this.#database.close();
    try {
      putAside(this.#folder);
    } catch (error) {
      throw unavailable(this.#folder, error);
    }
    this.#database = await openCopy(this.#folder, COPY_FILE);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #try<T>(work: (database: SqliteConnection) => Promise<T>): Promise<T> {
    try {
      return await work(this.#database);
    } catch (error) {
      throw unavailable(this.#folder, error);
    }
  }
}

async function openCopy(folder: string, name: string): Promise<SqliteConnection> {
  let database: SqliteConnection | undefined;
  try {
    // Alone with the file: two agents never write one copy, and a write-ahead log without shared memory works on shares, too.
    // It costs one sync a batch, where a rollback journal costs four.
    database = await openDatabase(join(folder, name), { exclusive: true });
    await migrate(database, SCHEMA);
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

function makeCopyFolder(folder: string): void {
  try {
    makeFolder(folder);
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
