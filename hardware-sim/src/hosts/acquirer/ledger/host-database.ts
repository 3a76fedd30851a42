import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { migrate, type Schema } from '@tillbridge/platform/sqlite/migrate.js';
import type { RowOf, SqlValue, Table } from '@tillbridge/platform/sqlite/table.js';
import { createSql, insertSql, valuesOf } from '@tillbridge/platform/sqlite/table-sql.js';
import {
  ACCOUNTS,
  type AccountRow,
  CARDS,
  type CardRow,
  CHARGEBACKS,
  type ChargebackRow,
  DAYS,
  REVERSALS,
  type ReversalRow,
  TRANSACTIONS,
  type TransactionRow,
} from '../rows/tables.js';
import type { HostStore, New } from './host-store.js';

const SCHEMA: Schema = {
  create: createSql([ACCOUNTS, CARDS, TRANSACTIONS, REVERSALS, CHARGEBACKS, DAYS]),
  migrations: [],
};

/** The acquirer host's own database: a SQLite file with WAL and synchronous=FULL. */
export class HostDatabase implements HostStore {
  readonly #connection: SqliteConnection;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Opens or creates the file. @throws DatabaseError */
  static async open(file: string): Promise<HostDatabase> {
    const connection = await SqliteConnection.open(file, { secureDelete: true });
    try {
      await migrate(connection, SCHEMA);
      return new HostDatabase(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#connection.transaction(work));
    this.#last = done.catch(() => undefined);
    return done;
  }

  account(card: string, currency: string): Promise<AccountRow | undefined> {
    return this.#first(ACCOUNTS, 'card = ? AND currency = ?', card, currency);
  }

  card(card: string): Promise<CardRow | undefined> {
    return this.#first(CARDS, 'card = ?', card);
  }

  transaction(message: string): Promise<TransactionRow | undefined> {
    return this.#first(TRANSACTIONS, 'message = ?', message);
  }

  reversal(message: string): Promise<ReversalRow | undefined> {
    return this.#first(REVERSALS, 'message = ? ORDER BY reversedMinor DESC', message);
  }

  async isReversed(message: string): Promise<boolean> {
    return (await this.#first(REVERSALS, 'original = ?', message)) !== undefined;
  }

  transactions(day?: string): Promise<readonly TransactionRow[]> {
    return this.#all(TRANSACTIONS, day);
  }

  reversals(day?: string): Promise<readonly ReversalRow[]> {
    return this.#all(REVERSALS, day);
  }

  chargebacks(day?: string): Promise<readonly ChargebackRow[]> {
    return this.#all(CHARGEBACKS, day);
  }

  accounts(): Promise<readonly AccountRow[]> {
    return this.#connection.all('SELECT * FROM accounts ORDER BY card, currency');
  }

  cards(): Promise<readonly CardRow[]> {
    return this.#connection.all('SELECT * FROM cards ORDER BY card');
  }

  async day(): Promise<string | undefined> {
    const row = await this.#connection.get<{ day: string }>(
      'SELECT day FROM days WHERE closedAtMs IS NULL ORDER BY day DESC LIMIT 1',
    );
    return row?.day;
  }

  async beginDay(day: string, nowMs: number): Promise<void> {
    await this.#connection.run('UPDATE days SET closedAtMs = ? WHERE closedAtMs IS NULL', nowMs);
    await this.#insert(DAYS, { day, closedAtMs: null });
  }

  async putAccount(row: AccountRow): Promise<void> {
    await this.#put(ACCOUNTS, row);
  }

  async putCard(row: CardRow): Promise<void> {
    await this.#put(CARDS, row);
  }

  async addTransaction(row: New<TransactionRow>): Promise<void> {
    await this.#insert(TRANSACTIONS, row);
  }

  async addReversal(row: New<ReversalRow>): Promise<void> {
    await this.#insert(REVERSALS, row);
  }

  async addChargeback(row: New<ChargebackRow>): Promise<void> {
    await this.#insert(CHARGEBACKS, row);
  }

  async changeTransaction(row: TransactionRow): Promise<void> {
    await this.#connection.run(
      'UPDATE transactions SET amountMinor = ?, heldMinor = ?, refundedMinor = ?, reversedMinor = ?, chargedBackMinor = ? WHERE position = ?',
      row.amountMinor,
      row.heldMinor,
      row.refundedMinor,
      row.reversedMinor,
      row.chargedBackMinor,
      row.position,
    );
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#connection.close();
  }

  #first<T extends Table>(
    { name }: T,
    where: string,
    ...values: readonly SqlValue[]
  ): Promise<RowOf<T> | undefined> {
    return this.#connection.get(`SELECT * FROM ${name} WHERE ${where} LIMIT 1`, ...values);
  }

  #all<T extends Table>({ name }: T, day: string | undefined): Promise<readonly RowOf<T>[]> {
    return day === undefined
      ? this.#connection.all(`SELECT * FROM ${name} ORDER BY position`)
      : this.#connection.all(`SELECT * FROM ${name} WHERE day = ? ORDER BY position`, day);
  }

  async #insert<T extends Table>(table: T, row: Partial<RowOf<T>>): Promise<void> {
    await this.#connection.run(insertSql(table), ...valuesOf(table, row));
  }

  async #put<T extends Table>(table: T, row: RowOf<T>): Promise<void> {
    await this.#connection.run(insertSql(table, 'OR REPLACE '), ...valuesOf(table, row));
  }
}
