import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.js';
import { HOME_FILES } from '../../home/home-files.js';
import { BlobCipher } from '../../journal/blob-cipher.js';
import { loadOrCreateKey } from '../../journal/key-file.js';
import { newHome, openFile, row, tidyUp, write } from '../../journal/testing/engines.test.support.js';
import { migrateJournal } from '../../journal/testing/newer.test.support.js';
import { tamper } from '../../journal/testing/tamper.test.support.js';
import { JournalFile } from '../../journal/verify-file.js';
import { copyBeforeUpdate, copyFolderOf } from '../base/journal-copy.js';
import { rehearse } from './rehearse.js';

afterEach(tidyUp);

const configOf = (home: string) => loadConfig(undefined, { AGENT_HOME: home });

/** A home whose journal has a sale. */
async function homeWithSale(): Promise<string> {
  const home = newHome();
  const cipher = new BlobCipher(loadOrCreateKey(join(home, HOME_FILES.blobKey), systemRandom), systemRandom);
  const journal = await openFile(home, { cipher });
  await journal.append(write(row('accepted', 'A'), row('cancelled', 'A')));
  await journal.close();
  return home;
}

describe('a rehearsal', () => {
  it('sells in a scratch home, opens a copy of the journal, and leaves nothing behind', async () => {
    const home = await homeWithSale();
    const before = readdirSync(home);
    await rehearse(configOf(home));
    const added = readdirSync(home).filter((name) => !before.includes(name));
    // SQLite makes its shared memory where it reads.
    expect(added.filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['before-update']);
    expect(readdirSync(copyFolderOf(home))).toEqual([]);
    const file = await JournalFile.open(join(home, HOME_FILES.journal));
    expect(await file.verify(() => undefined)).toMatchObject({ chain: { ok: true, rows: 2 } });
    await file.close();
  });

  it('works in a home that has no journal yet', () => rehearse(configOf(newHome())));

  it('fails where the journal is damaged', async () => {
    const home = await homeWithSale();
    await tamper(home, `DROP TRIGGER rows_never_change; UPDATE rows SET data = '{"x":1}' WHERE row = 1`);
    await expect(rehearse(configOf(home))).rejects.toThrow('damaged');
  });

  it('fails where the program cannot read what a newer one wrote', async () => {
    const home = await homeWithSale();
    await migrateJournal(home, 1000);
    await expect(rehearse(configOf(home))).rejects.toThrow('builds from step 1000 on can read');
  });
});

describe('the copy before an update', () => {
  it('is the journal as it was, verified, and replaces the one before', async () => {
    const home = await homeWithSale();
    await copyBeforeUpdate(home);
    await copyBeforeUpdate(home);
    expect(readdirSync(copyFolderOf(home))).toEqual(['journal.db']);
    const copy = await JournalFile.open(join(copyFolderOf(home), 'journal.db'));
    expect(await copy.verify(() => undefined)).toMatchObject({ chain: { ok: true, rows: 2 }, file: 'ok' });
    await copy.close();
  });

  it('is not made of a damaged journal', async () => {
    const home = await homeWithSale();
    await tamper(home, `DROP TRIGGER rows_never_change; UPDATE rows SET data = '{"x":1}' WHERE row = 1`);
    await expect(copyBeforeUpdate(home)).rejects.toThrow('the journal is damaged at row 1');
    expect(readdirSync(copyFolderOf(home))).toEqual([]);
  });
});
