import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { SqlValue } from '@tillbridge/platform/sqlite/table.js';
import { OWNER_ONLY } from '@tillbridge/platform/write-file.js';
import { nameOfTable } from './data-set.js';
import { FORMAT, keyValues, lineOf, PAGE_ROWS } from './row-lines.js';
import type { RowReaders } from './row-readers.js';
import { Summing, type Sums } from './summing.js';

/** Characters that are written at once. */
const WRITTEN_AT_ONCE = 65_536;

/**
 * Writes all rows of a database into a new file of mode 0600: a line with the name before the rows of each table, a line for each row, and the
 * sums at the end. The database is left as it is; no file is left where it fails.
 * @returns the sums
 * @throws StoreUnavailableError; the file system's error, `EEXIST` where the file is there
 */
export async function exportRows(readers: RowReaders, path: string): Promise<Sums> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    const sums = await writeRows(readers, file);
    await file.sync();
    return sums;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function writeRows(readers: RowReaders, file: FileHandle): Promise<Sums> {
  let text = '';
  const flush = async (): Promise<void> => {
    await file.appendFile(text);
    text = '';
  };
  const write = async (line: string): Promise<void> => {
    text += `${line}\n`;
    if (text.length >= WRITTEN_AT_ONCE) await flush();
  };
  const sums: Record<string, Sums[string]> = {};
  await write(JSON.stringify(FORMAT));
  await readers(async (set, read) => {
    for (const table of set.tables) {
      const name = nameOfTable(set, table);
      await write(JSON.stringify({ table: name }));
      const summing = new Summing();
      for (let after: readonly SqlValue[] | undefined = []; after; ) {
        const page = await read(table, after);
        for (const row of page) {
          const line = lineOf(table, row);
          summing.add(line);
          await write(line);
        }
        const last = page.at(-1);
        after = last && page.length === PAGE_ROWS ? keyValues(table, last) : undefined;
      }
      sums[name] = summing.end();
    }
  });
  await write(JSON.stringify({ end: sums }));
  await flush();
  return sums;
}
