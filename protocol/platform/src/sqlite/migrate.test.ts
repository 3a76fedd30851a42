import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteConnection } from './connection.js';
import { migrate, pendingSteps, type Schema, SchemaTooNewError, schemaSpan } from './migrate.js';
import { column, table } from './table.js';
import { createSql } from './table-sql.js';

const parents = table('parents', { id: column.text() });
const children = table('children', { id: column.text(), parentId: column.idOf('parents') });
const FIRST: Schema = { create: createSql([parents, children]), migrations: [] };
const later = table('parents', { id: column.text(), size: column.integer('>= 0') });
const SECOND: Schema = {
  create: createSql([later, children]),
  migrations: [
    {
      id: 2,
      name: 'size of parents',
      readableFrom: 2,
      rebuilds: true,
      sql: `${createSql([{ ...later, name: 'parents_new' }])}
        INSERT INTO parents_new SELECT id, 0 FROM parents;
        DROP TABLE parents;
        ALTER TABLE parents_new RENAME TO parents;`,
    },
    {
      id: 3,
      name: 'index of sizes',
      readableFrom: 2,
      sql: 'CREATE INDEX parents_size ON parents (size);',
    },
  ],
};
/** Expands: builds of the first schema go on with what it leaves. */
const EXPANDED: Schema = {
  create: FIRST.create,
  migrations: [{ id: 2, name: 'note', readableFrom: 1, sql: 'ALTER TABLE parents ADD COLUMN note TEXT' }],
};
/** Contracts: the note is gone. */
const CONTRACTED: Schema = {
  ...EXPANDED,
  migrations: [
    ...EXPANDED.migrations,
    { id: 3, name: 'no note', readableFrom: 3, sql: 'ALTER TABLE parents DROP COLUMN note' },
  ],
};

let folder: string;
const open: SqliteConnection[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
});
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
  rmSync(folder, { recursive: true });
});

async function connect(): Promise<SqliteConnection> {
  const connection = await SqliteConnection.open(join(folder, 'file.db'));
  open.push(connection);
  return connection;
}

const ids = (steps: readonly { readonly id: number }[]) => steps.map(({ id }) => id);

describe('the schema of a file', () => {
  it('is made at once in an empty file, and then left alone', async () => {
    const connection = await connect();
    expect(ids(await migrate(connection, SECOND))).toEqual([1, 2, 3]);
    await connection.run("INSERT INTO parents VALUES ('p', 7)");
    expect(await migrate(connection, SECOND)).toEqual([]);
  });

  it('of an older build is brought up to date, with its rows and references', async () => {
    const connection = await connect();
    await migrate(connection, FIRST);
    await connection.exec("INSERT INTO parents VALUES ('p'); INSERT INTO children VALUES ('c', 'p')");
    expect(ids(await migrate(connection, SECOND))).toEqual([2, 3]);
    expect(await connection.all('SELECT * FROM parents')).toEqual([{ id: 'p', size: 0 }]);
    await expect(connection.exec("INSERT INTO children VALUES ('d', 'absent')")).rejects.toThrow(
      'FOREIGN KEY',
    );
  });

  it('is left alone by a look at what is to be done', async () => {
    const connection = await connect();
    expect(ids(await pendingSteps(connection, SECOND))).toEqual([1, 2, 3]);
    await migrate(connection, FIRST);
    expect(ids(await pendingSteps(connection, SECOND))).toEqual([2, 3]);
    expect(ids(await migrate(connection, SECOND))).toEqual([2, 3]);
    expect(await pendingSteps(connection, SECOND)).toEqual([]);
  });

  it('stays as it was when a step leaves a reference behind', async () => {
    const connection = await connect();
    await migrate(connection, FIRST);
    await connection.exec("INSERT INTO parents VALUES ('p'); INSERT INTO children VALUES ('c', 'p')");
    const loses = {
      id: 2,
      name: 'lost',
      readableFrom: 2,
      rebuilds: true,
      sql: 'DELETE FROM parents;',
    } as const;
    await expect(migrate(connection, { ...FIRST, migrations: [loses] })).rejects.toThrow('1 broken');
    expect(await connection.all('SELECT * FROM parents')).toEqual([{ id: 'p' }]);
    expect(ids(await connection.all<{ id: number }>('SELECT id FROM migrations'))).toEqual([1]);
  });

  it('is made once by two processes that start together', async () => {
    const both = [await connect(), await connect()];
    const applied = await Promise.all(both.map((connection) => migrate(connection, SECOND)));
    expect(ids(applied.flat()).sort()).toEqual([1, 2, 3]);
  });

  it('of a newer build is refused where that has taken something away, and left as it is', async () => {
    const connection = await connect();
    await migrate(connection, FIRST);
    await migrate(connection, CONTRACTED);
    for (const older of [FIRST, EXPANDED])
      await expect(migrate(connection, older)).rejects.toThrow(SchemaTooNewError);
    await expect(migrate(connection, EXPANDED)).rejects.toThrow(
      'schema step 3, which builds from step 3 on can read, and this build knows 2: start a newer build, or use another home',
    );
    expect(ids(await connection.all<{ id: number }>('SELECT id FROM migrations'))).toEqual([1, 2, 3]);
  });

  it('of a newer build that has only added is read and written by an older one', async () => {
    const connection = await connect();
    await migrate(connection, FIRST);
    await migrate(connection, EXPANDED);
    const older = await connect();
    expect(await migrate(older, FIRST)).toEqual([]);
    await older.run('INSERT INTO parents (id) VALUES (?)', 'p');
    expect(await connection.all('SELECT * FROM parents')).toEqual([{ id: 'p', note: null }]);
  });

  it('of a newer build that did not note who can read it is refused', async () => {
    const connection = await connect();
    await migrate(connection, EXPANDED);
    await connection.exec('UPDATE migrations SET readableFrom = NULL');
    await expect(migrate(connection, FIRST)).rejects.toThrow('builds from step 2 on');
  });

  it('gets the column of its ledger that older builds did not write', async () => {
    const connection = await connect();
    await migrate(connection, EXPANDED);
    await connection.exec('ALTER TABLE migrations DROP COLUMN readableFrom');
    expect(await migrate(connection, EXPANDED)).toEqual([]);
    expect(await connection.all('SELECT id, readableFrom FROM migrations')).toEqual([
      { id: 1, readableFrom: 1 },
      { id: 2, readableFrom: 1 },
    ]);
    expect(await migrate(connection, FIRST)).toEqual([]);
  });

  it('has the number of its last step, and is readable from where the last contraction was', () => {
    expect(schemaSpan(FIRST)).toEqual({ number: 1, readableFrom: 1 });
    expect(schemaSpan(EXPANDED)).toEqual({ number: 2, readableFrom: 1 });
    expect(schemaSpan(CONTRACTED)).toEqual({ number: 3, readableFrom: 3 });
  });
});
