import type { Table } from '@tillbridge/platform/sqlite/table.js';
import { ACQUIRER_LINKS_TABLES } from './tables/acquirer-links.js';
import { AGENT_COMMANDS_TABLES } from './tables/agent-commands.js';
import { AGENTS_TABLES } from './tables/agents.js';
import { CARTS_TABLES } from './tables/carts.js';
import { CHECKOUTS_TABLES } from './tables/checkouts.js';
import { DEVICES_TABLES } from './tables/devices.js';
import { EVENTS_TABLES } from './tables/events.js';
import { MERCHANTS_TABLES } from './tables/merchants.js';
import { NODES_TABLES } from './tables/nodes.js';
import { OUTBOX_TABLES } from './tables/outbox.js';
import { PAYMENT_LINKS_TABLES } from './tables/payment-links.js';
import { PAYMENT_SEARCH_TABLES } from './tables/payment-search.js';
import { PAYMENTS_TABLES } from './tables/payments.js';
import { REGISTRATIONS_TABLES } from './tables/registrations.js';
import { REQUEST_LOG_TABLES } from './tables/request-log.js';
import { RESTORES_TABLES } from './tables/restores.js';
import { RISK_TABLES } from './tables/risk.js';
import { SCHEDULES_TABLES } from './tables/schedules.js';
import { SETTLEMENT_TABLES } from './tables/settlement.js';
import { USERS_TABLES } from './tables/users.js';
import { VAULT_TABLES } from './tables/vault.js';
import { WALLETS_TABLES } from './tables/wallets.js';
import { WIDGET_TABLES } from './tables/widget.js';

/**
 * The tables, each declared once in the file of its topic: row types (rows.ts), SQL and both engines follow from it.
 * Times are milliseconds since 1970.
 */
export const TABLES = {
  ...MERCHANTS_TABLES,
  ...AGENTS_TABLES,
  ...AGENT_COMMANDS_TABLES,
  ...PAYMENTS_TABLES,
  ...CHECKOUTS_TABLES,
  ...CARTS_TABLES,
  ...REGISTRATIONS_TABLES,
  ...RISK_TABLES,
  ...WALLETS_TABLES,
  ...DEVICES_TABLES,
  ...EVENTS_TABLES,
  ...SETTLEMENT_TABLES,
  ...OUTBOX_TABLES,
  ...SCHEDULES_TABLES,
  ...VAULT_TABLES,
  ...NODES_TABLES,
  ...WIDGET_TABLES,
  ...PAYMENT_LINKS_TABLES,
  ...PAYMENT_SEARCH_TABLES,
  ...ACQUIRER_LINKS_TABLES,
  ...RESTORES_TABLES,
  ...USERS_TABLES,
  ...REQUEST_LOG_TABLES,
};

/** Name of a table. */
export type TableName = keyof typeof TABLES;

/** Name of the primary key where an index is named. */
export const PRIMARY = 'primary';

/** The table of a name, whatever its columns. */
export function shapeOf(name: TableName): Table {
  return TABLES[name];
}

/**
 * Columns of a named index.
 * @throws RangeError when the table has no such index: a caller's mistake
 */
export function indexColumns(table: TableName, index: string): readonly string[] {
  const { key, unique, indexes } = shapeOf(table);
  const columns = index === PRIMARY ? key : (unique[index] ?? indexes[index]);
  if (!columns) throw new RangeError(`table ${table} has no index ${index}`);
  return columns;
}

/**
 * The columns of an index before its last one, and the last one.
 * @param before how many columns a caller has values for
 * @throws RangeError when the table has no such index, or not as many columns: a caller's mistake
 */
export function rangeColumns(
  table: TableName,
  index: string,
  before: number,
): { readonly first: readonly string[]; readonly last: string } {
  const columns = indexColumns(table, index);
  const last = columns.at(-1);
  if (last === undefined || columns.length !== before + 1)
    throw new RangeError(`index ${index} of table ${table} has not ${before} columns before its last one`);
  return { first: columns.slice(0, -1), last };
}

/** Names of the unique indexes of a table, the primary key among them. */
export function uniqueIndexes(table: TableName): readonly string[] {
  return [PRIMARY, ...Object.keys(shapeOf(table).unique)];
}
