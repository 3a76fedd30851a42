import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '@tillbridge/protocol/platform/make-folder.js';
import { OWNER_ONLY, syncPath } from '@tillbridge/protocol/platform/write-file.js';
import { findAll } from '../store/all-rows.js';
import { newId } from '../store/new-id.js';
import type { ReconciliationFileRow, SettlementRow } from '../store/rows.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';
import { CSV_HEADERS, csvRow } from './decide/columns.js';
import type { AccountParts } from './settlement-accounts.js';
import { recordViews } from './settlement-pages.js';

/** Limits of reconciliation files. */
export const FILE_LIMITS = {
  /** Settlements of one file at most; what is more comes with the next one. */
  settlements: 200,
  /** Files of one merchant and day at most. */
  perDay: 1_000,
} as const;

/** What files are written with. */
export interface FileParts extends AccountParts {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  /** Folder of the files. */
  readonly folder: string;
}

/**
 * Writes a file for each merchant with settlements that are in none yet. What a file has is committed before it is written: a process that
 * dies between the two leaves a file that {@link fileOf} writes again, with the same content.
 * @returns the files
 * @throws StoreUnavailableError; the file system's error
 */
export async function writeReconciliationFiles(parts: FileParts): Promise<readonly ReconciliationFileRow[]> {
  const written: ReconciliationFileRow[] = [];
  const waiting = (await findAll(parts.store, 'settlements', 'file', [''])).filter(
    ({ state, recordCount }) => state === 'closed' && recordCount > 0,
  );
  for (const merchantId of new Set(waiting.map((settlement) => settlement.merchantId))) {
    const all = waiting.filter((settlement) => settlement.merchantId === merchantId);
    for (let from = 0; from < all.length; from += FILE_LIMITS.settlements) {
      const row = await claimName(parts, merchantId, all.slice(from, from + FILE_LIMITS.settlements));
      if (!row) continue;
      await writeFile(parts, row);
      written.push(row);
    }
  }
  return written;
}

/** Path of a file of a merchant; written again where it is missing. @throws StoreUnavailableError; the file system's error */
export async function fileOf(
  parts: FileParts,
  row: ReconciliationFileRow,
  exists: (path: string) => boolean,
): Promise<string> {
  const path = join(parts.folder, row.name);
  if (!exists(path)) await writeFile(parts, row);
  return path;
}

/** Puts settlements into a file with the next number of the day; undefined where another process was faster. */
async function claimName(
  { store, clock }: FileParts,
  merchantId: string,
  settlements: readonly SettlementRow[],
): Promise<ReconciliationFileRow | undefined> {
  const nowMs = clock.nowMs();
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  const recordCount = settlements.reduce((sum, settlement) => sum + settlement.recordCount, 0);
  for (let number = 1; number <= FILE_LIMITS.perDay; number += 1) {
    const name = `${merchantId}-${day}-${number}.csv`;
    if (await store.get('reconciliationFiles', [name])) continue;
    const row = { name, merchantId, recordCount, createdAtMs: nowMs, version: 1 };
    try {
      await store.commit([
        { op: 'insert', table: 'reconciliationFiles', row },
        ...settlements.map(
          (each): Change => ({ op: 'update', table: 'settlements', row: { ...each, fileName: name } }),
        ),
      ]);
      return row;
    } catch (error) {
      if (!(error instanceof CommitConflict)) throw error;
      if (error.conflict.table === 'settlements') return undefined;
    }
  }
  throw new Error(
    `merchant ${merchantId} has ${FILE_LIMITS.perDay} reconciliation files of ${day}, the most`,
  );
}

async function writeFile(parts: FileParts, { name }: ReconciliationFileRow): Promise<void> {
  const { stringify } = await import('csv-stringify');
  const { folder } = parts;
  makeFolder(folder);
  const path = join(folder, name);
  const next = join(folder, `.${name}.${newId(parts.random)}.new`);
  const settlements = await findAll(parts.store, 'settlements', 'file', [name]);
  const rows = async function* () {
    yield CSV_HEADERS;
    for await (const view of recordViews(parts, settlements)) yield csvRow(view);
  };
  try {
    await pipeline(
      Readable.from(rows()),
      stringify({ delimiter: ';', record_delimiter: '\n' }),
      createWriteStream(next, { mode: OWNER_ONLY, flush: true }),
    );
    renameSync(next, path);
    syncPath(folder);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
