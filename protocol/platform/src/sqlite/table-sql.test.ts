import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteConnection } from './connection.js';
import { ConstraintError } from './database-error.js';
import { column, type RowOf, table } from './table.js';
import { createSql, insertSql, valuesOf } from './table-sql.js';

const owners = table('owners', { id: column.text() });
const things = table(
  'things',
  {
    id: column.text(),
    part: column.integer('>= 0'),
    ownerId: column.idOf('owners'),
    serial: column.optional(column.text()),
    kind: column.oneOf('big', 'small'),
    isNew: column.flag(),
    detail: column.optional(column.json()),
    seal: column.optional(column.bytes()),
  },
  {
    key: ['id', 'part'],
    unique: { serial: ['ownerId', 'serial'] },
    indexes: { whole: ['id'], kind: ['kind'] },
  },
);
const letters = table('letters', { id: column.text(), body: column.text() }, { isWide: true });
const log = table('log', { position: column.integer(), line: column.text() }, { key: ['position'] });
const THING: RowOf<typeof things> = {
  id: 't',
  part: 1,
  ownerId: 'o',
  serial: 's',
  kind: 'big',
  isNew: 1,
  detail: '{}',
  seal: Buffer.of(1, 2),
};

let folder: string;
let connection: SqliteConnection;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'table-'));
  connection = await SqliteConnection.open(join(folder, 'file.db'));
  await connection.exec(createSql([things, owners, letters, log]));
  await connection.run(insertSql(owners), 'o');
});
afterEach(async () => {
  await connection.close();
  rmSync(folder, { recursive: true });
});

const insert = (row: RowOf<typeof things>) => connection.run(insertSql(things), ...valuesOf(things, row));

test('rows come back as they were inserted', async () => {
  const bare = { ...THING, part: 2, serial: null, detail: null, seal: null };
  await insert(THING);
  await insert(bare);
  expect(await connection.all('SELECT * FROM things ORDER BY part')).toEqual([THING, bare]);
});

test.each<[string, Partial<Record<keyof RowOf<typeof things>, string | number | null>>]>([
  ['a key twice', { serial: 'other' }],
  ['a unique value twice', { part: 2 }],
  ['a row whose owner does not exist', { part: 2, serial: null, ownerId: 'absent' }],
  ['a value out of the list', { part: 2, serial: null, kind: 'huge' }],
  ['a number out of its range', { part: -1, serial: null }],
  ['a flag of 2', { part: 2, serial: null, isNew: 2 }],
  ['no JSON', { part: 2, serial: null, detail: '{' }],
  ['a missing value', { part: 2, serial: null, kind: null }],
  ['a text for a number', { part: 'two', serial: null }],
])('refuses %s', async (_, wrong) => {
  await insert(THING);
  await expect(insert({ ...THING, ...wrong } as RowOf<typeof things>)).rejects.toThrow(ConstraintError);
});

test('several rows may have a null in a unique index', async () => {
  await insert({ ...THING, serial: null });
  await insert({ ...THING, part: 2, serial: null });
  expect(await connection.all('SELECT part FROM things')).toHaveLength(2);
});

test('rows that refer to each other come in any order within a transaction', async () => {
  await connection.transaction(async () => {
    await insert({ ...THING, ownerId: 'later' });
    await connection.run(insertSql(owners), 'later');
  });
  expect(await connection.all('SELECT id FROM things')).toEqual([{ id: 't' }]);
});

test('a key of one number is counted on where a row brings none', async () => {
  for (const line of ['a', 'b']) await connection.run(insertSql(log), ...valuesOf(log, { line }));
  expect(await connection.all('SELECT * FROM log')).toEqual([
    { position: 1, line: 'a' },
    { position: 2, line: 'b' },
  ]);
});

test('each index serves its query', async () => {
  const plan = async (where: string) =>
    (await connection.all(`EXPLAIN QUERY PLAN SELECT 1 FROM things WHERE ${where}`))
      .map(({ detail }) => String(detail))
      .join();
  expect(await plan("kind = 'big'")).toContain('things_kind');
  expect(await plan("id = 't'")).toContain('PRIMARY KEY');
  expect(await plan("ownerId = 'o' AND serial = 's'")).toContain('things_serial');
});

test('a wide row is stored by its own number, and its key is unique all the same', async () => {
  expect(createSql([letters])).not.toContain('WITHOUT ROWID');
  expect(createSql([things])).toContain('WITHOUT ROWID');
  await connection.run(insertSql(letters), 'l', 'text');
  await expect(connection.run(insertSql(letters), 'l', 'other')).rejects.toThrow(ConstraintError);
});
