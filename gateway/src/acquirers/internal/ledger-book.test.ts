import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { LedgerBook } from './ledger-book.js';
import { LedgerDatabase } from './ledger-database.js';
import { describeLedgerBook, type LedgerBookEngine } from './testing/ledger-book-contract.js';
import { MemoryLedgerBook, newMemoryLedger } from './testing/memory-ledger-book.js';

const homes: string[] = [];
const books: LedgerBook[] = [];
afterEach(async () => {
  for (const book of books.splice(0)) await book.close();
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

function kept<T extends LedgerBook>(book: T): T {
  books.push(book);
  return book;
}

const ENGINES: Readonly<Record<string, LedgerBookEngine>> = {
  memory: async () => {
    const ledger = newMemoryLedger();
    return { book: new MemoryLedgerBook(ledger), reopen: async () => new MemoryLedgerBook(ledger) };
  },
  sqlite: async () => {
    const home = mkdtempSync(join(tmpdir(), 'ledger-book-'));
    homes.push(home);
    const open = async () => kept(await LedgerDatabase.open(join(home, 'acquirer.db')));
    return { book: await open(), reopen: open };
  },
};

for (const [name, engine] of Object.entries(ENGINES)) describeLedgerBook(name, engine);
