import type { BenchRow } from './rows/measure.js';
import { atMost } from './rows/row.js';
import { importedFile } from './settlement/imported-file.js';
import { settledLives } from './settlement/settled-lives.js';
import type { BenchSize } from './suites.js';

const PAYMENTS: Readonly<Record<BenchSize, number>> = { full: 10_000, short: 500 };
const ROWS: Readonly<Record<BenchSize, number>> = { full: 1_000_000, short: 20_000 };
/** What an import may take, in times of reading the file; the same file again. */
const IMPORT_TIMES = 6;
const AGAIN_TIMES = 3;
/** What it may take of memory, however long the file is, in MiB. */
const MEMORY_MIB = 200;

/** Settlement of payments to the cent, and the import of a file, which must not grow in memory. */
export async function benchSettlement(size: BenchSize): Promise<BenchRow[]> {
  const [payments, rows] = [PAYMENTS[size], ROWS[size]];
  const { settlingMs, paidMs } = await settledLives(payments);
  const { checkMs, importMs, againMs, memoryMib } = await importedFile(rows);
  const seconds = (text: string, ms: number, allowedMs: number): BenchRow =>
    atMost(`settlement: ${text}`, 's', ms / 1_000, allowedMs / 1_000);
  return [
    seconds(
      `${payments} payments, settled and written to files, against half of making them`,
      settlingMs,
      paidMs / 2,
    ),
    seconds(
      `file of ${rows} rows imported, against ${IMPORT_TIMES} x reading it`,
      importMs,
      IMPORT_TIMES * checkMs,
    ),
    seconds(`the same file again, against ${AGAIN_TIMES} x reading it`, againMs, AGAIN_TIMES * checkMs),
    atMost(`settlement: memory while ${rows} rows are imported`, 'MiB', memoryMib, MEMORY_MIB),
  ];
}
