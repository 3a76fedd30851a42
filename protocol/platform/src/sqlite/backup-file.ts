import { closeSync, fsyncSync, openSync } from 'node:fs';
import { SqliteConnection } from './connection.js';

/**
 * Copies a SQLite file that may be in use as it is at one moment; nothing waits for it meanwhile. On return the copy is on the disk.
 * @param to a new file
 * @throws DatabaseError
 */
export async function backupFile(from: string, to: string): Promise<void> {
  const connection = await SqliteConnection.open(from, { access: 'read-only' });
  try {
    await connection.run('VACUUM INTO ?', to);
  } finally {
    await connection.close();
  }
  const copy = openSync(to, 'r');
  fsyncSync(copy);
  closeSync(copy);
}
