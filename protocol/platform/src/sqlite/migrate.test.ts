import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteConnection } from './connection.js';
import { migrate, pendingSteps, type Schema, SchemaTooNewError } from './migrate.js';
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
      rebuilds: true,
      sql: `${createSql([{ ...later, name: 'parents_new' }])}
        INSERT INTO parents_new SELECT id, 0 FROM parents;
        DROP TABLE parents;
        ALTER TABLE parents_new RENAME TO parents;`,
    },
    { id: 3, name: 'index of sizes', sql: 'CREATE INDEX parents_size ON parents (size);' },
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
    const loses = { id: 2, name: 'lost', rebuilds: true, sql: 'DELETE FROM parents;' } as const;
    await expect(migrate(connection, { ...FIRST, migrations: [loses] })).rejects.toThrow('1 broken');
    expect(await connection.all('SELECT * FROM parents')).toEqual([{ id: 'p' }]);
    expect(ids(await connection.all<{ id: number }>('SELECT id FROM migrations'))).toEqual([1]);
  });

  it('is made once by two processes that start together', async () => {
    const both = [await connect(), await connect()];
    const applied = await Promise.all(both.map((connection) => migrate(connection, SECOND)));
    expect(ids(applied.flat()).sort()).toEqual([1, 2, 3]);
  });

  it('of a newer build is refused', async () => {
    const connection = await connect();
    await migrate(connection, SECOND);
    await expect(migrate(connection, FIRST)).rejects.toThrow(SchemaTooNewError);
  });
});
