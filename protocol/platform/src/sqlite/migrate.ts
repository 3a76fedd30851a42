import type { SqliteConnection } from './connection.js';

/** A step of a schema: numbered from 2, applied once, never changed after its release. */
export interface SchemaStep {
  readonly id: number;
  readonly name: string;
  /**
   * The lowest schema number whose builds still read and write the database after this step. A step that only adds (expands) leaves it where
   * it was; one that takes something away (contracts) sets it to the step that stopped using that, or to its own number.
   */
  readonly readableFrom: number;
}

/** One change of a schema, in SQL. */
interface Migration extends SchemaStep {
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

/** A newer build wrote the database, and left nothing that this one could read. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** The first step: all tables. */
export const INITIAL_STEP: SchemaStep = { id: 1, name: 'initial schema', readableFrom: 1 };

const LEDGER =
  'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, readableFrom INTEGER) STRICT';
/** Ledgers of builds that did not know it lack this column. */
const OLD_LEDGER =
  "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pragma_table_info('migrations') WHERE name = 'readableFrom')";

/** All steps of a schema, in their order. */
export function stepsOf({
  migrations,
}: {
  readonly migrations: readonly SchemaStep[];
}): readonly SchemaStep[] {
  return [INITIAL_STEP, ...migrations];
}

/** The schema of a build: its number, and the lowest number that reads what it writes. Pure. */
export function schemaSpan(schema: { readonly migrations: readonly SchemaStep[] }): SchemaSpan {
  const steps = stepsOf(schema);
  return {
    number: Math.max(...steps.map(({ id }) => id)),
    readableFrom: Math.max(...steps.map(({ readableFrom }) => readableFrom)),
  };
}

/** A schema's number, and the lowest schema number whose builds can use a database of it. */
export interface SchemaSpan {
  readonly number: number;
  readonly readableFrom: number;
}

/** A row of the ledger of a database; of builds that did not note it, the second number is null. */
export interface NotedStep {
  readonly id: number;
  readonly readableFrom: number | null;
}

/**
 * Refuses a database that builds of a schema number cannot use any more. One that is newer and readable is used as it is. Pure.
 * @param where what to use otherwise: `another home`
 * @throws SchemaTooNewError
 */
export function refuseUnreadable(noted: readonly NotedStep[], known: number, where: string): void {
  const newest = Math.max(0, ...noted.map(({ id }) => id));
  // A step of an unknown kind may have taken something away.
  const lowest = Math.max(
    0,
    ...noted.filter(({ id }) => id > known).map(({ id, readableFrom }) => readableFrom ?? id),
  );
  if (known >= lowest) return;
  throw new SchemaTooNewError(
    `the database has schema step ${newest}, which builds from step ${lowest} on can read, and this build knows ${known}: start a newer build, or ${where}`,
  );
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
 * Makes the schema, or brings it up to date, each migration in its own transaction; safe when two processes start at once. A database of a
 * newer build stays as it is where this one can read it.
 * @returns the steps that were applied now
 * @throws SchemaTooNewError; ConstraintError, or the error of a fault
 */
export async function migrate(connection: SqliteConnection, schema: Schema): Promise<readonly AppliedStep[]> {
  const { create, migrations } = schema;
  const applied = await makeWhereEmpty(connection, create, stepsOf(schema));
  refuseUnreadable(await readNoted(connection), schemaSpan(schema).number, 'use another home');
  for (const migration of migrations) if (await applyOnce(connection, migration)) applied.push(migration);
  return applied;
}

function readNoted(connection: SqliteConnection): Promise<readonly NotedStep[]> {
  return connection.all<{ id: number; readableFrom: number | null }>(
    'SELECT id, readableFrom FROM migrations',
  );
}

function makeWhereEmpty(
  connection: SqliteConnection,
  create: string,
  steps: readonly SchemaStep[],
): Promise<AppliedStep[]> {
  return connection.transaction(async () => {
    await connection.exec(LEDGER);
    if (await connection.get(OLD_LEDGER)) await completeLedger(connection, steps);
    if (await connection.get('SELECT id FROM migrations LIMIT 1')) return [];
    await connection.exec(create);
    for (const step of steps) await note(connection, step);
    return [...steps];
  });
}

/** Of the steps that an older build noted, this one knows from where on they can be read. */
async function completeLedger(connection: SqliteConnection, steps: readonly SchemaStep[]): Promise<void> {
  await connection.exec('ALTER TABLE migrations ADD COLUMN readableFrom INTEGER');
  for (const { id, readableFrom } of steps)
    await connection.run('UPDATE migrations SET readableFrom = ? WHERE id = ?', readableFrom, id);
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

function note(connection: SqliteConnection, { id, name, readableFrom }: SchemaStep): Promise<void> {
  const sql = 'INSERT INTO migrations (id, name, readableFrom) VALUES (?, ?, ?)';
  return connection.run(sql, id, name, readableFrom);
}
