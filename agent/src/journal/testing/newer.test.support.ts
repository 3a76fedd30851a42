import { join } from 'node:path';
import { migrate } from '@tillbridge/platform/sqlite/migrate.js';
import { openDatabase } from '../open-database.js';
import { JOURNAL_SCHEMA } from '../sqlite-schema.js';

/** Brings the journal of a home to where a build with one more migration leaves it: number 1000, readable from a lower one, or from that. */
export async function migrateJournal(home: string, readableFrom: number): Promise<void> {
  const database = await openDatabase(join(home, 'journal.db'));
  const sql = 'ALTER TABLE rows ADD COLUMN later TEXT; CREATE TABLE laterRows (id TEXT PRIMARY KEY);';
  const migrations = [{ id: 1000, name: 'later', readableFrom, sql }];
  try {
    await migrate(database, { ...JOURNAL_SCHEMA, migrations });
  } finally {
    await database.close();
  }
}
