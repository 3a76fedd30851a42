import type { TableName } from './tables.js';

/**
 * Tables that nearly every request reads and hardly anything changes. Rows of money are never cached.
 */
const CACHED: ReadonlySet<TableName> = new Set([
  'tokens',
  'entities',
  'routing',
  'storePolicies',
  'threeDSecureSettings',
  'appSchemes',
  'walletRoots',
  'riskRules',
  'acquirerRouting',
  'accountFailures',
  'restoreGaps',
]);

/** Of these, tables in which most have no row: that there is none is remembered too. */
const OFTEN_ABSENT: ReadonlySet<TableName> = new Set([
  'routing',
  'storePolicies',
  'threeDSecureSettings',
  'appSchemes',
  'riskRules',
  'acquirerRouting',
  'accountFailures',
  'restoreGaps',
]);

/** Whether rows of a table are remembered for a short time. */
export function isCachedTable(table: TableName): boolean {
  return CACHED.has(table);
}

/** Whether it is remembered as well that there is no row. */
export function isOftenAbsent(table: TableName): boolean {
  return OFTEN_ABSENT.has(table);
}
