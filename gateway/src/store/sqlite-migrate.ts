import { MIGRATIONS, type Migration } from './migrations.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** The file was written by a newer build. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/**
 * Brings the schema up to date, each step in a transaction of its own; safe when two processes start at once.
 * @returns the steps that were applied now
 * @throws SchemaTooNewError, StoreUnavailableError
 */
export async function migrateSqlite(
  connection: SqliteConnection,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly Migration[]> {
  await connection.exec(
    'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT',
  );
  const applied: Migration[] = [];
  for (const migration of migrations) {
    if (await applyOnce(connection, migration)) applied.push(migration);
  }
  const newest = Number((await connection.all('SELECT max(id) AS id FROM migrations'))[0]?.id ?? 0);
  const known = migrations.at(-1)?.id ?? 0;
  if (newest > known) {
    throw new SchemaTooNewError(
      `the database has schema step ${newest}, this build knows ${known}: start a newer build, or another home`,
    );
  }
  return applied;
}

async function applyOnce(connection: SqliteConnection, migration: Migration): Promise<boolean> {
  if (!migration.rebuilds) return applyInTransaction(connection, migration);
  // Inside a transaction SQLite ignores this switch.
  await connection.exec('PRAGMA foreign_keys = OFF');
  try {
    return await applyInTransaction(connection, migration);
  } finally {
    await connection.exec('PRAGMA foreign_keys = ON');
  }
}

async function applyInTransaction(connection: SqliteConnection, migration: Migration): Promise<boolean> {
  await connection.exec('BEGIN IMMEDIATE');
  try {
    const done = await connection.all('SELECT id FROM migrations WHERE id = ?', [migration.id]);
    if (done.length === 0) {
      await connection.exec(migration.sql);
      const broken = migration.rebuilds ? await connection.all('PRAGMA foreign_key_check') : [];
      if (broken.length > 0)
        throw new Error(`schema step ${migration.id}: ${broken.length} broken references`);
      await connection.run('INSERT INTO migrations (id, name) VALUES (?, ?)', [migration.id, migration.name]);
    }
    await connection.exec('COMMIT');
    return done.length === 0;
  } catch (error) {
    await connection.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
