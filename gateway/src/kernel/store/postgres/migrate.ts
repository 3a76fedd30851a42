import { type AppliedStep, INITIAL_STEP, SchemaTooNewError } from '@tillbridge/platform/sqlite/migrate.js';
import { StoreUnavailableError } from '../store.js';
import { PostgresConnections, type PostgresPlace, type Run } from './connection.js';
import { quoted } from './table-sql.js';

/** A numbered change of a schema, in the SQL of PostgreSQL. */
interface PostgresStep extends AppliedStep {
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
 * Makes the tables, or brings them up to date, each migration in its own transaction; nodes that start at once take turns.
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
  const steps = [INITIAL_STEP, ...migrations];
  const known = steps.at(-1)?.id ?? 0;
  if (dryRun)
    return missingOf(steps, await appliedIds((sql, values) => connections.all(sql, values), schema));
  const applied: AppliedStep[] = [];
  for (let isDone = false; !isDone; ) {
    const now = await connections.transaction(async (run) => {
      await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${schema}/migrations`]);
      const ids = await appliedIds(run, schema);
      refuseNewer(ids, known);
      const missing = missingOf(steps, ids);
      if (missing.length === steps.length) return makeAll(run, schema, create, steps);
      const [next] = missing;
      if (next) await applyOne(run, migrations, next);
      return next ? [next] : [];
    });
    applied.push(...now);
    isDone = now.length !== 1 || now[0]?.id === known;
  }
  return applied;
}

function missingOf(steps: readonly AppliedStep[], ids: ReadonlySet<number>): readonly AppliedStep[] {
  return steps.filter(({ id }) => !ids.has(id));
}

async function appliedIds(run: Run, schema: string): Promise<ReadonlySet<number>> {
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
  if (!names.has('migrations')) return new Set();
  const rows = await run<{ readonly id: number }>('SELECT id FROM migrations', []);
  return new Set(rows.map(({ id }) => id));
}

function refuseNewer(ids: ReadonlySet<number>, known: number): void {
  const newest = Math.max(0, ...ids);
  if (newest > known)
    throw new SchemaTooNewError(
      `the database has schema step ${newest}, this build knows ${known}: start a newer build, or use another database`,
    );
}

async function makeAll(
  run: Run,
  schema: string,
  create: string,
  steps: readonly AppliedStep[],
): Promise<readonly AppliedStep[]> {
  await run(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
  await run(create);
  await noteSteps(run, steps);
  return steps;
}

/** Notes that a schema is made as it is after all migrations. */
export function noteAll(run: Run, { migrations }: PostgresSchema): Promise<void> {
  return noteSteps(run, [INITIAL_STEP, ...migrations]);
}

async function noteSteps(run: Run, steps: readonly AppliedStep[]): Promise<void> {
  await run('CREATE TABLE migrations (id bigint PRIMARY KEY, name text NOT NULL)');
  for (const step of steps) await note(run, step);
}

async function applyOne(run: Run, migrations: readonly PostgresStep[], step: AppliedStep): Promise<void> {
  const migration = migrations.find(({ id }) => id === step.id);
  if (migration) await run(migration.sql);
  await note(run, step);
}

async function note(run: Run, { id, name }: AppliedStep): Promise<void> {
  await run('INSERT INTO migrations (id, name) VALUES ($1, $2)', [id, name]);
}
