import type { RowOf } from '@tillbridge/platform/sqlite/table.js';
import { columnNames } from '@tillbridge/platform/sqlite/table-sql.js';
import {
  PostgresConnections,
  type PostgresPlace,
  type Run,
} from '../../../kernel/store/postgres/connection.js';
import { migratePlace } from '../../../kernel/store/postgres/migrate.js';
import { createSql, quoted, quotedList } from '../../../kernel/store/postgres/table-sql.js';
import type { AcquirerAnswer } from '../acquirer.js';
import { WRONG_PIN } from './gift-cards.js';
import type { LedgerRequest } from './ledger.js';
import { type LedgerChanges, type LedgerRows, loadBatch } from './ledger-batch.js';
import { LedgerReads } from './ledger-reads.js';
import type { LedgerRow } from './ledger-rows.js';
import { CHANGING_COLUMNS, type LedgerStore } from './ledger-store.js';
import { TOMBSTONES, TRANSACTIONS } from './ledger-tables.js';

/** Schema of the ledger's tables, apart from those of the store. */
export const LEDGER_SCHEMA_NAME = 'acquirer_internal';

/** Its tables. */
export const LEDGER_TABLES = [TRANSACTIONS, TOMBSTONES] as const;

/** The schema of the ledger. */
export const LEDGER_SCHEMA = { create: createSql(LEDGER_TABLES), migrations: [] };

/** Columns of a transaction but its position, which follows from the order of the rows. */
const COLUMNS = columnNames(TRANSACTIONS).filter((column) => column !== 'position');
const FIND_ALL = `SELECT ${quotedList(COLUMNS)} FROM transactions WHERE "acquirerReference" = ANY($1::text[])`;
const FIND_OF_GIFT_CARDS =
  `SELECT ${quotedList(COLUMNS)} FROM transactions WHERE "giftCard" = ANY($1::text[]) ` +
  `AND (approved = 1 AND kind <> 'inquiry' OR "responseCode" = '${WRONG_PIN}')`;
const FIND_TOMBSTONES =
  'SELECT "acquirerReference" FROM tombstones WHERE "acquirerReference" = ANY($1::text[])';
const INSERT =
  `INSERT INTO transactions (${quotedList(COLUMNS)}) SELECT ${quotedList(COLUMNS, 'row.')} FROM ` +
  'json_array_elements($1::json) WITH ORDINALITY AS items (item, at), json_populate_record(NULL::transactions, item) AS row ORDER BY at';
const UPDATE =
  `UPDATE transactions AS t SET ${CHANGING_COLUMNS.map((column) => `${quoted(column)} = changed.${quoted(column)}`).join(', ')} ` +
  'FROM json_populate_recordset(NULL::transactions, $1) AS changed WHERE t."acquirerReference" = changed."acquirerReference"';
const INSERT_TOMBSTONES =
  'INSERT INTO tombstones SELECT * FROM json_populate_recordset(NULL::tombstones, $1)';
/** Nodes record one after the other, so that positions become visible in their order. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/record', 0))";

/** The INTERNAL acquirer's ledger in its own schema of a PostgreSQL server, with commits of its own. All nodes have the same one. */
export class PostgresLedger extends LedgerReads implements LedgerStore {
  readonly #connections: PostgresConnections;

  private constructor(connections: PostgresConnections) {
    super();
    this.#connections = connections;
  }

  /** Opens the ledger, making its schema where it is missing. @throws StoreUnavailableError, SchemaTooNewError */
  static async open(place: PostgresPlace): Promise<PostgresLedger> {
    await migratePlace(place, LEDGER_SCHEMA);
    return new PostgresLedger(new PostgresConnections(place));
  }

  record(requests: readonly LedgerRequest[]): Promise<readonly AcquirerAnswer[]> {
    return this.#connections.transaction(async (run) => {
      const locked = run(LOCK, []);
      const [batch] = await Promise.all([
        loadBatch(
          {
            load: (references) => loadRows(run, references),
            ofGiftCards: (cards) => run<LedgerRow>(FIND_OF_GIFT_CARDS, [cards]),
          },
          requests,
        ),
        locked,
      ]);
      const answers = requests.map((request) => batch.decide(request));
      write(run, batch.changes());
      return answers;
    });
  }

  load(references: readonly string[]): Promise<LedgerRows> {
    return loadRows((sql, values) => this.#connections.all(sql, values), references);
  }

  protected select(sql: string, values: readonly number[]): Promise<readonly RowOf<typeof TRANSACTIONS>[]> {
    let count = 0;
    const numbered = sql.replace(/\?/g, () => {
      count += 1;
      return `$${count}`;
    });
    return this.#connections.all(numbered, values);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

async function loadRows(run: Run, references: readonly string[]): Promise<LedgerRows> {
  const [rows, tombstones] = await Promise.all([
    run<LedgerRow>(FIND_ALL, [references]),
    run<{ readonly acquirerReference: string }>(FIND_TOMBSTONES, [references]),
  ]);
  return { rows, tombstones: tombstones.map(({ acquirerReference }) => acquirerReference) };
}

/** The commit follows these statements without waiting for them, and fails with them. */
function write(run: Run, { inserted, updated, tombstones }: LedgerChanges): void {
  const send = (sql: string, rows: readonly object[]): void => {
    if (rows.length > 0) run(sql, [JSON.stringify(rows)]).catch(() => undefined);
  };
  send(INSERT, inserted);
  send(UPDATE, updated);
  send(INSERT_TOMBSTONES, tombstones);
}
