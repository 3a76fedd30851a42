import { LedgerDatabase } from '@tillbridge/gateway/core/acquirers/internal/ledger-database.js';
import { TRANSACTIONS } from '@tillbridge/gateway/core/acquirers/internal/ledger-tables.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';

/** The merchant's reference of the payment that is multiplied; the others have their number in its place. */
export const TEMPLATE_REFERENCE = 'bench-template';

/** The reference of a payment by its number. */
export function referenceOf(number: number): string {
  return `bench-${number.toString().padStart(9, '0')}`;
}

/** Where a payment leaves rows in the store. */
const TABLES = ['payments', 'intents', 'vault', 'events'] as const;
/** Records of one settlement among the copies. */
const RECORDS_PER_SETTLEMENT = 100;
/** Payments of one transaction. */
const BATCH = 10_000;
/** Between two payments, so that ids and times look like those of a busy day. */
const APART_MS = 50;
/** Columns that hold the time of the payment. */
const TIMES: readonly string[] = ['createdAtMs', 'atMs', 'requestedAtMs', 'settledAtMs'];

type Row = Readonly<Record<string, string | number | null>>;

/** A text of the template and the SQL of what stands in its place. */
type Replacement = readonly [text: string, sql: string];

/** How the copies of a row differ from it; `number` is that of the copy. */
interface Copies {
  readonly count: number;
  readonly replacements: readonly Replacement[];
  /** SQL of columns that are something else than the replaced text. */
  readonly columns: Readonly<Record<string, string>>;
}

/** What a filled gateway has. */
export interface Filled {
  /** Of some of the payments, evenly spread. */
  readonly paymentIds: readonly string[];
  /** Of some of the settlements. */
  readonly settlementIds: readonly string[];
  /** Time of the first payment and of the last one. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Multiplies one settled payment of a gateway that is stopped until there are `count`: the same rows in the same tables, with ids of their
 * own that sort by time, and a settlement for each {@link RECORDS_PER_SETTLEMENT}. The sealed card data are the bytes of the first: they
 * have its length, and nothing opens them.
 */
export async function fillPayments(home: string, count: number): Promise<Filled> {
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
    const columns = timesSql(firstMs);
    for (const table of TABLES) {
      const rows = await rowsWith(store, table, replacements);
      for (const [at, row] of rows.entries()) {
        const own = table === 'events' ? { ...columns, id: idSql(firstMs, 4 + at) } : columns;
        await multiply(store, table, row, { count, replacements, columns: own });
      }
    }
    for (const row of await rowsWith(ledger, TRANSACTIONS.name, replacements))
      await multiply(ledger, TRANSACTIONS.name, row, { count, replacements, columns });
    await settle(store, String(id), { count, replacements, columns }, firstMs);
    for (const database of [store, ledger]) await database.all('PRAGMA wal_checkpoint(TRUNCATE)');
    const toMs = firstMs + (count - 1) * APART_MS;
    const paymentIds = await someOf(store, 'payments', count);
    return { paymentIds, settlementIds: await someOf(store, 'settlements', count), fromMs: firstMs, toMs };
  } finally {
    await store.close();
    await ledger.close();
  }
}

/** Multiplies the record of the payment, and its settlement. */
async function settle(
  store: SqliteConnection,
  paymentId: string,
  { count, replacements, columns }: Copies,
  firstMs: number,
): Promise<void> {
  const [record] = await store.all<Row>('SELECT * FROM settlementRecords WHERE paymentId = ?', paymentId);
  const [settlement] = await store.all<Row>(
    'SELECT * FROM settlements WHERE id = ?',
    String(record?.settlementId),
  );
  if (!record || !settlement) throw new Error('the payment to multiply is not settled');
  const per = RECORDS_PER_SETTLEMENT;
  await multiply(store, 'settlements', settlement, {
    count: Math.ceil(count / per),
    replacements: [],
    columns: {
      ...timesSql(firstMs, `number * ${per}`),
      id: idSql(firstMs, 6, `number * ${per}`),
      recordCount: String(per),
    },
  });
  await multiply(store, 'settlementRecords', record, {
    count,
    replacements,
    columns: {
      ...columns,
      id: idSql(firstMs, 7),
      settlementId: idSql(firstMs, 6, `(number / ${per} * ${per})`),
      position: `number % ${per}`,
    },
  });
}

/** Ids of about a thousand rows. */
async function someOf(store: SqliteConnection, table: string, count: number): Promise<readonly string[]> {
  const every = table === 'payments' ? Math.max(1, Math.floor(count / 1_000)) : 1;
  const samples = `SELECT id FROM ${table} WHERE rowid % ? = 0 ORDER BY id LIMIT 2000`;
  const found = await store.all<{ readonly id: string }>(samples, every);
  return found.map((row) => row.id);
}

/** A connection that does not wait for the disk: what it writes is there once it has ended. */
async function openFast(file: string): Promise<SqliteConnection> {
  const database = await SqliteConnection.open(file, { checkpointPages: 20_000 });
  await database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -400000');
  return database;
}

/** An id of the payment with this number: its time, and a number that no other has. */
function idSql(firstMs: number, which: number, number = 'number'): string {
  return `printf('%012x%020x', ${firstMs} + ${number} * ${APART_MS}, ${number} * 1000003 * 8 + ${which})`;
}

/** Times of the payment with this number. */
function timesSql(firstMs: number, number = 'number'): Readonly<Record<string, string>> {
  return Object.fromEntries(TIMES.map((column) => [column, `${firstMs} + ${number} * ${APART_MS}`]));
}

/** The rows of a table that name the template. */
async function rowsWith(
  database: SqliteConnection,
  table: string,
  replacements: readonly Replacement[],
): Promise<readonly Row[]> {
  const all = await database.all<Row>(`SELECT * FROM ${table} LIMIT 100`);
  return all.filter((row) =>
    Object.values(row).some((value) => replacements.some(([text]) => String(value).includes(text))),
  );
}

/** Copies a row, once for each number. A place that the table counts itself is left out. */
async function multiply(
  database: SqliteConnection,
  table: string,
  row: Row,
  { count, replacements, columns }: Copies,
): Promise<void> {
  const names = Object.keys(row).filter((column) => column !== 'position' || column in columns);
  const values = names.map((name) => columns[name] ?? renewedSql(row[name] ?? null, replacements));
  const sql = `WITH RECURSIVE numbers (number) AS (
      VALUES (CAST(? AS INTEGER)) UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?
    ) INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM numbers`;
  for (let from = 0; from < count; from += BATCH)
    await database.run(sql, from, Math.min(count, from + BATCH));
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
