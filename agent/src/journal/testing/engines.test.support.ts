import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { BlobCipher } from '../blob-cipher.js';
import type { Journal, JournalWrite, NewRow } from '../journal.js';
import { loadOrCreateKey } from '../key-file.js';
import { SqliteJournal, type SqliteJournalOptions } from '../sqlite-journal.js';
import { MemoryJournal, newMemoryDisk } from './memory-journal.test.support.js';

/** When the tests' rows are written. */
export const AT = Date.UTC(2026, 10, 20, 12);
const homes: string[] = [];
const journals: Journal[] = [];

/** Closes the journals and removes the homes of a test. */
export async function tidyUp(): Promise<void> {
  for (const journal of journals.splice(0)) await journal.close();
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
}

/** A folder of the test's own. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'journal-'));
  homes.push(home);
  return home;
}

/** A journal file in a home. */
export async function openFile(
  home: string,
  options: Partial<SqliteJournalOptions> = {},
): Promise<SqliteJournal> {
  const journal = await SqliteJournal.open({
    path: join(home, 'journal.db'),
    cipher: new BlobCipher(loadOrCreateKey(join(home, 'journal.key'), systemRandom), systemRandom),
    clock: new VirtualClock(AT),
    ...options,
  });
  journals.push(journal);
  return journal;
}

/** A row to append. */
export const row = (kind: string, reference: string, more: Partial<NewRow> = {}): NewRow => ({
  kind,
  reference,
  terminalId: '1',
  data: {},
  ...more,
});
/** Rows that stand or fall together. */
export const write = (...rows: NewRow[]): JournalWrite => ({ atMs: AT, rows });

/** One engine of the contract. */
export interface Engine {
  /** A journal on a new disk, and the same disk opened again after a restart. */
  create(): Promise<{ journal: Journal; reopen(): Promise<Journal> }>;
}

/** Every engine of the journal. */
export const ENGINES: Readonly<Record<string, Engine>> = {
  memory: {
    create: async () => {
      const disk = newMemoryDisk();
      return { journal: new MemoryJournal(disk), reopen: async () => new MemoryJournal(disk) };
    },
  },
  sqlite: {
    create: async () => {
      const home = newHome();
      const journal = await openFile(home);
      const reopen = async () => {
        await journal.close();
        return openFile(home);
      };
      return { journal, reopen };
    },
  },
};
