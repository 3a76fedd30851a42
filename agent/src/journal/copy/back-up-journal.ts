import { rmSync } from 'node:fs';
import { backupFile } from '@tillbridge/platform/sqlite/backup-file.js';

/** Copies a journal file, of a running agent too; the copy is on the disk on return. @throws DatabaseError */
export async function backUpJournal(from: string, to: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) rmSync(`${to}${end}`, { force: true });
  await backupFile(from, to);
}
