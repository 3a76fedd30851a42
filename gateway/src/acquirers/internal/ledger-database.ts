import type { SqliteConnection, SqliteOptions } from '@tillbridge/protocol/platform/sqlite/connection.js';
import { migrate, type Schema } from '@tillbridge/protocol/platform/sqlite/migrate.js';
import type { RowOf } from '@tillbridge/protocol/platform/sqlite/table.js';
import { createSql, insertSql, valuesOf } from '@tillbridge/protocol/platform/sqlite/table-sql.js';
import { openDatabase } from '../../store/open-database.js';
import type { LedgerDecision, LedgerView } from './ledger.js';
import type { LedgerRow } from './ledger-rows.js';
import type { LedgerStore, PlacedRow } from './ledger-store.js';
import { TOMBSTONES, TRANSACTIONS } from './ledger-tables.js';

const SCHEMA: Schema = { create: createSql([TRANSACTIONS, TOMBSTONES]), migrations: [] };
const SELECT = 'SELECT * FROM transactions';
const UPDATE =
  'UPDATE transactions SET amountMinor = ?, capturedMinor = ?, refundedMinor = ?, reversedMinor = ? WHERE acquirerReference = ?';

/** The acquirer's own file: its ledger, beside the gateway's store and apart from it. */
export class LedgerDatabase implements LedgerStore {
  readonly #connection: SqliteConnection;
  /** Reads from outside see what is committed, never a transaction that is still open. */
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

  /** What stands in the ledger for a reference and the one it follows; part of a {@link transaction}. */
  async view(reference: string, originalReference: string | null): Promise<LedgerView> {
    const existing = await findRow(this.#connection, reference);
    const tombstone = await this.#connection.get(
      'SELECT 1 FROM tombstones WHERE acquirerReference = ?',
      reference,
    );
    const original =
      originalReference === null ? undefined : await findRow(this.#connection, originalReference);
    const root = original && (await this.#rootOf(original));
    return {
      tombstoned: tombstone !== undefined,
      ...(existing && { existing }),
      ...(original && { original }),
      ...(root && { root }),
    };
  }

  /** A refund may follow a capture that follows an authorization: two steps at most. A receipt is a root of its own. */
  async #rootOf(original: LedgerRow): Promise<LedgerRow | undefined> {
    let row: LedgerRow | undefined = original;
    for (let step = 0; step < 2 && row?.originalReference && row.kind !== 'receipt'; step += 1)
      row = await findRow(this.#connection, row.originalReference);
    return row === original ? undefined : row;
  }

  /** The committed transaction with this reference. */
  find(reference: string): Promise<LedgerRow | undefined> {
    return findRow(this.#reader, reference);
  }

  /** Writes a decision; part of a {@link transaction}. */
  async write({ insert, updates, tombstone }: LedgerDecision): Promise<void> {
    if (insert) await this.#connection.run(insertSql(TRANSACTIONS), ...valuesOf(TRANSACTIONS, insert));
    for (const row of updates) {
      const { amountMinor, capturedMinor, refundedMinor, reversedMinor, acquirerReference } = row;
      await this.#connection.run(
        UPDATE,
        amountMinor,
        capturedMinor,
        refundedMinor,
        reversedMinor,
        acquirerReference,
      );
    }
    if (insert && tombstone !== undefined) {
      const row = {
        acquirerReference: tombstone,
        reversalReference: insert.acquirerReference,
        atMs: insert.atMs,
      };
      await this.#connection.run(insertSql(TOMBSTONES, 'OR IGNORE '), ...valuesOf(TOMBSTONES, row));
    }
  }

  /** Every committed transaction in the order it was recorded. */
  async all(): Promise<readonly LedgerRow[]> {
    return (await this.after(0, -1)).map(({ row }) => row);
  }

  async after(position: number, limit: number): Promise<readonly PlacedRow[]> {
    const page = `${SELECT} WHERE position > ? ORDER BY position LIMIT ?`;
    const found = await this.#reader.all<RowOf<typeof TRANSACTIONS>>(page, position, limit);
    return found.map(({ position: at, ...row }) => ({ position: at, row }));
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await this.#reader.close();
    await this.#connection.close();
  }
}

async function findRow(connection: SqliteConnection, reference: string): Promise<LedgerRow | undefined> {
  const found = await connection.get<RowOf<typeof TRANSACTIONS>>(
    `${SELECT} WHERE acquirerReference = ?`,
    reference,
  );
  if (!found) return undefined;
  const { position: _, ...row } = found;
  return row;
}
