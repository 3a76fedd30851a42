import {
  type BatchPart,
  batchInsertSql,
  batchViewSql,
  itemsOf,
} from '@tillbridge/platform/sqlite/batch-view.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { ConstraintError, DatabaseError } from '@tillbridge/platform/sqlite/database-error.js';
import { GroupCommit, type Waiting } from '@tillbridge/platform/sqlite/group-commit.js';
import { migrate, type Schema } from '@tillbridge/platform/sqlite/migrate.js';
import type { RowOf, Table } from '@tillbridge/platform/sqlite/table.js';
import { columnNames, createSql, valuesOf } from '@tillbridge/platform/sqlite/table-sql.js';
import { ACCOUNTS, CARDS, CHARGEBACKS, DAYS, REVERSALS, TRANSACTIONS } from '../rows/tables.js';
import { type HostRow, type HostTable, MemoryHostStore } from './memory-host-store.js';

/** The tables in the order they are written. */
const TABLES = {
  accounts: ACCOUNTS,
  cards: CARDS,
  transactions: TRANSACTIONS,
  reversals: REVERSALS,
  chargebacks: CHARGEBACKS,
  days: DAYS,
} as const satisfies Readonly<Record<HostTable, Table>>;
const NAMES = Object.keys(TABLES) as HostTable[];

const SCHEMA: Schema = { create: createSql(Object.values(TABLES)), migrations: [] };

/** Limits of the messages that wait for a transaction. */
const HOST_COMMIT_LIMITS = {
  /** Messages that share one transaction, and one flush to disk, at most. */
  maxBatch: 64,
  /** Messages that may wait; more are refused as `overloaded`. */
  maxWaiting: 10_000,
} as const;

/** Takes rows of every table, as JSON arrays: new ones, and those that have changed. */
const BATCH = { name: 'batch', isTemporary: true, parts: NAMES.map(upsertPart) } as const;
const WRITE = batchInsertSql(BATCH);

function upsertPart(name: HostTable): BatchPart {
  const key: readonly string[] = TABLES[name].key;
  const columns = columnNames(TABLES[name]);
  const set = columns.filter((column) => !key.includes(column)).map((each) => `${each} = excluded.${each}`);
  return {
    name,
    statements: [
      `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${columns.map((_, at) => `item ->> ${at}`).join(', ')} ` +
        `FROM ${itemsOf(`NEW.${name}`)} WHERE true ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set.join(', ')}`,
    ],
  };
}

/** Carries a message out in memory. Never rejects: it may be called again where the batch cannot be written. */
type HostWork = () => Promise<void>;

/**
 * The acquirer host's own database: a SQLite file with WAL and synchronous=FULL. Its rows are in memory, too, where messages are decided: those that
 * wait for the disk are decided one after the other, each on what those before it have written, and are written together with one statement.
 * One that fails leaves nothing.
 */
export class HostDatabase extends MemoryHostStore {
  readonly #connection: SqliteConnection;
  readonly #queue = new GroupCommit<HostWork, void>(
    (batch) => this.#carryOut(batch),
    HOST_COMMIT_LIMITS,
    (fault, detail) => new DatabaseError(fault, detail),
  );
  /** Names of rows that were written in memory since the last commit. */
  readonly #changed = new Map<HostTable, Set<string>>();

  private constructor(connection: SqliteConnection) {
    super();
    this.#connection = connection;
  }

  /** Opens or creates the file. @throws DatabaseError */
  static async open(file: string): Promise<HostDatabase> {
    const connection = await SqliteConnection.open(file, { secureDelete: true });
    try {
      await migrate(connection, SCHEMA);
      await connection.exec(batchViewSql(BATCH));
      const database = new HostDatabase(connection);
      await database.#load();
      return database;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  override async exclusively<T>(work: () => Promise<T>): Promise<T> {
    let ended: (() => T) | undefined;
    const run = async (): Promise<void> => {
      try {
        const value = await this.whole(work);
        ended = () => value;
      } catch (error) {
        ended = () => {
          throw error;
        };
      }
    };
    await this.#queue.add(run);
    if (!ended) throw new Error('a message was committed without being carried out');
    return ended();
  }

  override async close(): Promise<void> {
    await this.#queue.close();
    await this.#connection.close();
  }

  protected override put<T extends HostTable>(table: T, name: string, row: HostRow): void {
    super.put(table, name, row);
    const names = this.#changed.get(table) ?? new Set();
    this.#changed.set(table, names.add(name));
  }

  async #load(): Promise<void> {
    const read = <T extends Table>({ name, key }: T): Promise<readonly RowOf<T>[]> =>
      this.#connection.all(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`);
    for (const row of await read(ACCOUNTS)) this.rows.accounts.set(`${row.card}/${row.currency}`, row);
    for (const row of await read(CARDS)) this.rows.cards.set(row.card, row);
    for (const row of await read(TRANSACTIONS)) this.rows.transactions.set(row.message, row);
    for (const row of await read(REVERSALS)) {
      this.rows.reversals.set(String(row.position), row);
      this.index(row);
    }
    for (const row of await read(CHARGEBACKS)) this.rows.chargebacks.set(String(row.position), row);
    for (const row of await read(DAYS)) this.rows.days.set(row.day, row);
  }

  async #carryOut(batch: readonly Waiting<HostWork, void>[]): Promise<void> {
    try {
      for (const { work } of batch) await work();
      await this.#write();
      this.keep();
      for (const { resolve } of batch) resolve();
    } catch (error) {
      this.takeBack();
      // A row that breaks a rule of its table fails its own message alone.
      if (error instanceof ConstraintError && batch.length > 1) {
        for (const each of batch) await this.#carryOut([each]);
        return;
      }
      for (const { reject } of batch) reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Writes what has changed. @throws ConstraintError, DatabaseError: nothing is written */
  async #write(): Promise<void> {
    const values = NAMES.map((name) => {
      const rows = this.rows[name] as ReadonlyMap<string, HostRow>;
      const changed = [...(this.#changed.get(name) ?? [])].flatMap((each) => rows.get(each) ?? []);
      return changed.length === 0 ? null : JSON.stringify(changed.map((row) => valuesOf(TABLES[name], row)));
    });
    this.#changed.clear();
    if (values.some((value) => value !== null)) await this.#connection.run(WRITE, ...values);
  }
}
