import type { Schema } from '@tillbridge/platform/sqlite/migrate.js';

/** All migrations of the journal, in their order, from 2 on. */
export const JOURNAL_MIGRATIONS: Schema['migrations'] = [];

/** The step of the schema that this build writes; 1 is the first one. */
export const JOURNAL_SCHEMA = JOURNAL_MIGRATIONS.at(-1)?.id ?? 1;
