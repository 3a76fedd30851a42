import {
  type AppliedStep,
  type NotedStep,
  refuseUnreadable,
  type SchemaStep,
  SchemaTooNewError,
  schemaSpan,
  stepsOf,
} from '@tillbridge/platform/sqlite/migrate.js';
import { OperatorError } from '../../errors/operator-error.js';
import { StoreUnavailableError } from '../store.js';
import { PostgresConnections, type PostgresPlace, type Run } from './connection.js';
import { quoted } from './table-sql.js';

/** A numbered change of a schema, in the SQL of PostgreSQL. */
interface PostgresStep extends SchemaStep {
  readonly sql: string;
}

/** The schema of a database. */
export interface PostgresSchema {
  /** Makes it where nothing is, as it is after all migrations. */
  readonly create: string;
  /** From number 2 on, in their order. */
  readonly migrations: readonly PostgresStep[];
}

/** Oldest server that has all that the schema needs (`IS JSON`). */
const OLDEST_SERVER = 160_000;

/** A table of the progress of an import, which goes when it ends: until then no gateway may use the database. */
export const IMPORT_TABLE = 'imports';

/** A change of a large table takes its time, in milliseconds. */
export const MIGRATION_MS = 3_600_000;

/** Ledgers of builds that did not know from where on their steps can be read lack a column; such a build may run beside this one. */
const LEDGER_COLUMN = 'ALTER TABLE migrations ADD COLUMN IF NOT EXISTS "readableFrom" bigint';

/** Makes or updates a schema by {@link migrate}, on connections of its own. */
export async function migratePlace(
  place: PostgresPlace,
  schema: PostgresSchema,
  dryRun = false,
): Promise<readonly AppliedStep[]> {
  const connections = new PostgresConnections(place, { statementMs: MIGRATION_MS, lockMs: MIGRATION_MS });
  try {
    return await migrate(connections, place.schema, schema, dryRun);
  } finally {
    await connections.close();
  }
}

/**
 * Makes the tables, or brings them up to date, each migration in its own transaction; nodes that start at once take turns. A database of a
 * newer build stays as it is where this one can read it.
 * @param dryRun true: nothing is changed
 * @returns the steps that were applied now, or would be
 * @throws SchemaTooNewError, StoreUnavailableError
 */
async function migrate(
  connections: PostgresConnections,
  schema: string,
  { create, migrations }: PostgresSchema,
  dryRun = false,
): Promise<readonly AppliedStep[]> {
  const steps = stepsOf({ migrations });
  const { number: known } = schemaSpan({ migrations });
  if (dryRun)
    return missingOf(steps, await notedSteps((sql, values) => connections.all(sql, values), schema));
  const applied: AppliedStep[] = [];
  for (let isDone = false; !isDone; ) {
    const now = await connections.transaction(async (run) => {
      await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${schema}/migrations`]);
      const noted = await notedSteps(run, schema);
      refuseUnreadable(noted, known, 'use another database');
      const missing = missingOf(steps, noted);
      if (missing.length === steps.length) return makeAll(run, schema, create, steps);
      await completeLedger(run, steps, noted);
      const [next] = missing;
      if (next) await applyOne(run, migrations, next);
      return next ? [next] : [];
    });
    applied.push(...now);
    isDone = now.length !== 1 || now[0]?.id === known;
  }
  return applied;
}

function missingOf(steps: readonly SchemaStep[], noted: readonly NotedStep[]): readonly SchemaStep[] {
  return steps.filter(({ id }) => !noted.some((each) => each.id === id));
}

/**
 * Whether a schema is there, with all that this build knows and nothing more: rows of another build's have columns that this one leaves out.
 * @returns false where nothing is
 * @throws OperatorError for another build's, StoreUnavailableError for one whose import has not ended
 */
export async function isOwnSchema(
  run: Run,
  schema: string,
  { migrations }: PostgresSchema,
): Promise<boolean> {
  const noted = await notedSteps(run, schema);
  if (noted.length === 0) return false;
  const steps = stepsOf({ migrations });
  const [missing] = missingOf(steps, noted);
  if (missing)
    throw new OperatorError(`schema ${schema} lacks step ${missing.id} of this build: run "migrate" first`);
  const newer = noted.find(({ id }) => !steps.some((step) => step.id === id));
  if (newer)
    throw new OperatorError(
      `schema ${schema} has step ${newer.id}, which this build does not know: use the build that made it`,
    );
  return true;
}

/** Of the steps that an older build noted, this one knows from where on they can be read. */
async function completeLedger(
  run: Run,
  steps: readonly SchemaStep[],
  noted: readonly NotedStep[],
): Promise<void> {
  if (!noted.some(({ readableFrom }) => readableFrom === null)) return;
  await run(LEDGER_COLUMN);
  for (const { id, readableFrom } of steps)
    await run('UPDATE migrations SET "readableFrom" = $1 WHERE id = $2 AND "readableFrom" IS NULL', [
      readableFrom,
      id,
    ]);
}

async function notedSteps(run: Run, schema: string): Promise<readonly NotedStep[]> {
  const [server] = await run<{ readonly version: string }>(
    "SELECT current_setting('server_version_num') AS version",
    [],
  );
  if (Number(server?.version) < OLDEST_SERVER)
    throw new SchemaTooNewError('the database server is older than PostgreSQL 16: use a newer server');
  const tables = await run<{ readonly name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
    [schema],
  );
  const names = new Set(tables.map(({ name }) => name));
  if (names.has(IMPORT_TABLE))
    throw new StoreUnavailableError(
      'locked',
      'an import into this database has not ended: run "import" again',
    );
  if (!names.has('migrations')) return [];
  // A ledger without the column gives null.
  return run<{ readonly id: number; readonly readableFrom: number | null }>(
    `SELECT id, (to_jsonb(migrations) ->> 'readableFrom')::bigint AS "readableFrom" FROM ${quoted(schema)}.migrations`,
    [],
  );
}

async function makeAll(
  run: Run,
  schema: string,
  create: string,
  steps: readonly SchemaStep[],
): Promise<readonly AppliedStep[]> {
  await run(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
  await run(create);
  await noteSteps(run, steps);
  return steps;
}

/** Notes that a schema is made as it is after all migrations. */
export function noteAll(run: Run, schema: PostgresSchema): Promise<void> {
  return noteSteps(run, stepsOf(schema));
}

async function noteSteps(run: Run, steps: readonly SchemaStep[]): Promise<void> {
  await run('CREATE TABLE migrations (id bigint PRIMARY KEY, name text NOT NULL, "readableFrom" bigint)');
  for (const step of steps) await note(run, step);
}

async function applyOne(run: Run, migrations: readonly PostgresStep[], step: SchemaStep): Promise<void> {
  const migration = migrations.find(({ id }) => id === step.id);
  if (migration) await run(migration.sql);
  await note(run, step);
}

async function note(run: Run, { id, name, readableFrom }: SchemaStep): Promise<void> {
  await run('INSERT INTO migrations (id, name, "readableFrom") VALUES ($1, $2, $3)', [
    id,
    name,
    readableFrom,
  ]);
}
