import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import type { AgentConfig } from '../../config/config.js';
import { HOME_FILES } from '../../home/home-files.js';
import { BlobCipher } from '../../journal/blob-cipher.js';
import { backUpJournal } from '../../journal/copy/back-up-journal.js';
import { loadOrCreateKey } from '../../journal/key-file.js';
import { SqliteJournal } from '../../journal/sqlite-journal.js';
import { DEFAULT_POLICY } from '../../sale/machine/state/policy.js';
import { SaleRunner } from '../../sale/runner.js';
import { copyFolderOf } from '../base/journal-copy.js';
import { UPDATE_LIMITS } from '../base/limits.js';
import { UpdateError } from '../base/update-error.js';
import { RehearsalGateway } from './rehearsal-gateway.js';
import { RehearsalTerminal } from './rehearsal-terminal.js';

const TERMINAL_ID = '1';
const REFERENCE = 'rehearsal';
const AMOUNT = { minor: 1, currency: 'EUR' } as const;

/**
 * Shows that this program can take a home over: it opens a copy of the journal, bringing its schema up to date, verifies it, and sells once on a
 * simulated terminal against a scratch home. No byte leaves the machine, no money moves, and the home stays as it is but for the folder of copies.
 * @throws UpdateError naming what does not work
 */
export async function rehearse(config: AgentConfig): Promise<void> {
  const scratch = mkdtempSync(join(copyFolderOf(config.home), 'rehearsal-'));
  try {
    const journal = join(config.home, HOME_FILES.journal);
    if (existsSync(journal)) await takeOver(config, journal, join(scratch, 'copy.db'));
    await sellOnce(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Opens a copy of the journal as the agent will open the journal. */
async function takeOver({ home }: AgentConfig, journal: string, copy: string): Promise<void> {
  await backUpJournal(journal, copy);
  const opened = await openJournal(copy, join(home, HOME_FILES.blobKey));
  try {
    const report = await opened.verify();
    if (!report.ok)
      throw new UpdateError(`the journal is damaged at row ${report.badRow}: ${report.problem}`);
  } finally {
    await opened.close();
  }
}

/** @throws UpdateError where this program cannot use the journal */
async function openJournal(path: string, keyFile: string): Promise<SqliteJournal> {
  const journal = await SqliteJournal.open({
    path,
    cipher: new BlobCipher(loadOrCreateKey(keyFile, systemRandom), systemRandom),
    clock: systemClock,
  });
  const { state } = journal;
  if (state.kind === 'ready') return journal;
  await journal.close();
  throw new UpdateError(`the program cannot use the journal: ${state.detail}`);
}

async function sellOnce(scratch: string): Promise<void> {
  const journal = await openJournal(join(scratch, HOME_FILES.journal), join(scratch, HOME_FILES.blobKey));
  const faults: unknown[] = [];
  const runner = new SaleRunner({
    journal,
    clock: systemClock,
    random: systemRandom,
    policy: DEFAULT_POLICY,
    terminals: [
      {
        profile: { id: TERMINAL_ID, deviceType: 'REHEARSAL', deviceId: '0', pinEntryAvailable: false },
        driver: new RehearsalTerminal(),
      },
    ],
    onFault: (error) => faults.push(error),
  });
  try {
    await runner.start(new RehearsalGateway());
    const call = runner.service.request({ reference: REFERENCE, amount: AMOUNT, type: 'sale' });
    const { state, outcome } = await inTime(call);
    if (state !== 'done' || outcome !== 'approved')
      throw new UpdateError(`a simulated sale ended as ${outcome ?? state}, not as approved`);
    const [fault] = faults;
    if (fault !== undefined) throw new UpdateError(`a simulated sale came with a fault: ${String(fault)}`);
    const report = await journal.verify();
    if (!report.ok) throw new UpdateError(`a simulated sale left a damaged journal: ${report.problem}`);
  } finally {
    await runner.close();
    await journal.close();
  }
}

async function inTime<T>(call: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const { saleMs } = UPDATE_LIMITS;
  const timeout = new Promise<never>((_, reject) => {
    late = setTimeout(
      () => reject(new UpdateError(`a simulated sale took longer than ${saleMs} ms`)),
      saleMs,
    );
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(late);
  }
}
