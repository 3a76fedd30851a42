import { join } from 'node:path';
import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import type { CommitResult } from '@tillbridge/platform/metrics/commit-metrics.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import type { AgentConfig } from '../config/config.js';
import { HOME_FILES, readSecretFiles } from '../home/home-files.js';
import { BlobCipher } from '../journal/blob-cipher.js';
import { copiedJournal } from '../journal/copy/copied-journal.js';
import { CopyCipher } from '../journal/copy/copy-cipher.js';
import { readCopyKey } from '../journal/copy/copy-key.js';
import { copyView } from '../journal/copy/copy-view.js';
import { JournalCopier } from '../journal/copy/journal-copier.js';
import { refusePending } from '../journal/copy/take-place.js';
import { crashOption } from '../journal/crash-point.js';
import {
  COUNTERSIGNED_ROW,
  type Journal,
  JournalUnavailable,
  noSaleRow,
  OPENED_ROW,
  RESTORED_ROW,
} from '../journal/journal.js';
import { JournalKeeper } from '../journal/journal-keeper.js';
import { JournalWatch, type SaleHold } from '../journal/journal-watch.js';
import { loadOrCreateKey } from '../journal/key-file.js';
import { SqliteJournal } from '../journal/sqlite-journal.js';
import { standingRow } from '../journal/standing.js';
import type { AgentLog } from '../log/log.js';
import { openCopy } from '../replica/open-replica.js';
import { compactSale } from '../sale/records/compacted-sale.js';
import { CONTACT_ROW } from '../sale/records/contact-row.js';
import { DAY_CLOSE_KINDS } from '../sale/totals/day-close.js';
import type { JournalDetail } from '../till/status-routes.js';
import { FIRST_GENERATION, readGeneration, writeGeneration } from '../uplink/generation.js';
import type { AgentIdentity } from '../uplink/identity.js';

/** The journal of a running agent, with all that looks after it. */
export interface AgentJournal {
  readonly journal: Journal;
  readonly generation: number;
  readonly watch: JournalWatch;
  /** What keeps new sales away: the journal's standing, and a required copy that is behind. */
  saleHold(): SaleHold;
  /** The journal as a person sees it, in addition to its state. */
  detail(): JournalDetail;
  /** Notes a time received from the gateway. */
  noteGatewayTime(gatewayMs: number): void;
  close(): Promise<void>;
}

/**
 * Opens the journal of a home and its copy, and finds out what became of it since the last start.
 * @throws KeyFileError, CopyKeyError, IdentityError, InterruptedRestore
 */
