import { type JournalRow, JournalUnavailable, type JournalWrite } from '@tillbridge/agent/journal/journal.js';
import {
  type MemoryDisk,
  MemoryJournal,
} from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import type { SimProcess } from '../kernel/sim-process.js';
import type { DiskImage } from './disk-image.js';
import { DiskError, type SimulatedDisk } from './simulated-disk.js';

/** `never-syncs`: leaves rows to the operating system. `writes-behind`: says that they are written before they are. */
export type JournalDiskBug = 'never-syncs' | 'writes-behind';

/** What a journal of a simulation stands on. */
export interface DiskJournalParts {
  readonly process: SimProcess;
  readonly diskImage: DiskImage<MemoryDisk>;
  readonly simulatedDisk: SimulatedDisk;
  readonly bug?: JournalDiskBug | undefined;
  /** Called with all rows that the disk takes, acknowledged or not. */
  readonly landed: (rows: readonly JournalRow[]) => void;
}

/** The agent's journal in memory, on a disk that takes its time, refuses, tears and forgets what was not synced. */
export class DiskJournal extends MemoryJournal {
  readonly #parts: DiskJournalParts;

  constructor(parts: DiskJournalParts) {
    super(parts.diskImage.state);
    this.#parts = parts;
    const { fault } = parts.simulatedDisk;
    if (fault !== 'none') this.fail(fault);
  }

  override async append(write: JournalWrite): Promise<readonly JournalRow[]> {
    if (this.state.kind === 'unavailable') throw new JournalUnavailable(this.state.reason, this.state.detail);
    const { process, simulatedDisk } = this.#parts;
    const owned = withOwnBytes(write);
    if (this.#parts.bug === 'writes-behind') return this.#writeBehind(owned);
    try {
      return await simulatedDisk.write(
        process,
        `journal ${write.rows.map(({ kind }) => kind).join('+')}`,
        () => this.#land(owned),
      );
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.fail(error.fault);
      throw new JournalUnavailable(error.fault, error.message);
    }
  }

  async #writeBehind(write: JournalWrite): Promise<readonly JournalRow[]> {
    const { process, simulatedDisk, diskImage } = this.#parts;
    const rows = await this.#land(write);
    simulatedDisk.write(process, 'journal, behind', () => diskImage.sync()).catch(() => undefined);
    return rows;
  }

  async #land(write: JournalWrite): Promise<readonly JournalRow[]> {
    const { diskImage, bug } = this.#parts;
    const rows = await super.append(write);
    diskImage.written((disk) => {
      new MemoryJournal(disk).append(write).catch(() => undefined);
    });
    if (bug === undefined) diskImage.sync();
    this.#parts.landed(rows);
    return rows;
  }
}

/** The writer wipes its blobs when the write is done: the disk needs bytes of its own. */
function withOwnBytes(write: JournalWrite): JournalWrite {
  if (!write.blobs?.length) return write;
  const blobs = write.blobs.map(({ messageId, bytes }) => ({ messageId, bytes: Uint8Array.from(bytes) }));
  return { ...write, blobs };
}
