import { LedgerDatabase } from '@tillbridge/gateway/acquirers/internal/ledger-database.js';
import { TRANSACTIONS } from '@tillbridge/gateway/acquirers/internal/ledger-tables.js';
import { gatewayFiles } from '@tillbridge/gateway/home/gateway-files.js';
import { newTimeOrderedId } from '@tillbridge/gateway/store/new-id.js';
import type { TableName } from '@tillbridge/gateway/store/rows.js';
import { SqliteStore } from '@tillbridge/gateway/store/sqlite-store.js';
import { shapeOf } from '@tillbridge/gateway/store/tables.js';
import { SqliteConnection } from '@tillbridge/protocol/platform/sqlite/connection.js';
import type { Table } from '@tillbridge/protocol/platform/sqlite/table.js';
import { columnNames } from '@tillbridge/protocol/platform/sqlite/table-sql.js';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';

/** The merchant's reference of the payment that is multiplied; the others have their number in its place. */
export const TEMPLATE_REFERENCE = 'bench-template';

/** The reference of a payment by its number. */
export function referenceOf(number: number): string {
  return `bench-${number.toString().padStart(9, '0')}`;
}

/** Where a payment leaves rows, and where in these its ids and its reference stand. */
const TABLES: readonly TableName[] = ['payments', 'intents', 'vault', 'events'];
/** Payments of one transaction. */
const BATCH = 1_000;
/** Between two payments, so that ids and times look like those of a busy day. */
const APART_MS = 50;

type Row = Readonly<Record<string, string | number | null>>;

/**
 * Multiplies one payment of a gateway that is stopped until there are `count`: the same rows in the same tables, with ids of their own
 * that sort by time. The sealed card data are the bytes of the first: they have its length, and nothing opens them.
 * @returns ids of some of the payments, evenly spread
 */
export async function fillPayments(home: string, from: number, count: number): Promise<readonly string[]> {
  const files = gatewayFiles(home);
  await (await SqliteStore.open(files.database)).close();
  await (await LedgerDatabase.open(files.acquirerDatabase)).close();
  const store = await openFast(files.database);
  const ledger = await openFast(files.acquirerDatabase);
  const samples: string[] = [];
  try {
    const template = await readTemplate(store, ledger);
    const firstMs = Date.now() - (count + 1) * APART_MS;
    for (let at = from; at < count; at += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, count - at) }, (_none, next) => at + next);
      const copies = numbers.map((number) => copyOf(template, number, firstMs + number * APART_MS));
      samples.push(copies[at % BATCH]?.paymentId ?? '', copies.at(-1)?.paymentId ?? '');
      await insert(
        store,
        copies.map(({ rows }) => rows),
      );
      await insert(
        ledger,
        copies.map(({ entry }) => entry),
      );
    }
    for (const database of [store, ledger]) await database.all('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    await store.close();
    await ledger.close();
  }
  return samples;
}

/** A connection that does not wait for the disk: what it writes is there once it has ended. */
async function openFast(file: string): Promise<SqliteConnection> {
  const database = await SqliteConnection.open(file, { checkpointPages: 20_000 });
  await database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -400000');
  return database;
}

/** The rows of one payment as text, and the ids in them. */
interface Template {
  readonly paymentId: string;
  readonly intentId: string;
  readonly vaultId: string;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  readonly entry: Readonly<Record<string, readonly Row[]>>;
}

async function readTemplate(store: SqliteConnection, ledger: SqliteConnection): Promise<Template> {
  const [payment] = await store.all<Row>('SELECT * FROM payments WHERE reference = ?', TEMPLATE_REFERENCE);
  if (!payment) throw new Error('there is no payment to multiply');
  const paymentId = String(payment.id);
  const intentId = String(payment.acquirerReference);
  const vaultId = String(payment.vaultId);
  const ids = [paymentId, intentId, vaultId];
  const rows: Record<string, readonly Row[]> = {};
  for (const table of TABLES) {
    const all = await store.all<Row>(`SELECT * FROM ${table} LIMIT 100`);
    rows[table] = all.filter((row) => ids.some((id) => Object.values(row).includes(id)));
  }
  const entry = await ledger.all<Row>('SELECT * FROM transactions WHERE acquirerReference = ?', intentId);
  return { paymentId, intentId, vaultId, rows, entry: { transactions: entry } };
}

interface Copy {
  readonly paymentId: string;
  readonly rows: string;
  readonly entry: string;
}

function copyOf(template: Template, number: number, atMs: number): Copy {
  const { paymentId, intentId, vaultId } = template;
  const [id, intent, vault] = [timeOrderedId(atMs), timeOrderedId(atMs), timeOrderedId(atMs)];
  const renewed = (text: string): string =>
    text
      .replaceAll(paymentId, id)
      .replaceAll(intentId, intent)
      .replaceAll(vaultId, vault)
      .replaceAll(TEMPLATE_REFERENCE, referenceOf(number));
  const rows = renewed(JSON.stringify(timed(template.rows, atMs)));
  return { paymentId: id, rows, entry: renewed(JSON.stringify(timed(template.entry, atMs))) };
}

const timeOrderedId = (atMs: number): string => newTimeOrderedId(systemRandom, atMs);

/** The rows with the time of their payment; an event gets an id of its own. */
function timed(rows: Template['rows'], atMs: number): Template['rows'] {
  return Object.fromEntries(
    Object.entries(rows).map(([table, all]) => [
      table,
      all.map((row) => ({
        ...row,
        ...('createdAtMs' in row && { createdAtMs: atMs }),
        ...('position' in row && { position: null }),
        ...(table === 'events' && { id: timeOrderedId(atMs) }),
      })),
    ]),
  );
}

/** Inserts the rows of many payments, table by table. */
async function insert(database: SqliteConnection, copies: readonly string[]): Promise<void> {
  const parsed = `[${copies.join(',')}]`;
  const tables = Object.keys(JSON.parse(copies[0] ?? '{}') as object);
  await database.transaction(async () => {
    for (const table of tables) await database.run(insertSql(table), `$.${table}`, parsed);
  });
}

function insertSql(name: string): string {
  const table: Table = name === TRANSACTIONS.name ? TRANSACTIONS : shapeOf(name as TableName);
  const columns = columnNames(table);
  const values = columns.map((column) => `each.value ->> '$.${column}'`);
  return `WITH chosen (path) AS (VALUES (?)) INSERT INTO ${name} (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM chosen, json_each(?) AS copy, json_each(copy.value, chosen.path) AS each`;
}
