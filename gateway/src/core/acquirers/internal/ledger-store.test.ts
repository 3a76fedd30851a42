import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { testPlace } from '../../../kernel/store/testing/postgres-server.js';
import { LedgerDatabase } from './ledger-database.js';
import type { LedgerStore } from './ledger-store.js';
import { PostgresLedger } from './postgres-ledger.js';
import {
  describeLedgerStore,
  giftCardRequest,
  type LedgerStoreEngine,
  ledgerRequest,
} from './testing/ledger-store-contract.test.support.js';
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
  postgres: async () => {
    const place = await testPlace();
    const open = async () => kept(await PostgresLedger.open(place));
    return { ledger: await open(), reopen: open };
  },
};

test('two nodes record on one ledger, each reference once, and reverse it once', async () => {
  const place = await testPlace();
  const nodes = [kept(await PostgresLedger.open(place)), kept(await PostgresLedger.open(place))];
  const sale = (acquirerReference: string) => ledgerRequest({ acquirerReference });
  const reversal = (acquirerReference: string, originalReference: string) =>
    ledgerRequest({ kind: 'reversal', acquirerReference, originalReference });
  const rounds = Array.from({ length: 40 }, (_, at) => at);
  await Promise.all(
    rounds.flatMap((at) => [
      ...nodes.map((node) => node.record([sale(`s${at}`)])),
      ...nodes.map((node, nth) => node.record([reversal(`r${at}-${nth}`, `s${at}`)])),
    ]),
  );
  const rows = (await nodes[0]?.all()) ?? [];
  for (const at of rounds) {
    const own = rows.filter(({ acquirerReference }) => acquirerReference === `s${at}`);
    expect(own).toHaveLength(1);
    // Refused as it came after its reversal, or reversed.
    expect(own[0]?.approved === 0 || own[0]?.reversedMinor === own[0]?.amountMinor).toBe(true);
  }
});

test('two nodes never spend the balance of a gift card twice', async () => {
  const place = await testPlace();
  const nodes = [kept(await PostgresLedger.open(place)), kept(await PostgresLedger.open(place))];
  const paid = await Promise.all(
    Array.from({ length: 20 }, (_, at) => nodes[at % nodes.length]?.record([giftCardRequest(`g${at}`)])),
  );
  const codes = paid.map((answers) => answers?.[0]?.responseCode);
  expect(codes.filter((code) => code === '00')).toHaveLength(3);
  expect(codes.filter((code) => code === '51')).toHaveLength(17);
});

for (const [name, engine] of Object.entries(ENGINES)) describeLedgerStore(name, engine);
