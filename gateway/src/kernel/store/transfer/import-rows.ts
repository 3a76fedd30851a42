import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { SqlValue, Table } from '@tillbridge/platform/sqlite/table.js';
import { columnNames } from '@tillbridge/platform/sqlite/table-sql.js';
import { parseJson } from '@tillbridge/wire/text/parse-json.js';
import { OperatorError } from '../../errors/operator-error.js';
import { PostgresConnections, type Run } from '../postgres/connection.js';
import { IMPORT_TABLE, MIGRATION_MS, noteAll } from '../postgres/migrate.js';
import { quoted, quotedList, referencesSql, tablesSql } from '../postgres/table-sql.js';
import { type DataSet, nameOfTable } from './data-set.js';
import { FORMAT, keyValues, lineOf, PAGE_ROWS, rowOf, type StoredRow } from './row-lines.js';
import { Summing, type Sums } from './summing.js';

/** A table with the file that a database came from. */
const DONE_TABLE = 'imported';

/** A line of a file of rows. */
type Line = readonly SqlValue[] | { readonly table?: string; readonly end?: Sums };

/**
 * Brings a file of {@link exportRows} into empty schemas of a PostgreSQL database, page by page. The same call again goes on where one ended.
 * Gateways find the database only once everything in it has been compared with the sums of the file.
 * @returns the sums
 * @throws OperatorError for a file that is damaged, a database that has other rows; StoreUnavailableError
 */
export async function importRows(sets: readonly DataSet[], path: string, url: string): Promise<Sums> {
  const sums = await verifiedSums(path);
  // Without a simulated acquirer there is no ledger.
  const exported = sets.filter(({ name }) => Object.keys(sums).some((each) => each.startsWith(`${name}/`)));
  const known = new Set(exported.flatMap((set) => set.tables.map((table) => nameOfTable(set, table))));
  const strange =
    Object.keys(sums).find((name) => !known.has(name)) ?? [...known].find((name) => !sums[name]);
  if (strange !== undefined)
    throw new OperatorError(`${path} is of another build: ${strange} is in one of both alone`);
  for (const set of exported) await importSet(set, path, url, sums);
  return sums;
}

async function importSet(set: DataSet, path: string, url: string, sums: Sums): Promise<void> {
  const place = { url, schema: set.name };
  const connections = new PostgresConnections(place, { statementMs: MIGRATION_MS, lockMs: MIGRATION_MS });
  try {
    const source = JSON.stringify(Object.entries(sums).sort());
    const done = await begin(connections, set, source);
    if (done === 'all') return;
    await loadPages(connections, set, path, done);
    for (const table of set.tables) await compare(connections, set, table, sums);
    await connections.transaction(async (run) => {
      await run(set.tables.map(referencesSql).join(''));
      for (const table of set.tables) await continueNumbers(run, table);
      await noteAll(run, set.schema);
      // What ended stays known: the same call again changes nothing.
      await run(`ALTER TABLE ${IMPORT_TABLE} RENAME TO ${DONE_TABLE}`);
    });
  } finally {
    await connections.close();
  }
}

/** Makes the tables, or finds how many lines an earlier call has brought. */
function begin(
  connections: PostgresConnections,
  { name, tables }: DataSet,
  source: string,
): Promise<number | 'all'> {
  return connections.transaction(async (run) => {
    const there = await run<{ readonly name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
      [name],
    );
    const names = new Set(there.map((row) => row.name));
    if (names.has(IMPORT_TABLE)) {
      const [progress] = await run<{ source: string; lines: number }>(
        `SELECT source, lines FROM ${IMPORT_TABLE}`,
        [],
      );
      if (progress?.source === source) return progress.lines;
      throw new OperatorError(`schema ${name} has a part of another file: drop it, then import again`);
    }
    if (names.has(DONE_TABLE)) {
      const [ended] = await run<{ source: string }>(`SELECT source FROM ${DONE_TABLE}`, []);
      if (ended?.source === source) return 'all';
    }
    if (names.size > 0)
      throw new OperatorError(`schema ${name} has tables already: import into an empty database`);
    await run(`CREATE SCHEMA IF NOT EXISTS ${quoted(name)}`);
    await run(tablesSql(tables));
    await run(`CREATE TABLE ${IMPORT_TABLE} (source text NOT NULL, lines bigint NOT NULL)`);
    await run(`INSERT INTO ${IMPORT_TABLE} VALUES ($1, 0)`, [source]);
    return 0;
  });
}

