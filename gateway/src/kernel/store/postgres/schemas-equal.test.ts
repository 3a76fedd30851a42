import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { expect, it } from 'vitest';
import { openDatabase } from '../open-database.js';
import { SqliteStore } from '../sqlite-store.js';
import { execute, testPlace } from '../testing/postgres-server.js';
import { PostgresConnections } from './connection.js';
import { PostgresStore } from './postgres-store.js';

/** A table as a database describes it. */
interface TableShape {
  /** Name and type of each column, `?` behind those that may be null. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Columns of each index by its name, `unique` before unique ones; with the columns that must not be null. */
  readonly indexes: Readonly<Record<string, string>>;
  /** `column → table`. */
  readonly references: readonly string[];
  readonly checks: number;
}

type SchemaShape = Readonly<Record<string, TableShape>>;

const TYPES: Readonly<Record<string, string>> = { TEXT: 'text', INTEGER: 'bigint', BLOB: 'bytea' };

/** Columns that a condition of a partial index demands to be there. */
function presentIn(sql: string): string {
  return [...sql.matchAll(/"?(\w+)"? IS NOT NULL/g)].map(([, column]) => column).join(',');
}

async function sqliteShape(connection: SqliteConnection): Promise<SchemaShape> {
  const shape: Record<string, TableShape> = {};
  const tables = await connection.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('migrations') AND name NOT LIKE 'sqlite_%'",
  );
  for (const { name, sql } of tables) {
    const columns = await connection.all<{ name: string; type: string; notnull: number; pk: number }>(
      `SELECT name, type, "notnull", pk FROM pragma_table_info('${name}')`,
    );
    const foreign = await connection.all<{ column: string; target: string }>(
      `SELECT "from" AS "column", "table" AS target FROM pragma_foreign_key_list('${name}')`,
    );
    const indexes = await connection.all<{ name: string; sql: string; columns: string }>(
      `SELECT i.name, i.sql, (SELECT group_concat(name, ',') FROM pragma_index_info(i.name)) AS columns
       FROM sqlite_schema AS i WHERE type = 'index' AND tbl_name = '${name}' AND sql IS NOT NULL`,
    );
    shape[name] = {
      columns: columns
        .map((column) => `${column.name} ${TYPES[column.type]}${column.notnull === 1 ? '' : '?'}`)
        .sort(),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      indexes: Object.fromEntries(
        indexes.map((index) => [
          index.name,
          `${index.sql.includes('UNIQUE') ? 'unique ' : ''}${index.columns} / ${presentIn(index.sql)}`,
        ]),
      ),
      references: foreign.map(({ column, target }) => `${column} → ${target}`).sort(),
      checks: sql.split('CHECK (').length - 1,
    };
  }
  return shape;
}

async function postgresShape(connections: PostgresConnections, schema: string): Promise<SchemaShape> {
  const shape: Record<string, TableShape> = {};
  const tables = await connections.all<{ oid: number; name: string }>(
    "SELECT c.oid, relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace WHERE nspname = $1 AND relkind = 'r' AND relname <> 'migrations'",
    [schema],
  );
  for (const { oid, name } of tables) {
    const columns = await connections.all<{ name: string; type: string; notnull: boolean }>(
      'SELECT attname AS name, format_type(atttypid, NULL) AS type, attnotnull AS notnull FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped',
      [oid],
    );
    const indexes = await connections.all<{
      name: string;
      primary: boolean;
      unique: boolean;
      columns: string[];
      condition: string | null;
    }>(
      `SELECT c.relname AS name, indisprimary AS primary, indisunique AS unique, pg_get_expr(indpred, indrelid) AS condition,
       (SELECT array_agg(attname::text ORDER BY place) FROM unnest(indkey::int2[]) WITH ORDINALITY AS k (num, place)
        JOIN pg_attribute ON attrelid = $1 AND attnum = num) AS columns
       FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE indrelid = $1`,
      [oid],
    );
    const constraints = await connections.all<{ type: string; column: string; target: string | null }>(
      `SELECT contype AS type, (SELECT attname FROM pg_attribute WHERE attrelid = conrelid AND attnum = conkey[1]) AS column,
       (SELECT relname FROM pg_class WHERE oid = confrelid) AS target FROM pg_constraint WHERE conrelid = $1 AND contype IN ('c', 'f')`,
      [oid],
    );
    const references = constraints.filter(({ type }) => type === 'f');
    shape[name] = {
      columns: columns.map((column) => `${column.name} ${column.type}${column.notnull ? '' : '?'}`).sort(),
      key: indexes.find(({ primary }) => primary)?.columns ?? [],
      indexes: Object.fromEntries(
        indexes
          .filter(({ primary }) => !primary)
          .map((index) => [
            index.name,
            `${index.unique ? 'unique ' : ''}${index.columns.join(',')} / ${presentIn(index.condition ?? '')}`,
          ]),
      ),
      references: references.map(({ column, target }) => `${column} → ${target}`).sort(),
      checks: constraints.length - references.length,
    };
  }
  return shape;
}

it('has the same tables, columns, keys, indexes, references and checks as the SQLite file', async () => {
  const place = await testPlace();
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-schemas-'));
  const file = join(folder, 'gateway.db');
  await SqliteStore.migrate(file);
  await PostgresStore.migrate(place);
  const connection = await openDatabase(file);
  const connections = new PostgresConnections(place);
  const [sqlite, postgres] = [await sqliteShape(connection), await postgresShape(connections, place.schema)];
  await connections.close();
  await connection.close();
  rmSync(folder, { recursive: true });
  expect(Object.keys(postgres).length).toBeGreaterThan(30);
  expect(postgres).toEqual(sqlite);
});

/** What takes a schema back to step 2. */
const AT_STEP_2 = [
  ...['requestLog', 'agentSessions', 'nodeEnds', 'paymentSlices', 'latePayments'].map(
    (table) => `DROP TABLE "${table}";`,
  ),
  'DROP INDEX "agentCommands_sale";',
  ...['userSessions', 'userInvitations', 'userRoles', 'users'].map((table) => `DROP TABLE "${table}";`),
  ...['sequence', 'entity'].map((index) => `DROP INDEX audit_${index};`),
  ...['endOf', 'entityId', 'sequence', 'link'].map((column) => `ALTER TABLE audit DROP COLUMN "${column}";`),
  'DELETE FROM migrations WHERE id >= 3;',
].join('');

it('is the same where an older database was brought up to date', async () => {
  const place = await testPlace();
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-schemas-'));
  const file = join(folder, 'gateway.db');
  await SqliteStore.migrate(file);
  await PostgresStore.migrate(place);
  const connection = await openDatabase(file);
  const connections = new PostgresConnections(place);
  const fresh = [await sqliteShape(connection), await postgresShape(connections, place.schema)];
  await connection.exec(AT_STEP_2);
  await execute(place, AT_STEP_2);
  expect((await SqliteStore.migrate(file)).map(({ id }) => id)).toEqual([3, 4, 5]);
  expect((await PostgresStore.migrate(place)).map(({ id }) => id)).toEqual([3, 4, 5]);
  const updated = [await sqliteShape(connection), await postgresShape(connections, place.schema)];
  await connections.close();
  await connection.close();
  rmSync(folder, { recursive: true });
  expect(updated).toEqual(fresh);
});
