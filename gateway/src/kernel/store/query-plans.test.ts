import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from './open-database.js';
import { SQLITE } from './sqlite-statements.js';
import { SqliteStore } from './sqlite-store.js';
import type { TableName } from './tables.js';

/** Ranges that are read while payments run, and what they are limited to in addition to their index. */
const RANGES: readonly [table: TableName, index: string, before: number, among: readonly string[]][] = [
  ['payments', 'time', 1, []],
  ['payments', 'time', 1, ['type', 'method', 'shortId']],
  ['schedules', 'due', 0, []],
  ['scheduleRuns', 'time', 1, []],
  ['outbox', 'due', 1, []],
  ['payments', 'time', 1, ['amountMinor', 'currency']],
  ['settlements', 'owner', 1, ['state', 'currency', 'source']],
  ['settlementRecords', 'position', 1, []],
  ['settlementRecords', 'time', 1, ['recordType']],
  ['settlementRuns', 'due', 0, []],
  ['reconciliationFiles', 'merchant', 1, []],
  ['deliveries', 'due', 1, []],
  ['deliveries', 'time', 1, []],
  ['deliveries', 'primary', 1, []],
  ['deliveries', 'age', 0, []],
  ['events', 'expiry', 0, []],
  ['linkExchanges', 'card', 2, []],
  ['standInCounts', 'expiry', 0, []],
  ['vault', 'due', 0, []],
  ['agents', 'state', 1, []],
  ['waits', 'due', 1, []],
  ['waits', 'until', 1, []],
  ['waits', 'owner', 2, []],
];

it.each(RANGES)('a range of %s.%s is read by that index', async (table, index, before, among) => {
  const folder = await mkdtemp(join(tmpdir(), 'tillbridge-plans-'));
  const file = join(folder, 'gateway.db');
  await SqliteStore.migrate(file);
  const connection = await openDatabase(file);
  for (const descending of [false, true]) {
    const shape = { before, among, filled: [], descending };
    for (const sql of [SQLITE.findRange(table, index, shape), SQLITE.countRange(table, index, shape)]) {
      const plan = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      const [search = ''] = plan
        .map(({ detail }) => detail)
        .filter((detail) => detail.includes(` ${table} `));
      const name = index === 'primary' ? `sqlite_autoindex_${table}_1` : `${table}_${index}`;
      expect(search).toMatch(new RegExp(`^SEARCH ${table} USING (COVERING )?INDEX ${name} `));
    }
  }
  await connection.close();
  await rm(folder, { recursive: true });
});
