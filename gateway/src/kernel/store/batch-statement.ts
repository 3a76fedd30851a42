import {
  type BatchPart,
  batchInsertSql,
  batchViewSql,
  itemsOf,
} from '@tillbridge/platform/sqlite/batch-view.js';
import { columnNames } from '@tillbridge/platform/sqlite/table-sql.js';
import type { TableName } from './rows.js';
import type { AppendDelivery, Change, Key, Scalar } from './store.js';
import { indexColumns, PRIMARY, shapeOf } from './tables.js';
import { asRow } from './working-set.js';

/**
 * Whole batches of commits as one SQL statement: one that is judged row by row needs about ten. The view has a column for each kind of change.
 * The statement carries out every commit of the batch, or, where one of them might conflict, nothing.
 */

/** Tables that agents, payments, their cards and links, the deliveries of their events and settlement write. Commits that touch others are rare and go the long way. */
const BATCHED_TABLES = [
  'agents',
  'journalHeads',
  'offlineWindows',
  'tombstones',
  'idempotency',
  'vault',
  'intents',
  'payments',
  'events',
  'inbox',
  'claims',
  'usedKsns',
  'usedAtcs',
  'recentUses',
  'linkExchanges',
  'deliveries',
  'settlements',
  'settlementRecords',
] as const satisfies readonly TableName[];

/** Columns, read for each row. */
const COLUMNS: ReadonlyMap<TableName, readonly string[]> = new Map(
  BATCHED_TABLES.map((table) => [table, columnNames(shapeOf(table))]),
);

/** Rows that a commit may demand to be absent. */
const ABSENT = [
  ['tombstones', PRIMARY],
  ['inbox', PRIMARY],
  ['intents', 'message'],
  ['payments', 'message'],
] as const satisfies readonly (readonly [TableName, string])[];

/** Columns that a commit may demand to have a value. */
const FIELDS = [
  ['agents', 'epoch'],
  ['devices', 'state'],
  ['nodes', 'id'],
] as const satisfies readonly (readonly [TableName, string])[];

/** Counters that only grow. */
const COUNTERS = ['highestCounter', 'forgottenCounter', 'unknownCounter'] as const;

/** Name of the part that appends deliveries. */
const APPEND = 'append_delivery';

const CONFLICT = "SELECT RAISE(ABORT, 'conflict') WHERE";

const GUARDS: readonly BatchPart[] = [
  ...ABSENT.map(([table, index]) => ({
    name: `absent_${table}_${index}`,
    statements: [
      `${CONFLICT} EXISTS (SELECT 1 FROM ${items(`absent_${table}_${index}`)} CROSS JOIN ${table} AS t ` +
        `WHERE ${matches(indexColumns(table, index))})`,
    ],
  })),
  ...FIELDS.map(([table, column]) => {
    const { key } = shapeOf(table);
    return {
      name: `field_${table}_${column}`,
      statements: [
        `${CONFLICT} EXISTS (SELECT 1 FROM ${items(`field_${table}_${column}`)} LEFT JOIN ${table} AS t ` +
          `ON ${matches(key)} WHERE t.${column} IS NOT item ->> ${key.length})`,
      ],
    };
  }),
];

// A deleted row first: another one may take its place in a unique index.
const WRITES: readonly BatchPart[] = [
  ...BATCHED_TABLES.map(deletePart),
  ...BATCHED_TABLES.map(updatePart),
  ...BATCHED_TABLES.map(insertPart),
  {
    name: 'advance',
    statements: [
      `INSERT INTO streams (agentId, terminalId, nextSequence, version) SELECT item ->> 0, item ->> 1, item ->> 2, 1 ` +
        `FROM ${items('advance')} WHERE true ON CONFLICT (agentId, terminalId) DO UPDATE SET ` +
        'nextSequence = excluded.nextSequence, version = version + 1 WHERE nextSequence < excluded.nextSequence',
    ],
  },
  appendPart(),
  {
    name: 'clear_alert',
    statements: [
      // Of two that clear one alert the first counts.
      "UPDATE alerts SET state = 'cleared', endedAtMs = atMs, version = version + 1 FROM (SELECT value ->> 0 AS named, " +
        'value ->> 1 AS atMs, min(key) FROM json_each(NEW.clear_alert) GROUP BY named) WHERE id = named AND endedAtMs IS NULL',
    ],
  },
  ...COUNTERS.map((column) => ({
    name: `raise_${column}`,
    statements: [
      `UPDATE devices SET ${column} = highest, version = version + 1 FROM (SELECT item ->> 0 AS named, ` +
        `max(item ->> 1) AS highest FROM ${items(`raise_${column}`)} GROUP BY named) ` +
        `WHERE serial = named AND ${column} < highest`,
    ],
  })),
];

const PARTS = [...GUARDS, ...WRITES];
const PLACES: ReadonlyMap<string, number> = new Map(PARTS.map(({ name }, at) => [name, at]));

