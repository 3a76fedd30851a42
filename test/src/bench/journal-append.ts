import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BlobCipher } from '@tillbridge/agent/journal/blob-cipher.js';
import type { JournalWrite } from '@tillbridge/agent/journal/journal.js';
import { SEALING_KEY_BYTES } from '@tillbridge/agent/journal/sealed-bytes.js';
import { SqliteJournal } from '@tillbridge/agent/journal/sqlite-journal.js';
import { ROWS } from '@tillbridge/agent/journal/tables.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { columnNames, createSql } from '@tillbridge/platform/sqlite/table-sql.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { type BenchRow, median } from './rows/measure.js';
import { atLeast } from './rows/row.js';

/** Appends that wait at once. */
const IN_FLIGHT = 256;
/** Rounds; both sides take turns, so that a busy machine slows both alike. */
const ROUNDS = 9;
const SINGLE_APPENDS_PER_ROUND = 200;
const TOGETHER_PER_ROUND = 20 * IN_FLIGHT;
/** What one commit of one row writes to the log: the frames of the table, of five indexes and of the mark of an open sale. */
const RAW_BYTES = 7 * 4_096;

/** A row as the machine of a sale writes it. */
const DATA = {
  type: 'sale',
  amount: { minor: 1_234, currency: 'EUR' },
  messageId: '01890a5d-ac96-774b-bcce-b302099a8057',
  emv: { aid: 'A0000000031010', tvr: '0000008000', cvm: '1E0300', atc: '0123', cryptogram: 'ARQC' },
  card: { brand: 'VISA', bin: '476173', last4Digits: '0010', expiryMonth: '12', expiryYear: '2031' },
} as const;

const sync = promisify(fdatasync);

let count = 0;

function nextWrite(): JournalWrite {
  count += 1;
  const reference = `bench-${count}`;
  const row = { kind: 'accepted', reference, terminalId: '1', messageId: `m-${count}`, data: DATA };
  return { atMs: Date.now(), rows: [row], sale: { reference, open: true } };
}

/** Calls a second. */
async function rate(calls: number, work: () => unknown): Promise<number> {
  const startMs = performance.now();
  await work();
  return (calls * 1_000) / (performance.now() - startMs);
}

/** As the journal does it: the sync on a separate thread. */
async function rawWrites(file: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < SINGLE_APPENDS_PER_ROUND; at += 1) {
    writeSync(file, bytes, 0, bytes.length, at * bytes.length);
    await sync(file);
  }
}

/** The same columns and indexes without chain, triggers and marks: one statement and one commit for all that wait. */
async function openRaw(file: string): Promise<SqliteConnection> {
  const database = await SqliteConnection.open(file);
  await database.exec(createSql([ROWS]));
  return database;
}

const VALUES: Readonly<Record<string, string>> = {
  hash: "unhex(value ->> '$.hash')",
  blobHash: "unhex(value ->> '$.blobHash')",
};
const RAW_INSERT = `INSERT INTO rows (${columnNames(ROWS).join(', ')})
  SELECT ${columnNames(ROWS)
    .map((column) => VALUES[column] ?? `value ->> '$.${column}'`)
    .join(', ')} FROM json_each(?)`;

function rawRows(from: number): string {
  const hash = 'ab'.repeat(32);
  const data = JSON.stringify(DATA);
  return JSON.stringify(
    Array.from({ length: IN_FLIGHT }, (_none, at) => {
      const row = from + at + 1;
      const about = { row, atMs: Date.now(), kind: 'accepted', reference: `bench-${row}`, terminalId: '1' };
      return { ...about, messageId: `m-${row}`, sequence: 0, data, hash };
    }),
  );
}

/** Appends to the agent's journal, one at a time against raw writes with fdatasync, and many in flight against raw inserts. */
export async function benchJournalAppend(): Promise<BenchRow[]> {
  const home = mkdtempSync(join(tmpdir(), 'journal-append-'));
  const journal = await SqliteJournal.open({
    path: join(home, 'journal.db'),
    cipher: new BlobCipher(systemRandom.bytes(SEALING_KEY_BYTES), systemRandom),
    clock: systemClock,
  });
  const raw = await openRaw(join(home, 'raw.db'));
  const file = openSync(join(home, 'raw'), 'w');
  const bytes = Buffer.alloc(RAW_BYTES, 7);
  const single: number[][] = [[], []];
  const together: number[][] = [[], []];
  let inserted = 0;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      single[0]?.push(
        await rate(SINGLE_APPENDS_PER_ROUND, async () => {
          for (let at = 0; at < SINGLE_APPENDS_PER_ROUND; at += 1) await journal.append(nextWrite());
        }),
      );
      single[1]?.push(await rate(SINGLE_APPENDS_PER_ROUND, () => rawWrites(file, bytes)));
      together[0]?.push(await rate(TOGETHER_PER_ROUND, () => appendTogether(journal)));
      together[1]?.push(
        await rate(TOGETHER_PER_ROUND, async () => {
          for (let at = 0; at < TOGETHER_PER_ROUND; at += IN_FLIGHT, inserted += IN_FLIGHT)
            await raw.run(RAW_INSERT, rawRows(inserted));
        }),
      );
    }
  } finally {
    await journal.close();
    await raw.close();
    closeSync(file);
    rmSync(home, { recursive: true, force: true });
  }
  return [
    row('one at a time, against raw writes with fdatasync', single, 0.7),
    row(`${IN_FLIGHT} in flight, against raw inserts of as many rows`, together, 0.5),
  ];
}

/** Keeps {@link IN_FLIGHT} appends waiting: each that is answered is followed by the next. */
async function appendTogether(journal: SqliteJournal): Promise<void> {
  const each = TOGETHER_PER_ROUND / IN_FLIGHT;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (let at = 0; at < each; at += 1) await journal.append(nextWrite());
    }),
  );
}

function row(name: string, [own = [], base = []]: readonly number[][], goal: number): BenchRow {
  const ratios = own.map((value, at) => value / (base[at] ?? Number.NaN));
  const measured = atLeast(`journal-append: ${name}`, '1/s', median(own), median(base), goal);
  return { ...measured, ratio: Math.round(median(ratios) * 100) / 100 };
}
