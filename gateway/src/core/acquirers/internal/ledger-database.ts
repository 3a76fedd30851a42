import {
  type BatchView,
  batchInsertSql,
  batchViewSql,
  itemsOf,
} from '@tillbridge/platform/sqlite/batch-view.js';
import { Checkpoints } from '@tillbridge/platform/sqlite/checkpoints.js';
import type { SqliteConnection, SqliteOptions } from '@tillbridge/platform/sqlite/connection.js';
import { ConstraintError } from '@tillbridge/platform/sqlite/database-error.js';
import { migrate, type Schema } from '@tillbridge/platform/sqlite/migrate.js';
import type { RowOf, SqlValue, Table } from '@tillbridge/platform/sqlite/table.js';
import { columnNames, createSql } from '@tillbridge/platform/sqlite/table-sql.js';
import { CHECKPOINT_PAGES, openDatabase } from '../../../kernel/store/open-database.js';
import type { AcquirerAnswer } from '../acquirer.js';
import { WRONG_PIN } from './gift-cards.js';
import type { LedgerRequest } from './ledger.js';
import { LedgerBatch, type LedgerChanges, type LedgerRows, loadBatch } from './ledger-batch.js';
import { LedgerReads } from './ledger-reads.js';
import type { LedgerRow } from './ledger-rows.js';
import { CHANGING_COLUMNS, type LedgerStore } from './ledger-store.js';
import { TOMBSTONES, TRANSACTIONS } from './ledger-tables.js';

const SCHEMA: Schema = { create: createSql([TRANSACTIONS, TOMBSTONES]), migrations: [] };

/** Columns of a transaction but its position, which follows from the order of the rows. */
const COLUMNS = columnNames(TRANSACTIONS).filter((column) => column !== 'position');
const FIND_ALL = `SELECT ${COLUMNS.join(', ')} FROM transactions WHERE acquirerReference IN (SELECT value FROM json_each(?))`;
const FIND_TOMBSTONES =
  'SELECT acquirerReference FROM tombstones WHERE acquirerReference IN (SELECT value FROM json_each(?))';
const FIND_OF_GIFT_CARDS =
  `SELECT ${COLUMNS.join(', ')} FROM transactions WHERE giftCard IN (SELECT value FROM json_each(?)) ` +
  `AND (approved = 1 AND kind <> 'inquiry' OR responseCode = '${WRONG_PIN}')`;
const INSERT = insertAllSql(TRANSACTIONS, COLUMNS);
const INSERT_TOMBSTONES = insertAllSql(TOMBSTONES, columnNames(TOMBSTONES));
const UPDATE =
  `UPDATE transactions SET ${CHANGING_COLUMNS.map((column) => `${column} = changed.value ->> '$.${column}'`).join(', ')}` +
  " FROM json_each(?) AS changed WHERE acquirerReference = changed.value ->> '$.acquirerReference'";

/** Takes rows into the ledger, as JSON arrays, if none of them was recorded or reversed before. */
const NEW_ROWS: BatchView = {
  name: 'newTransactions',
  isTemporary: true,
  parts: [
    {
      name: 'items',
      statements: [
        `SELECT RAISE(ABORT, 'reversed before') WHERE EXISTS (SELECT 1 FROM ${itemsOf('NEW.items')} CROSS JOIN tombstones AS t ` +
          `WHERE t.acquirerReference = item ->> ${COLUMNS.indexOf('acquirerReference')})`,
        `INSERT INTO transactions (${COLUMNS.join(', ')}) SELECT ${COLUMNS.map((_, at) => `item ->> ${at}`).join(', ')} FROM ${itemsOf('NEW.items')}`,
      ],
    },
  ],
};
const INSERT_NEW = batchInsertSql(NEW_ROWS);

/** Inserts the rows of the JSON array of objects given as the only parameter, in its order. */
function insertAllSql({ name }: Table, columns: readonly string[]): string {
  const values = columns.map((column) => `value ->> '$.${column}'`);
  return `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?) ORDER BY key`;
}

