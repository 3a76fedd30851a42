import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { LedgerDatabase } from './ledger-database.js';
import type { LedgerStore } from './ledger-store.js';
import { describeLedgerStore, type LedgerStoreEngine } from './testing/ledger-store-contract.test.support.js';
import { MemoryLedgerStore, newMemoryLedger } from './testing/memory-ledger-store.js';

const homes: string[] = [];
const ledgers: LedgerStore[] = [];
afterEach(async () => {
  for (const ledger of ledgers.splice(0)) await ledger.close();
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

function kept<T extends LedgerStore>(ledger: T): T {
  ledgers.push(ledger);
  return ledger;
}

const ENGINES: Readonly<Record<string, LedgerStoreEngine>> = {
  memory: async () => {
    const ledger = newMemoryLedger();
    return { ledger: new MemoryLedgerStore(ledger), reopen: async () => new MemoryLedgerStore(ledger) };
  },
  sqlite: async () => {
    const home = mkdtempSync(join(tmpdir(), 'ledger-store-'));
    homes.push(home);
    const open = async () => kept(await LedgerDatabase.open(join(home, 'acquirer.db')));
    return { ledger: await open(), reopen: open };
  },
};

for (const [name, engine] of Object.entries(ENGINES)) describeLedgerStore(name, engine);
