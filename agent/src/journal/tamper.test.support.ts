import { join } from 'node:path';
import sqlite3 from 'sqlite3';

/** Runs SQL on the journal of a home from outside, as someone with an editor could. */
export function tamper(home: string, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(join(home, 'journal.db'));
    database.exec(sql, (error) => database.close(() => (error ? reject(error) : resolve())));
  });
}