/** The INTERNAL acquirer's ledger on its own SQLite file, apart from the gateway's store. */
export class LedgerDatabase extends LedgerReads implements LedgerStore {
  readonly #connection: SqliteConnection;
  /** Reads outside a transaction see committed rows only. */
  readonly #reader: SqliteConnection;
  readonly #checkpoints: Checkpoints;

  private constructor(connection: SqliteConnection, reader: SqliteConnection, checkpoints: Checkpoints) {
    super();
    this.#connection = connection;
    this.#reader = reader;
    this.#checkpoints = checkpoints;
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
      await connection.exec(batchViewSql(NEW_ROWS));
      const checkpoints = new Checkpoints(await openDatabase(file), CHECKPOINT_PAGES);
      return new LedgerDatabase(connection, await openDatabase(file), checkpoints);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async record(requests: readonly LedgerRequest[]): Promise<readonly AcquirerAnswer[]> {
    const answers = (await this.#recordNew(requests)) ?? (await this.#recordOnWhatStands(requests));
    this.#checkpoints.committed();
    return answers;
  }

  /** Records requests that follow and complete no other and ask for no balance, without a look at the ledger; undefined, and nothing recorded, where it knows one of them. */
  async #recordNew(requests: readonly LedgerRequest[]): Promise<readonly AcquirerAnswer[] | undefined> {
    const follows = ({ originalReference, completes, giftCardAsk }: LedgerRequest): boolean =>
      originalReference !== null || completes === true || giftCardAsk !== undefined;
    if (requests.some(follows)) return undefined;
    const batch = new LedgerBatch();
    const answers = requests.map((request) => batch.decide(request));
    const rows = batch
      .changes()
      .inserted.map((row) => COLUMNS.map((column) => asValues(row)[column] ?? null));
    try {
      await this.#connection.run(INSERT_NEW, JSON.stringify(rows));
      return answers;
    } catch (error) {
      if (error instanceof ConstraintError) return undefined;
      throw error;
    }
  }

  #recordOnWhatStands(requests: readonly LedgerRequest[]): Promise<readonly AcquirerAnswer[]> {
    return this.#connection.transaction(async () => {
      const connection = this.#connection;
      const batch = await loadBatch(
        {
          load: (references) => loadRows(connection, references),
          ofGiftCards: (cards) => connection.all<LedgerRow>(FIND_OF_GIFT_CARDS, JSON.stringify(cards)),
        },
        requests,
      );
      const answers = requests.map((request) => batch.decide(request));
      await this.#write(batch.changes());
      return answers;
    });
  }

  load(references: readonly string[]): Promise<LedgerRows> {
    return loadRows(this.#reader, references);
  }

  protected select(sql: string, values: readonly number[]): Promise<readonly RowOf<typeof TRANSACTIONS>[]> {
    return this.#reader.all(sql, ...values);
  }

  async close(): Promise<void> {
    await this.#checkpoints.close();
    await this.#reader.close();
    await this.#connection.close();
  }

  async #write({ inserted, updated, tombstones }: LedgerChanges): Promise<void> {
    const write = async (sql: string, rows: readonly object[]): Promise<void> => {
      if (rows.length > 0) await this.#connection.run(sql, JSON.stringify(rows));
    };
    await write(INSERT, inserted);
    await write(UPDATE, updated);
    await write(INSERT_TOMBSTONES, tombstones);
  }
}

function asValues(row: LedgerRow): Readonly<Record<string, SqlValue | undefined>> {
  return row;
}

async function loadRows(connection: SqliteConnection, references: readonly string[]): Promise<LedgerRows> {
  const wanted = JSON.stringify(references);
  const [rows, tombstones] = await Promise.all([
    connection.all<LedgerRow>(FIND_ALL, wanted),
    connection.all<{ readonly acquirerReference: string }>(FIND_TOMBSTONES, wanted),
  ]);
  return { rows, tombstones: tombstones.map(({ acquirerReference }) => acquirerReference) };
}