export async function openAgentJournal(
  config: AgentConfig,
  identity: AgentIdentity,
  log: AgentLog,
  onCommit?: (commit: CommitResult) => void,
): Promise<AgentJournal> {
  refusePending(join(config.home, HOME_FILES.journal));
  const key = loadOrCreateKey(join(config.home, HOME_FILES.blobKey), systemRandom);
  const file = await SqliteJournal.open({
    path: join(config.home, HOME_FILES.journal),
    cipher: new BlobCipher(key, systemRandom),
    clock: systemClock,
    ...crashOption(process.env),
    ...(onCommit && { onCommit }),
  });
  try {
    const generation = await begin(file, config.home);
    return await lookAfter(file, generation, config, identity, log);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The journal's generation; a journal without rows is new in a new home, and lost in one that had a journal. */
async function begin(journal: Journal, home: string): Promise<number> {
  const known = readGeneration(home);
  if (journal.state.kind !== 'ready') return known ?? FIRST_GENERATION;
  const restored = (await journal.lastOfKind(RESTORED_ROW))?.data.generation;
  const generation = Math.max(known ?? FIRST_GENERATION, typeof restored === 'number' ? restored : 0);
  if (journal.head.row === 0) {
    const opened = noSaleRow(OPENED_ROW, { generation });
    const lost = standingRow({ kind: 'lost', detail: 'the home had a journal before' });
    const rows = known === undefined ? [opened] : [opened, lost];
    try {
      await journal.append({ atMs: systemClock.nowMs(), rows });
    } catch (error) {
      // Without a disk there is no sale either; what the home lost is found by the next start.
      if (!(error instanceof JournalUnavailable)) throw error;
      return generation;
    }
  }
  // Behind the row: a crash in between leaves a journal without the file, which is no loss.
  if (known !== generation) writeGeneration(home, generation);
  return generation;
}

async function lookAfter(
  file: SqliteJournal,
  generation: number,
  config: AgentConfig,
  identity: AgentIdentity,
  log: AgentLog,
): Promise<AgentJournal> {
  // The copier reports to the watch a copy that is another's; the watch writes through the copied journal.
  let fenced: (reason: string) => void = () => undefined;
  const copier = openCopier(file, generation, config, identity, log, (reason) => fenced(reason));
  const journal = copier ? copiedJournal(file, copier) : file;
  const watch = new JournalWatch({
    journal,
    clock: systemClock,
    onStanding: ({ kind, detail }) => {
      if (kind === 'good')
        log.info({ ...securityEvent('journal-standing'), standing: kind }, 'journal in good standing');
      else
        log.error(
          { ...securityEvent('journal-standing'), standing: kind, detail },
          'journal not in good standing',
        );
      // The copy belongs to the journal that was restored from it.
      if (kind === 'fenced') void copier?.close();
    },
    onFault: faultLog(log),
  });
  fenced = (reason) => watch.fenced(reason);
  await watch.start();
  journal.onState(({ kind }) => {
    if (kind === 'ready') void watch.start();
  });
  let gatewayTimeMs: number | undefined;
  const keeper = createKeeper(journal, config, watch, () => gatewayTimeMs, log);
  keeper.start();
  const copied = () => copier && copyView(copier, systemClock.nowMs());
  return {
    journal,
    generation,
    watch,
    saleHold: () => {
      const hold = watch.saleHold;
      return hold.hold === 'all' ? hold : (copied()?.hold ?? hold);
    },
    detail: () => detailOf(generation, watch, keeper, copied()?.view),
    noteGatewayTime: (gatewayMs) => {
      gatewayTimeMs = gatewayMs;
    },
    close: async () => {
      await keeper.close();
      await watch.idle();
      await journal.close();
    },
  };
}

function faultLog(log: AgentLog) {
  return (error: unknown): void => log.error({ err: error }, 'fault of the journal');
}

function createKeeper(
  journal: Journal,
  { journal: { retentionDays } }: AgentConfig,
  watch: JournalWatch,
  gatewayNowMs: () => number | undefined,
  log: AgentLog,
): JournalKeeper {
  return new JournalKeeper({
    journal,
    clock: systemClock,
    retentionDays,
    gatewayNowMs,
    confirmedRow: () => watch.confirmed?.row ?? 0,
    contactMs: ({ kind, data }) =>
      kind === CONTACT_ROW && typeof data.timeMs === 'number' ? data.timeMs : undefined,
    carry: [CONTACT_ROW, OPENED_ROW, COUNTERSIGNED_ROW, ...DAY_CLOSE_KINDS],
    summarize: compactSale,
    onCompacted: (about) => log.info(about, 'journal compacted'),
    onFault: faultLog(log),
  });
}

function detailOf(
  generation: number,
  { standing, confirmed, saleHold }: JournalWatch,
  { heldBy }: JournalKeeper,
  copy: JournalDetail['copy'],
): JournalDetail {
  return {
    generation,
    standing: standing.kind,
    ...(standing.detail && { standingDetail: standing.detail }),
    ...(saleHold.text && { advice: saleHold.text }),
    ...(confirmed && { gatewayRow: confirmed.row }),
    ...(heldBy !== undefined && { compactionHeldBy: heldBy }),
    ...(copy && { copy }),
  };
}

function openCopier(
  journal: Journal,
  generation: number,
  { home, journal: { copy } }: AgentConfig,
  { agentId }: AgentIdentity,
  log: AgentLog,
  taken: (reason: string) => void,
): JournalCopier | undefined {
  if (!copy) return undefined;
  const { place, mode, keyFile } = copy;
  const where = place.kind === 'folder' ? place.path : place.url;
  return new JournalCopier({
    journal,
    mode,
    cipher: new CopyCipher(readCopyKey(keyFile), systemRandom),
    home: { agentId, generation, files: readSecretFiles(home) },
    open: () => openCopy(place, agentId),
    clock: systemClock,
    onState: (state) => {
      const about = { where, mode, ...state };
      if (state.kind === 'failed' || state.kind === 'taken') log.error(about, 'copy of the journal');
      else log.debug(about, 'copy of the journal');
      if (state.kind === 'taken') taken(`generation ${state.generation} writes the copy at ${where}`);
    },
  });
}