/** A statement that carries out a batch. */
export interface BatchStatement {
  /** Name of the view that it needs; the same for every batch with the same kinds of changes. */
  readonly view: string;
  /** Makes the view and its trigger, for one connection alone. */
  readonly schema: () => string;
  /** Fails with a constraint where a commit might conflict. */
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * The statement for the changes of a batch. Each kind of change has a part in it: without the others, because SQLite opens every index of each
 * table that a statement names.
 * @returns undefined where one of the changes is of a kind that no part is for
 */
export function batchStatement(changes: readonly Change[]): BatchStatement | undefined {
  const items: unknown[][] = [];
  for (const change of changes) {
    const item = itemOf(change);
    const place = item && PLACES.get(item.name);
    if (place === undefined) return undefined;
    const known = items[place];
    if (known) known.push(item?.values);
    else items[place] = [item?.values];
  }
  // Places without items are skipped.
  const places = Object.keys(items).map(Number);
  const name = `batch_${places.join('_')}`;
  const parts = places.flatMap((place) => PARTS[place] ?? []);
  return {
    view: name,
    schema: () => schemaOf(name, parts),
    sql: batchInsertSql({ name, parts }),
    values: places.map((place) => JSON.stringify(items[place])),
  };
}

/** What is demanded must hold before the writes and after them: then the order of the commits makes no difference. */
function schemaOf(name: string, parts: readonly BatchPart[]): string {
  const guards = parts.filter((part) => GUARDS.includes(part));
  return batchViewSql({ name, isTemporary: true, parts, last: guards.flatMap((part) => part.statements) });
}

function itemOf(change: Change): { readonly name: string; readonly values: Key } | undefined {
  switch (change.op) {
    case 'insert':
    case 'update': {
      const row = asRow(change.row);
      const columns = COLUMNS.get(change.table);
      if (!columns || (change.op === 'insert' && row.version !== 1)) return undefined;
      return { name: `${change.op}_${change.table}`, values: columns.map((column) => row[column] ?? null) };
    }
    case 'delete':
      return { name: `delete_${change.table}`, values: [...change.key, change.version] };
    case 'require-absent':
      return { name: `absent_${change.table}_${change.index}`, values: change.values };
    case 'require-field':
      return { name: `field_${change.table}_${change.column}`, values: [...change.key, change.equals] };
    case 'advance-stream':
      return { name: 'advance', values: [change.agentId, change.terminalId, change.nextSequence] };
    case 'raise-counter':
      return { name: `raise_${change.column}`, values: [change.serial, change.to] };
    case 'append-delivery':
      return { name: APPEND, values: deliveryColumns((column) => valueIn(change.row, column)) };
    case 'clear-alert':
      return { name: 'clear_alert', values: [change.id, change.atMs] };
    case 'raise-alert':
    case 'claim-agreement':
      return undefined;
  }
}

/** Values of a delivery's columns; its number is found by the statement. */
function deliveryColumns<T>(read: (column: string) => T): T[] {
  return columnNames(shapeOf('deliveries'))
    .filter((column) => column !== 'sequence')
    .map(read);
}

function valueIn(row: AppendDelivery['row'], column: string): Scalar {
  return (row as Readonly<Record<string, Scalar>>)[column] ?? null;
}

/** Appends deliveries in the order of the batch, each under the next number of its endpoint; none to an endpoint that is gone. */
function appendPart(): BatchPart {
  const columns = deliveryColumns((column) => column);
  const endpoint = `item ->> ${columns.indexOf('endpointId')}`;
  const numbered = `SELECT value AS item, row_number() OVER (PARTITION BY value ->> ${columns.indexOf('endpointId')} ORDER BY key) AS place`;
  const insert =
    `INSERT INTO deliveries (${columns.join(', ')}, sequence) ` +
    `SELECT ${columns.map((_, at) => `item ->> ${at}`).join(', ')}, lastSequence + place ` +
    `FROM (${numbered} FROM json_each(NEW.${APPEND})) CROSS JOIN deliveryCounters AS t ON t.endpointId = ${endpoint}`;
  const count =
    'UPDATE deliveryCounters SET lastSequence = lastSequence + added, version = deliveryCounters.version + added ' +
    `FROM (SELECT ${endpoint} AS named, count(*) AS added FROM ${items(APPEND)} GROUP BY named) WHERE endpointId = named`;
  return { name: APPEND, statements: [insert, count] };
}

function insertPart(table: TableName): BatchPart {
  const columns = columnNames(shapeOf(table));
  const values = columns.map((_, at) => `item ->> ${at}`);
  const name = `insert_${table}`;
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${items(name)}`;
  return { name, statements: [insert] };
}

function updatePart(table: TableName): BatchPart {
  const { key } = shapeOf(table);
  const columns = columnNames(shapeOf(table));
  const sets = columns.flatMap((column, at) => {
    if (column === 'version') return [`version = version + 1`];
    return key.includes(column) ? [] : [`${column} = item ->> ${at}`];
  });
  const same = [...key, 'version'].map(
    (column) => `${table}.${column} = item ->> ${columns.indexOf(column)}`,
  );
  const name = `update_${table}`;
  const update = `UPDATE ${table} SET ${sets.join(', ')} FROM ${items(name)} WHERE ${same.join(' AND ')}`;
  return { name, statements: [update, allOf(name)] };
}

function deletePart(table: TableName): BatchPart {
  const columns = [...shapeOf(table).key, 'version'];
  const values = columns.map((_, at) => `item ->> ${at}`);
  const name = `delete_${table}`;
  const gone = `DELETE FROM ${table} WHERE (${columns.join(', ')}) IN (SELECT ${values.join(', ')} FROM ${items(name)})`;
  return { name, statements: [gone, allOf(name)] };
}

/** Fails unless the statement before has changed as many rows as it was given. */
function allOf(name: string): string {
  return `${CONFLICT} changes() <> json_array_length(NEW.${name})`;
}

function items(name: string): string {
  return itemsOf(`NEW.${name}`);
}

function matches(columns: readonly string[]): string {
  return columns.map((column, at) => `t.${column} = item ->> ${at}`).join(' AND ');
}
