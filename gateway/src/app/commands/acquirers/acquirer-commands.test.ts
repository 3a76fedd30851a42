import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { insertStandIn } from '../../../core/acquirers/iso8583/testing/stand-in-row.js';
import { entityRow } from '../../../core/entities/entities.js';
import { raiseAlert } from '../../../kernel/alerts/alert-changes.js';
import { gatewayFiles } from '../../../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../../../kernel/data-folder/home.js';
import { SqliteStore } from '../../../kernel/store/sqlite-store.js';
import { gatewayProgram } from '../../program.js';

const [MERCHANT, CHANNEL, OTHER] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [
  string,
  string,
  string,
];
const idOf = (at: number) => at.toString(16).padStart(32, '0');

let home: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-acquirers-'));
  vi.stubEnv('GATEWAY_HOME', home);
  prepareHome(home);
  await withStore(async (store) => {
    await store.commit([
      { op: 'insert', table: 'entities', row: entityRow(MERCHANT, 'One', null, 1) },
      { op: 'insert', table: 'entities', row: entityRow(CHANNEL, 'Channel', MERCHANT, 1) },
      { op: 'insert', table: 'entities', row: entityRow(OTHER, 'Two', null, 1) },
    ]);
    for (const [at, entityId] of [MERCHANT, CHANNEL, OTHER].entries())
      await insertStandIn(
        store,
        { entityId, paymentId: idOf(at) },
        {
          reference: idOf(at),
          sequence: at,
          createdAtMs: at,
          state: at === 1 ? 'reversed' : 'advice-pending',
        },
      );
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

async function withStore<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
  const store = await SqliteStore.open(gatewayFiles(home).database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Runs `acquirer …`; returns what it printed. */
async function acquirer<T>(...words: string[]): Promise<T> {
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  await gatewayProgram().parseAsync(['acquirer', ...words], { from: 'user' });
  return JSON.parse(printed.join('')) as T;
}

it('lists what was approved without a host, the newest first, of all or of a merchant with its channels', async () => {
  const list = async (...words: string[]) =>
    (await acquirer<{ id: string; advice: string }[]>('stand-ins', ...words)).map(
      ({ id, advice }) => `${Number(id)} ${advice}`,
    );
  expect(await list()).toEqual(['2 waiting', '1 reversed', '0 waiting']);
  expect(await list('--limit', '1')).toEqual(['2 waiting']);
  expect(await list(MERCHANT)).toEqual(['1 reversed', '0 waiting']);
  expect(await list(CHANNEL)).toEqual(['1 reversed']);
  expect(await list('--state', 'waiting')).toEqual(['2 waiting', '0 waiting']);
  await expect(list('d'.repeat(32))).rejects.toThrow(/there is no entity/);
  for (const limit of ['0', '10001', 'x', '1.5'])
    await expect(list('--limit', limit)).rejects.toThrow(/--limit/);
});

it('prints the dialect of an acquirer as it is configured', async () => {
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  const changes = { timeZone: 'Europe/Berlin', fields: { 24: { value: '721' } } };
  vi.stubEnv('GATEWAY_ACQUIRERS', JSON.stringify([{ name: 'ACME', hosts: 'h:1', dialectChanges: changes }]));
  const show = (name: string) =>
    gatewayProgram().parseAsync(['acquirer', 'dialect', 'show', name], { from: 'user' });
  await show('ACME');
  const text = printed.join('');
  expect(text).toContain('authentication code: iso9797Algorithm3\n');
  expect(text).toContain('time of fields 12 and 13: Europe/Berlin\n');
  expect(text).toMatch(/^24 .* 721$/m);
  await expect(show('OTHER')).rejects.toThrow('the configuration has no acquirer OTHER; it has ACME');
});

it('lists files of acquirers, and shows the state of one that was put aside', async () => {
  const row = {
    ...{ acquirer: 'EXTERNAL', size: 7, modified: 'm', digest: 'd', rows: 2, note: null },
    kind: 'settlement',
    ...{ createdAtMs: 1, version: 1 },
  } as const;
  const alert = { code: 'acquirer-file-quarantined', subject: 'EXTERNAL/b.csv', detail: '' } as const;
  await withStore((store) =>
    store.commit([
      {
        op: 'insert',
        table: 'acquirerFiles',
        row: { ...row, name: 'a.csv', state: 'imported', faults: '[]' },
      },
      {
        op: 'insert',
        table: 'acquirerFiles',
        row: { ...row, name: 'b.csv', state: 'quarantined', faults: '["line 2: x"]', createdAtMs: 2 },
      },
      raiseAlert(alert, 1),
    ]),
  );
  const [quarantined, imported] = await acquirer<object[]>('files', 'EXTERNAL');
  expect(quarantined).toMatchObject({ name: 'b.csv', state: 'quarantined', faults: ['line 2: x'], rows: 2 });
  expect(imported).toMatchObject({ name: 'a.csv', state: 'imported', seenAt: '1970-01-01T00:00:00.001Z' });
  expect(await acquirer('files', 'OTHER')).toEqual([]);
  expect(await acquirer('retry-file', 'EXTERNAL', 'b.csv')).toMatchObject({ state: 'due' });
  const open = () =>
    withStore(async (store) =>
      (await store.findAfter('alerts', undefined)).filter(({ endedAtMs }) => endedAtMs === null),
    );
  expect(await open()).toHaveLength(1);
  expect(await acquirer('drop-file', 'EXTERNAL', 'b.csv', '--note', 'sent twice')).toMatchObject({
    state: 'dropped',
    note: 'sent twice',
  });
  expect(await open()).toEqual([]);
  await expect(acquirer('retry-file', 'EXTERNAL', 'a.csv')).rejects.toThrow(/is imported/);
  await expect(acquirer('drop-file', 'EXTERNAL', 'c.csv', '--note', 'x')).rejects.toThrow(/no file c\.csv/);
});
