import { SqliteConnection, type SqliteOptions } from '../../store/sqlite-connection.js';
import type { LedgerDecision, LedgerView } from './ledger.js';
import type { LedgerBook, PlacedRow } from './ledger-book.js';
import type { LedgerRow } from './ledger-rows.js';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS transactions (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  acquirerReference TEXT NOT NULL UNIQUE,
  messageId TEXT,
  kind TEXT NOT NULL,
  amountMinor INTEGER NOT NULL CHECK (amountMinor >= 0),
  currency TEXT NOT NULL,
  approved INTEGER NOT NULL,
  resultCode TEXT NOT NULL,
  responseCode TEXT NOT NULL,
  approvalCode TEXT,
  iccDataResponse TEXT,
  originalReference TEXT,
  captureNow INTEGER NOT NULL,
  capturedMinor INTEGER NOT NULL CHECK (capturedMinor BETWEEN 0 AND amountMinor),
  refundedMinor INTEGER NOT NULL CHECK (refundedMinor BETWEEN 0 AND capturedMinor),
  reversedMinor INTEGER NOT NULL CHECK (reversedMinor BETWEEN 0 AND amountMinor),
  terminalId TEXT,
  last4Digits TEXT,
  panHash TEXT,
  parametersHash TEXT NOT NULL,
  atMs INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS tombstones (
  acquirerReference TEXT PRIMARY KEY,
  reversalReference TEXT NOT NULL,
  atMs INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Columns that files of older builds lack. */
const LATER_COLUMNS = ['avsResponse', 'cvvResponse'] as const satisfies readonly (keyof LedgerRow)[];

const COLUMNS = [
  'acquirerReference',
  'messageId',
  'kind',
  'amountMinor',
  'currency',
  'approved',
  'resultCode',
  'responseCode',
  'approvalCode',
  'iccDataResponse',
  ...LATER_COLUMNS,
  'originalReference',
  'captureNow',
  'capturedMinor',
  'refundedMinor',
  'reversedMinor',
  'terminalId',
  'last4Digits',
  'panHash',
  'parametersHash',
  'atMs',
] as const satisfies readonly (keyof LedgerRow)[];

const SELECT = `SELECT ${COLUMNS.join(', ')} FROM transactions`;
const SELECT_AFTER = `SELECT position, ${COLUMNS.join(', ')} FROM transactions WHERE position > ? ORDER BY position LIMIT ?`;
const INSERT = `INSERT INTO transactions (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;
const UPDATE =
  'UPDATE transactions SET amountMinor = ?, capturedMinor = ?, refundedMinor = ?, reversedMinor = ? WHERE acquirerReference = ?';

/** The acquirer's own file: its book, beside the gateway's store and apart from it. */
export class LedgerDatabase implements LedgerBook {
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
  static async open(file: string, options: SqliteOptions = {}): Promise<LedgerDatabase> {
    const connection = await SqliteConnection.open(file, options);
    try {
      await connection.exec(SCHEMA);
      await addLaterColumns(connection);
      return new LedgerDatabase(connection, await SqliteConnection.open(file, options));
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /**
   * Runs work in one transaction; it is durable on return, and nothing of it stays when the work or the commit fails.
   * @throws what the work throws; StoreUnavailableError
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = await work();
      await this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      // After a full disk SQLite may have rolled back by itself; then this fails, and that is fine.
      await this.#connection.exec('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** What stands in the book for a reference and the one it follows; part of a {@link transaction}. */
  async view(reference: string, originalReference: string | null): Promise<LedgerView> {
    const existing = await findRow(this.#connection, reference);
    const tombstones = await this.#connection.all('SELECT 1 FROM tombstones WHERE acquirerReference = ?', [
      reference,
    ]);
    const original =
      originalReference === null ? undefined : await findRow(this.#connection, originalReference);
    const root = original && (await this.#rootOf(original));
    return {
      tombstoned: tombstones.length > 0,
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
    if (insert)
      await this.#connection.run(
        INSERT,
        COLUMNS.map((column) => insert[column]),
      );
    for (const row of updates) {
      const { amountMinor, capturedMinor, refundedMinor, reversedMinor, acquirerReference } = row;
      await this.#connection.run(UPDATE, [
        amountMinor,
        capturedMinor,
        refundedMinor,
        reversedMinor,
        acquirerReference,
      ]);
    }
    if (insert && tombstone !== undefined) {
      const values = [tombstone, insert.acquirerReference, insert.atMs];
      await this.#connection.run('INSERT OR IGNORE INTO tombstones VALUES (?, ?, ?)', values);
    }
  }

  /** Every committed transaction in the order it was recorded. */
  async all(): Promise<readonly LedgerRow[]> {
    return (await this.#reader.all(`${SELECT} ORDER BY position`)) as unknown as LedgerRow[];
  }

  async after(position: number, limit: number): Promise<readonly PlacedRow[]> {
    const found = await this.#reader.all(SELECT_AFTER, [position, limit]);
    return found.map(({ position: at, ...row }) => ({
      position: Number(at),
      row: row as unknown as LedgerRow,
    }));
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await this.#reader.close();
    await this.#connection.close();
  }
}

async function addLaterColumns(connection: SqliteConnection): Promise<void> {
  const known = new Set((await connection.all('PRAGMA table_info(transactions)')).map(({ name }) => name));
  for (const column of LATER_COLUMNS)
    if (!known.has(column)) await connection.exec(`ALTER TABLE transactions ADD COLUMN ${column} TEXT`);
}

async function findRow(connection: SqliteConnection, reference: string): Promise<LedgerRow | undefined> {
  const [row] = await connection.all(`${SELECT} WHERE acquirerReference = ?`, [reference]);
  return row as LedgerRow | undefined;
}
