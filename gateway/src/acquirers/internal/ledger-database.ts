import type { SqliteConnection, SqliteOptions } from '@tillbridge/protocol/platform/sqlite/connection.js';
import { migrate, type Schema } from '@tillbridge/protocol/platform/sqlite/migrate.js';
import type { RowOf } from '@tillbridge/protocol/platform/sqlite/table.js';
import { createSql, insertSql, valuesOf } from '@tillbridge/protocol/platform/sqlite/table-sql.js';
import { openDatabase } from '../../store/open-database.js';
import type { LedgerDecision, LedgerView } from './ledger.js';
import type { LedgerRow } from './ledger-rows.js';
import type { LedgerStore, PlacedRow } from './ledger-store.js';
import { TOMBSTONES, TRANSACTIONS } from './ledger-tables.js';
import { type LedgerReader, readView } from './ledger-view.js';

const SCHEMA: Schema = { create: createSql([TRANSACTIONS, TOMBSTONES]), migrations: [] };
const SELECT = 'SELECT * FROM transactions';
const FIND_TOMBSTONE = 'SELECT 1 FROM tombstones WHERE acquirerReference = ?';
const UPDATE =
  'UPDATE transactions SET amountMinor = ?, capturedMinor = ?, refundedMinor = ?, reversedMinor = ? WHERE acquirerReference = ?';

/** The INTERNAL acquirer's ledger on a SQLite file of its own, apart from the gateway's store. */
export class LedgerDatabase implements LedgerStore {
  readonly #connection: SqliteConnection;
  /** Reads outside a transaction see committed rows only. */
  readonly #reader: SqliteConnection;

  private constructor(connection: SqliteConnection, reader: SqliteConnection) {
    this.#connection = connection;
    this.#reader = reader;
  }

  /**
   * Opens or creates the file (WAL, synchronous=FULL).
   * @throws StoreUnavailableError
   */
  static async open(
    file: string,
    { maxBytes }: Pick<SqliteOptions, 'maxBytes'> = {},
  ): Promise<LedgerDatabase> {
    const connection = await openDatabase(file, { ...(maxBytes !== undefined && { maxBytes }) });
    try {
      await migrate(connection, SCHEMA);
      return new LedgerDatabase(connection, await openDatabase(file));
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.transaction(work);
  }

  view(reference: string, originalReference: string | null): Promise<LedgerView> {
    const connection = this.#connection;
    const reader: LedgerReader = {
      find: (wanted) => findRow(connection, wanted),
      isTombstoned: async (wanted) => (await connection.get(FIND_TOMBSTONE, wanted)) !== undefined,
    };
    return readView(reader, reference, originalReference);
  }

  find(reference: string): Promise<LedgerRow | undefined> {
    return findRow(this.#reader, reference);
  }

  async write({ insert, updates, tombstone }: LedgerDecision): Promise<void> {
    if (insert) await this.#connection.run(insertSql(TRANSACTIONS), ...valuesOf(TRANSACTIONS, insert));
    for (const row of updates) {
      const { amountMinor, capturedMinor, refundedMinor, reversedMinor, acquirerReference } = row;
      const amounts = [amountMinor, capturedMinor, refundedMinor, reversedMinor];
      await this.#connection.run(UPDATE, ...amounts, acquirerReference);
    }
    if (insert && tombstone !== undefined) {
      const { acquirerReference: reversalReference, atMs } = insert;
      const row = { acquirerReference: tombstone, reversalReference, atMs };
      await this.#connection.run(insertSql(TOMBSTONES, 'OR IGNORE '), ...valuesOf(TOMBSTONES, row));
    }
  }

  async all(): Promise<readonly LedgerRow[]> {
    return (await this.after(0, -1)).map(({ row }) => row);
  }

  async after(position: number, limit: number): Promise<readonly PlacedRow[]> {
    const page = `${SELECT} WHERE position > ? ORDER BY position LIMIT ?`;
    const found = await this.#reader.all<RowOf<typeof TRANSACTIONS>>(page, position, limit);
    return found.map(({ position: at, ...row }) => ({ position: at, row }));
  }

  async close(): Promise<void> {
    await this.#reader.close();
    await this.#connection.close();
  }
}

async function findRow(connection: SqliteConnection, reference: string): Promise<LedgerRow | undefined> {
  const byReference = `${SELECT} WHERE acquirerReference = ?`;
  const found = await connection.get<RowOf<typeof TRANSACTIONS>>(byReference, reference);
  if (!found) return undefined;
  const { position: _, ...row } = found;
  return row;
}
