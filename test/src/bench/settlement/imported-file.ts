import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { entityRow } from '@tillbridge/gateway/core/entities/entities.js';
import { STANDARD_FORM } from '@tillbridge/gateway/features/settlement/import/csv-form.js';
import { checkFile, importFile } from '@tillbridge/gateway/features/settlement/import/import-file.js';
import { CSV_HEADERS } from '@tillbridge/gateway/features/settlement/rules/columns.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { type FileRow, fileLine, SETTLED_ROW } from '../../clients/acquirer-file.js';

const MERCHANT = 'a'.repeat(32);
/** Characters that come at once, as from a disk. */
const PIECE = 65_536;
const ROW: FileRow = {
  ...SETTLED_ROW,
  MerchantAccountId: MERCHANT,
  Brand: 'VISA',
  AccountNumberLast4: '0000',
  AccountHolder: 'Jane Jones',
};

/** What a file took. */
interface ImportedFile {
  readonly checkMs: number;
  readonly importMs: number;
  /** The same file again, of which every row is known. */
  readonly againMs: number;
  /** Highest memory of the process while the file was imported, over that before, in MiB. */
  readonly memoryMib: number;
}

/** Checks a file of so many rows, imports it, and imports it again. @throws Error where a row is missing */
export async function importedFile(count: number): Promise<ImportedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-import-'));
  const store = await SqliteStore.open(join(folder, 'gateway.db'));
  try {
    await store.commit([
      { op: 'insert', table: 'entities', row: entityRow(MERCHANT, 'Merchant', null, clock.nowMs()) },
    ]);
    const before = process.memoryUsage.rss();
    let highest = before;
    const progress = (): void => {
      highest = Math.max(highest, process.memoryUsage.rss());
    };
    const chargebacks = { book: () => Promise.reject(new Error('the file has no chargebacks')) };
    const parts = { store, clock, random, reportLine: () => undefined, chargebacks, progress };
    const timed = async <T>(work: () => Promise<T>): Promise<readonly [ms: number, result: T]> => {
      const startMs = performance.now();
      const result = await work();
      return [performance.now() - startMs, result];
    };
    const [checkMs] = await timed(() => checkFile(parts, fileOf(count), STANDARD_FORM));
    const [importMs, first] = await timed(() => importFile(parts, fileOf(count), STANDARD_FORM));
    const [againMs, again] = await timed(() => importFile(parts, fileOf(count), STANDARD_FORM));
    if (first.imported !== count || again.known !== count)
      throw new Error(`${first.imported} rows were imported, and ${again.known} known, of ${count}`);
    return { checkMs, importMs, againMs, memoryMib: (highest - before) / 1_048_576 };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** A file of rows of unknown payments, made as it is read. */
function fileOf(count: number): Readable {
  const lines = function* () {
    let piece = `${CSV_HEADERS.join(';')}\n`;
    for (let number = 0; number < count; number += 1) {
      const ids = { SettlementTxId: `S${number}`, UniqueID: number.toString(16).padStart(32, '0') };
      piece += `${fileLine({ ...ROW, ...ids })}\n`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  };
  return Readable.from(lines(), { objectMode: false });
}
