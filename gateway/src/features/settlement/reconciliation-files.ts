import { createWriteStream, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { OWNER_ONLY, syncPath } from '@tillbridge/platform/write-file.js';
import { findAll } from '../../kernel/store/all-rows.js';
import { newId } from '../../kernel/store/new-id.js';
import type { ReconciliationFileRow, SettlementRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Key, type Store } from '../../kernel/store/store.js';
import { someAtOnce } from '../../kernel/workers/some-at-once.js';
import { CSV_HEADERS, csvRow } from './rules/columns.js';
import type { RunFaults } from './run-faults.js';
import type { AccountDeps } from './settlement-accounts.js';
import { recordViews } from './settlement-pages.js';

/** Limits of reconciliation files. */
export const FILE_LIMITS = {
  /** Settlements of one file at most; what is more comes with the next one. */
  settlements: 200,
  /** Merchants whose files are written at once. */
  atOnce: 8,
  /** Files of one merchant and day at most. */
  perDay: 1_000,
  /** Age, in milliseconds, up to which a run looks whether a file is there; older ones are written on request. */
  lookedForMs: 31 * 24 * 3_600_000,
  /** Files whose names are read at once. */
  page: 500,
} as const;

/** What files are written with. */
export interface FileDeps extends AccountDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  /** Folder of the files. */
  readonly folder: string;
}

/** What a run writes files with. */
interface WriteDeps extends FileDeps {
  readonly store: FileDeps['store'] & Pick<Store, 'findAfter'>;
  /** Where a file that cannot be written is noted. */
  readonly faults: Pick<RunFaults, 'during'>;
}

/**
 * Writes a file for each merchant with settlements that are in none yet. What a file has is committed before it is written: a process that
 * dies between the two, or a disk that is full, leaves a file that the next run writes, with the same content. A file that cannot be written
 * stops no other one.
 * @param mayHave the merchants that get one; absent: all
 * @returns the files that were written
 * @throws StoreUnavailableError
 */
export async function writeReconciliationFiles(
  deps: WriteDeps,
  mayHave: (merchantId: string) => boolean = () => true,
): Promise<readonly ReconciliationFileRow[]> {
  const write = (row: ReconciliationFileRow): Promise<ReconciliationFileRow | undefined> =>
    deps.faults.during(`file/${row.name}`, async () => {
      await writeFile(deps, row);
      return row;
    });
  const written = [];
  for await (const row of missingFiles(deps)) if (mayHave(row.merchantId)) written.push(await write(row));
  const waiting = (await findAll(deps.store, 'settlements', 'file', [''])).filter(
    ({ state, recordCount, merchantId }) => state === 'closed' && recordCount > 0 && mayHave(merchantId),
  );
  const merchants = new Map<string, SettlementRow[]>();
  for (const each of waiting)
    merchants.set(each.merchantId, [...(merchants.get(each.merchantId) ?? []), each]);
  const ofMerchant = async ([merchantId, all]: [string, SettlementRow[]]): Promise<void> => {
    for (let from = 0; from < all.length; from += FILE_LIMITS.settlements) {
      const some = all.slice(from, from + FILE_LIMITS.settlements);
      const row = await deps.faults.during(`merchant/${merchantId}`, () => claimName(deps, merchantId, some));
      if (row) written.push(await write(row));
    }
  };
  await someAtOnce([...merchants], FILE_LIMITS.atOnce, ofMerchant);
  return written.filter((row) => row !== undefined);
}

/** Young files that are not there. */
async function* missingFiles({
  store,
  clock,
  folder,
}: WriteDeps): AsyncGenerator<ReconciliationFileRow, void> {
  makeFolder(folder);
  const names = new Set(readdirSync(folder));
  const sinceMs = clock.nowMs() - FILE_LIMITS.lookedForMs;
  for (let after: Key | undefined; ; ) {
    const page = await store.findAfter('reconciliationFiles', after, { limit: FILE_LIMITS.page });
    yield* page.filter(({ name, createdAtMs }) => createdAtMs >= sinceMs && !names.has(name));
    const last = page.at(-1);
    if (!last || page.length < FILE_LIMITS.page) return;
    after = [last.name];
  }
}

/** Path of a file of a merchant; written again where it is missing. @throws StoreUnavailableError; the file system's error */
export async function fileOf(
  deps: FileDeps,
  row: ReconciliationFileRow,
  exists: (path: string) => boolean,
): Promise<string> {
  const path = join(deps.folder, row.name);
  if (!exists(path)) await writeFile(deps, row);
  return path;
}

/** Puts settlements into a file with the next number of the day; undefined where another process was faster. */
async function claimName(
  { store, clock }: FileDeps,
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

async function writeFile(deps: FileDeps, { name }: ReconciliationFileRow): Promise<void> {
  const { stringify } = await import('csv-stringify');
  const { folder } = deps;
  makeFolder(folder);
  const path = join(folder, name);
  const next = join(folder, `.${name}.${newId(deps.random)}.new`);
  const settlements = await findAll(deps.store, 'settlements', 'file', [name]);
  const rows = async function* () {
    yield CSV_HEADERS;
    for await (const view of recordViews(deps, settlements)) yield csvRow(view);
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
