import { LedgerDatabase } from '@tillbridge/gateway/acquirers/internal/ledger-database.js';
import { TRANSACTIONS } from '@tillbridge/gateway/acquirers/internal/ledger-tables.js';
import { gatewayFiles } from '@tillbridge/gateway/home/gateway-files.js';
import { SqliteStore } from '@tillbridge/gateway/store/sqlite-store.js';
import { SqliteConnection } from '@tillbridge/protocol/platform/sqlite/connection.js';

/** The merchant's reference of the payment that is multiplied; the others have their number in its place. */
export const TEMPLATE_REFERENCE = 'bench-template';

/** The reference of a payment by its number. */
export function referenceOf(number: number): string {
  return `bench-${number.toString().padStart(9, '0')}`;
}

/** Where a payment leaves rows in the store. */
const TABLES = ['payments', 'intents', 'vault', 'events'] as const;
/** Payments of one transaction. */
const BATCH = 10_000;
/** Between two payments, so that ids and times look like those of a busy day. */
const APART_MS = 50;
/** Columns that hold the time of the payment. */
const TIMES: readonly string[] = ['createdAtMs', 'atMs'];

type Row = Readonly<Record<string, string | number | null>>;

/** A text of the template and the SQL of what stands in its place. */
type Replacement = readonly [text: string, sql: string];

/**
 * Multiplies one payment of a gateway that is stopped until there are `count`: the same rows in the same tables, with ids of their own
 * that sort by time. The sealed card data are the bytes of the first: they have its length, and nothing opens them.
 * @returns the ids of some of the payments, evenly spread
 */
export async function fillPayments(home: string, count: number): Promise<readonly string[]> {
  const files = gatewayFiles(home);
  // Both bring their schema up to date.
  await (await SqliteStore.open(files.database)).close();
  await (await LedgerDatabase.open(files.acquirerDatabase)).close();
  const store = await openFast(files.database);
  const ledger = await openFast(files.acquirerDatabase);
  try {
    const [payment] = await store.all<Row>('SELECT * FROM payments WHERE reference = ?', TEMPLATE_REFERENCE);
    if (!payment) throw new Error('there is no payment to multiply');
    const { id, acquirerReference, vaultId } = payment;
    const ids = [id, acquirerReference, vaultId].map(String);
    const firstMs = Date.now() - (count + 1) * APART_MS;
    const replacements: readonly Replacement[] = [
      ...ids.map((text, at) => [text, idSql(firstMs, at)] as const),
      [TEMPLATE_REFERENCE, "printf('bench-%09d', number)"],
    ];
    for (const table of TABLES) await multiply(store, table, replacements, firstMs, count);
    await multiply(ledger, TRANSACTIONS.name, replacements, firstMs, count);
    for (const database of [store, ledger]) await database.all('PRAGMA wal_checkpoint(TRUNCATE)');
    const samples = 'SELECT id FROM payments WHERE rowid % ? = 0 ORDER BY id';
    const found = await store.all<{ readonly id: string }>(samples, Math.max(1, Math.floor(count / 1_000)));
    return found.map((row) => row.id);
  } finally {
    await store.close();
    await ledger.close();
  }
}

/** A connection that does not wait for the disk: what it writes is there once it has ended. */
async function openFast(file: string): Promise<SqliteConnection> {
  const database = await SqliteConnection.open(file, { checkpointPages: 20_000 });
  await database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -400000');
  return database;
}

/** An id of the payment with this number: its time, and a number that is nobody else's. */
function idSql(firstMs: number, which: number): string {
  return `printf('%012x%020x', ${firstMs} + number * ${APART_MS}, number * 1000003 * 8 + ${which})`;
}

/** Copies the rows of a table that name the template, once for each number. */
async function multiply(
  database: SqliteConnection,
  table: string,
  replacements: readonly Replacement[],
  firstMs: number,
  count: number,
): Promise<void> {
  const all = await database.all<Row>(`SELECT * FROM ${table} LIMIT 100`);
  const isTemplates = (row: Row): boolean =>
    Object.values(row).some((value) => replacements.some(([text]) => String(value).includes(text)));
  for (const [at, row] of all.filter(isTemplates).entries()) {
    const columns = Object.keys(row).filter((column) => column !== 'position');
    const values = columns.map((column) => {
      if (TIMES.includes(column)) return `${firstMs} + number * ${APART_MS}`;
      if (table === 'events' && column === 'id') return idSql(firstMs, 4 + at);
      return renewedSql(row[column] ?? null, replacements);
    });
    const sql = `WITH RECURSIVE numbers (number) AS (
        VALUES (CAST(? AS INTEGER)) UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?
      ) INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM numbers`;
    for (let from = 0; from < count; from += BATCH)
      await database.run(sql, from, Math.min(count, from + BATCH));
  }
}

/** The value in a copy. */
function renewedSql(value: string | number | null, replacements: readonly Replacement[]): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  const text = `'${value.replaceAll("'", "''")}'`;
  return replacements
    .filter(([old]) => value.includes(old))
    .reduce((inner, [old, sql]) => `replace(${inner}, '${old}', ${sql})`, text);
}