/** Each page and the number of lines up to its end are one transaction. */
async function loadPages(
  connections: PostgresConnections,
  set: DataSet,
  path: string,
  done: number,
): Promise<void> {
  const tables = new Map(set.tables.map((table) => [nameOfTable(set, table), table]));
  let lines = 0;
  let table: Table | undefined;
  let page: StoredRow[] = [];
  const store = async (): Promise<void> => {
    const [into, rows] = [table, page];
    page = [];
    if (!into || rows.length === 0) return;
    const columns = quotedList(columnNames(into));
    const sql = `INSERT INTO ${quoted(into.name)} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${quoted(into.name)}, $1)`;
    await connections.transaction(async (run) => {
      await run(sql, [JSON.stringify(rows)]);
      await run(`UPDATE ${IMPORT_TABLE} SET lines = $1`, [lines]);
    });
  };
  for await (const line of linesOf(path)) {
    if (!isRow(line)) {
      await store();
      table = tables.get(line.table ?? '');
    } else if (table && lines >= done) {
      page.push(rowOf(table, line));
    }
    lines += 1;
    if (page.length === PAGE_ROWS) await store();
  }
  await store();
}

async function compare(
  connections: PostgresConnections,
  set: DataSet,
  table: Table,
  sums: Sums,
): Promise<void> {
  const summing = new Summing();
  const key = quotedList(table.key);
  const marks = table.key.map((_, at) => `$${at + 1}`).join(', ');
  for (let after: readonly SqlValue[] = []; ; ) {
    const where = after.length > 0 ? `WHERE (${key}) > (${marks}) ` : '';
    const sql = `SELECT ${quotedList(columnNames(table))} FROM ${quoted(table.name)} ${where}ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
    const page = await connections.all<StoredRow>(sql, after);
    for (const row of page) summing.add(lineOf(table, row));
    const last = page.at(-1);
    if (page.length < PAGE_ROWS || !last) break;
    after = keyValues(table, last);
  }
  const name = nameOfTable(set, table);
  const [wanted, found] = [sums[name], summing.end()];
  if (wanted?.rows !== found.rows || wanted.sha256 !== found.sha256)
    throw new OperatorError(
      `${name} has ${found.rows} rows that are not the ${wanted?.rows} of the file: drop the schema, then import again`,
    );
}

/** A counted key continues after the highest one. */
async function continueNumbers(
  run: Run,
  { name, key: [first = '', ...more], columns }: Table,
): Promise<void> {
  if (more.length > 0 || columns[first]?.type !== 'INTEGER') return;
  const sequence = `pg_get_serial_sequence('${quoted(name)}', '${first}')`;
  await run(`SELECT setval(${sequence}, coalesce(max(${quoted(first)}), 0) + 1, false) FROM ${quoted(name)}`);
}

/** The sums of a file, once its rows have been found to have them. @throws OperatorError */
async function verifiedSums(path: string): Promise<Sums> {
  const damaged = (why: string) => new OperatorError(`${path} cannot be imported: ${why}; export it again`);
  const found: Record<string, Sums[string]> = {};
  let summing: Summing | undefined;
  let name: string | undefined;
  let sums: Sums | undefined;
  for await (const line of linesOf(path)) {
    if (sums) throw damaged('something follows its end');
    if (isRow(line)) {
      summing?.add(JSON.stringify(line));
      continue;
    }
    if (name !== undefined && summing) found[name] = summing.end();
    [name, summing, sums] = [line.table, new Summing(), line.end];
  }
  if (!sums) throw damaged('its end is missing');
  const wrong = Object.keys({ ...sums, ...found }).find(
    (each) => sums?.[each]?.sha256 !== found[each]?.sha256 || sums?.[each]?.rows !== found[each]?.rows,
  );
  if (wrong !== undefined) throw damaged(`the rows of ${wrong} are not those that were exported`);
  return sums;
}

async function* linesOf(path: string): AsyncGenerator<Line> {
  let isFirst = true;
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (isFirst && text !== JSON.stringify(FORMAT))
      throw new OperatorError(`${path} is no file of exported rows`);
    if (!isFirst) yield parsed(path, text);
    isFirst = false;
  }
}

function parsed(path: string, text: string): Line {
  return parseJson(
    text,
    () => new OperatorError(`${path} cannot be imported: a line is cut off; export it again`),
  ) as Line;
}

function isRow(line: Line): line is readonly SqlValue[] {
  return Array.isArray(line);
}
