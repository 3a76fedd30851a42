import type { SqliteConnection } from './connection.js';

/** One change of a schema: numbered from 2, applied once, never changed after its release. */
interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  /** Puts a new table in the place of one that others refer to: carried out without foreign keys, which are checked before the end. */
  readonly rebuilds?: true;
}

/** The schema of a database. */
export interface Schema {
  /** Makes it in an empty file, as it is after all migrations. */
  readonly create: string;
  /** Brings the schema of an older file up to date, in the order of their numbers. */
  readonly migrations: readonly Migration[];
}

/** A migration that the ledger of a file has as applied. */
export type AppliedStep = Pick<Migration, 'id' | 'name'>;

/** The file was written by a newer build. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** The first step: all tables. */
export const INITIAL_STEP: AppliedStep = { id: 1, name: 'initial schema' };

const LEDGER = 'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT';

/** All steps of a schema, in their order. */
export function stepsOf({ migrations }: Schema): readonly AppliedStep[] {
  return [INITIAL_STEP, ...migrations];
}

/** The steps of a schema that a file lacks; changes nothing. @throws the error of a fault */
export async function pendingSteps(
  connection: SqliteConnection,
  schema: Schema,
): Promise<readonly AppliedStep[]> {
  const ledgers = await connection.all("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'");
  const rows = ledgers.length === 0 ? [] : await connection.all<{ id: number }>('SELECT id FROM migrations');
  const applied = new Set(rows.map(({ id }) => id));
  return stepsOf(schema).filter(({ id }) => !applied.has(id));
}

/**
 * Makes the schema, or brings it up to date, each migration in its own transaction; safe when two processes start at once.
 * @returns the steps that were applied now
 * @throws SchemaTooNewError; ConstraintError, or the error of a fault
 */
export async function migrate(
  connection: SqliteConnection,
  { create, migrations }: Schema,
): Promise<readonly AppliedStep[]> {
  const applied = await makeWhereEmpty(connection, create, [INITIAL_STEP, ...migrations]);
  for (const migration of migrations) if (await applyOnce(connection, migration)) applied.push(migration);
  const newest = (await connection.get<{ id: number }>('SELECT max(id) AS id FROM migrations'))?.id ?? 0;
  const known = (migrations.at(-1) ?? INITIAL_STEP).id;
  if (newest > known)
    throw new SchemaTooNewError(
      `the database has schema step ${newest}, this build knows ${known}: start a newer build, or another home`,
    );
  return applied;
}

function makeWhereEmpty(
  connection: SqliteConnection,
  create: string,
  steps: readonly AppliedStep[],
): Promise<AppliedStep[]> {
  return connection.transaction(async () => {
    await connection.exec(LEDGER);
    if (await connection.get('SELECT id FROM migrations LIMIT 1')) return [];
    await connection.exec(create);
    for (const step of steps) await note(connection, step);
    return [...steps];
  });
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

function applyInTransaction(connection: SqliteConnection, migration: Migration): Promise<boolean> {
  return connection.transaction(async () => {
    if (await connection.get('SELECT id FROM migrations WHERE id = ?', migration.id)) return false;
    await connection.exec(migration.sql);
    const broken = migration.rebuilds ? await connection.all('PRAGMA foreign_key_check') : [];
    if (broken.length > 0) throw new Error(`schema step ${migration.id}: ${broken.length} broken references`);
    await note(connection, migration);
    return true;
  });
}

function note(connection: SqliteConnection, { id, name }: AppliedStep): Promise<void> {
  return connection.run('INSERT INTO migrations (id, name) VALUES (?, ?)', id, name);
}
