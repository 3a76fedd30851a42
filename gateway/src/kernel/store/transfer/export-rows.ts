import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import type { SqlValue, Table } from '@tillbridge/platform/sqlite/table.js';
import { columnNames } from '@tillbridge/platform/sqlite/table-sql.js';
import { OWNER_ONLY } from '@tillbridge/platform/write-file.js';
import { openDatabase } from '../open-database.js';
import { type DataSet, nameOfTable } from './data-set.js';
import { FORMAT, keyValues, lineOf, PAGE_ROWS, type StoredRow } from './row-lines.js';
import { Summing, type Sums } from './summing.js';

/**
 * Writes all rows of SQLite files into a new file of mode 0600: a line with the name before the rows of each table, a line for each row,
 * and the sums at the end. The databases are left as they are; no process may write to them meanwhile.
 * @returns the sums
 * @throws StoreUnavailableError; the file system's error, `EEXIST` where the file is there
 */
export async function exportRows(sets: readonly DataSet[], path: string): Promise<Sums> {
  const file = createWriteStream(path, { flags: 'wx', mode: OWNER_ONLY, flush: true });
  await once(file, 'open');
  const write = async (line: string): Promise<void> => {
    if (!file.write(`${line}\n`)) await once(file, 'drain');
  };
  const sums: Record<string, Sums[string]> = {};
  await write(JSON.stringify(FORMAT));
  for (const set of sets) {
    const connection = await openDatabase(set.file, { access: 'read-only' });
    try {
      for (const table of set.tables) {
        const name = nameOfTable(set, table);
        await write(JSON.stringify({ table: name }));
        const summing = new Summing();
        for await (const row of rowsOf(connection, table)) {
          const line = lineOf(table, row);
          summing.add(line);
          await write(line);
        }
        sums[name] = summing.end();
      }
    } finally {
      await connection.close();
    }
  }
  await write(JSON.stringify({ end: sums }));
  file.end();
  await once(file, 'close');
  return sums;
}

async function* rowsOf(connection: SqliteConnection, table: Table): AsyncGenerator<StoredRow> {
  const key = table.key.join(', ');
  const above = `WHERE (${key}) > (${table.key.map(() => '?').join(', ')}) `;
  const sql = (where: string) =>
    `SELECT ${columnNames(table).join(', ')} FROM ${table.name} ${where}ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
  for (let after: readonly SqlValue[] = []; ; ) {
    const page = await connection.all(sql(after.length > 0 ? above : ''), ...after);
    yield* page;
    const last = page.at(-1);
    if (page.length < PAGE_ROWS || !last) return;
    after = keyValues(table, last);
  }
}
