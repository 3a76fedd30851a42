import type { AppliedStep, SchemaStep } from '@tillbridge/platform/sqlite/migrate.js';
import { REQUEST_LOG_STEP } from './steps/request-log.js';
import { SESSIONS_AND_SLICES_STEP } from './steps/sessions-and-slices.js';
import { USERS_STEP } from './steps/users.js';

export type { AppliedStep };

/** A change of the store's schema: numbered from 2, applied once and never back, the same in the SQL of each engine. */
interface StoreMigration extends SchemaStep {
  readonly sqlite: string;
  readonly postgres: string;
  /** SQLite: it puts a new table in the place of one that others refer to. */
  readonly rebuilds?: true;
}

/** All migrations of the store, in their order. A change of the tables (tables.ts) after a release needs one: see test/docs/releases.md. */
export const STORE_MIGRATIONS: readonly StoreMigration[] = [
  {
    id: 2,
    name: 'events are read by id and expiry alone',
    readableFrom: 1,
    sqlite: 'DROP INDEX IF EXISTS events_entity; DROP INDEX IF EXISTS events_payment;',
    postgres: 'DROP INDEX IF EXISTS "events_entity"; DROP INDEX IF EXISTS "events_payment";',
  },
  SESSIONS_AND_SLICES_STEP,
  USERS_STEP,
  REQUEST_LOG_STEP,
];
