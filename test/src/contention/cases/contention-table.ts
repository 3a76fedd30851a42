import type { Route } from '../../tenants/document.js';
import { ADMINISTRATION_CASES } from './administration.js';
import type { ContentionTable } from './contention-case.js';
import { DEVICE_CASES } from './devices.js';
import { PAYMENT_CASES } from './payments.js';
import { SCHEDULE_CASES } from './schedules.js';
import { STORED_CASES } from './stored.js';
import { USER_CASES } from './users.js';
import { WEBHOOK_CASES } from './webhooks.js';

/** Every route that writes. A new one is a line in one of these. */
export const CONTENTION_TABLE: ContentionTable = {
  ...PAYMENT_CASES,
  ...STORED_CASES,
  ...SCHEDULE_CASES,
  ...ADMINISTRATION_CASES,
  ...DEVICE_CASES,
  ...WEBHOOK_CASES,
  ...USER_CASES,
};

/** How the table and the routes that are served differ, in words. */
export function tableFaults(
  routes: readonly Pick<Route, 'name' | 'method'>[],
  table: ContentionTable = CONTENTION_TABLE,
): string[] {
  const writing = routes.filter(({ method }) => method !== 'GET').map(({ name }) => name);
  return [
    ...writing
      .filter((name) => !Object.hasOwn(table, name))
      .map((name) => `${name}: add its cases to a table of test/src/contention/cases`),
    ...Object.keys(table)
      .filter((name) => !writing.includes(name))
      .map((name) => `${name} is not served: take its cases out of test/src/contention/cases`),
  ];
}
