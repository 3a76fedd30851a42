import { join } from 'node:path';
import { openDatabase } from '../open-database.js';

/** Runs SQL on the journal of a home from outside, as someone with an editor could. */
export async function tamper(home: string, sql: string): Promise<void> {
  const database = await openDatabase(join(home, 'journal.db'));
  try {
    await database.exec(sql);
  } finally {
    await database.close();
  }
}
