import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { syncPath } from '@tillbridge/platform/write-file.js';
import { HOME_FILES } from '../../home/home-files.js';
import { backUpJournal } from '../../journal/copy/back-up-journal.js';
import { JournalFile } from '../../journal/verify-file.js';
import { UpdateError } from './update-error.js';

/** Name of the copy that is taken before the program changes. */
export const COPY_FILE = 'journal.db';

/** The folder of copies in a home, made where it is missing. */
export function copyFolderOf(home: string): string {
  const folder = join(home, 'before-update');
  makeFolder(folder);
  return folder;
}

/**
 * Verifies the journal of a home whose agent has ended, then copies it into the folder of copies and verifies that. The copy before is replaced.
 * @throws UpdateError where it is damaged
 */
export async function copyBeforeUpdate(home: string): Promise<void> {
  const journal = join(home, HOME_FILES.journal);
  if (!existsSync(journal)) return;
  await demandSound(journal, 'the journal');
  const folder = copyFolderOf(home);
  const copy = join(folder, COPY_FILE);
  await backUpJournal(journal, copy);
  await demandSound(copy, 'the copy of the journal');
  syncPath(folder);
}

async function demandSound(path: string, what: string): Promise<void> {
  const file = await JournalFile.open(path);
  try {
    const { chain, file: pages } = await file.verify(() => undefined);
    if (!chain.ok) throw new UpdateError(`${what} is damaged at row ${chain.badRow}: ${chain.problem}`);
    if (pages !== 'ok') throw new UpdateError(`${what} is damaged: ${pages}`);
  } finally {
    await file.close();
  }
}
