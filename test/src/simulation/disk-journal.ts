import { type JournalRow, JournalUnavailable, type JournalWrite } from '@tillbridge/agent/journal/journal.js';
import { type MemoryDisk, MemoryJournal } from '@tillbridge/agent/journal/testing/memory-journal.js';
import type { Platter } from './platter.js';
import type { SimProcess } from './sim-process.js';
import { DiskRefusal, type Spindle } from './spindle.js';

/** `never-syncs`: leaves rows to the operating system. `writes-behind`: says that they are written before they are. */
export type JournalDiskBug = 'never-syncs' | 'writes-behind';

/** What a journal of a world stands on. */
export interface DiskJournalParts {
  readonly process: SimProcess;
  readonly platter: Platter<MemoryDisk>;
  readonly spindle: Spindle;
  readonly bug?: JournalDiskBug | undefined;
  /** Told of all rows as the disk takes them, whoever hears of it. */
  readonly landed: (rows: readonly JournalRow[]) => void;
}

/** The agent's journal in memory, on a disk that takes its time, refuses, tears and forgets what was not synced. */
export class DiskJournal extends MemoryJournal {
  readonly #parts: DiskJournalParts;

  constructor(parts: DiskJournalParts) {
    super(parts.platter.state);
    this.#parts = parts;
    const { fault } = parts.spindle;
    if (fault !== 'none') this.fail(fault);
  }

  override async append(write: JournalWrite): Promise<readonly JournalRow[]> {
    if (this.state.kind === 'unavailable') throw new JournalUnavailable(this.state.reason, this.state.detail);
    const { process, spindle } = this.#parts;
    const owned = withOwnBytes(write);
    if (this.#parts.bug === 'writes-behind') return this.#writeBehind(owned);
    try {
      return await spindle.write(process, `journal ${write.rows.map(({ kind }) => kind).join('+')}`, () =>
        this.#land(owned),
      );
    } catch (error) {
      if (!(error instanceof DiskRefusal)) throw error;
      this.fail(error.fault);
      throw new JournalUnavailable(error.fault, error.message);
    }
  }

  async #writeBehind(write: JournalWrite): Promise<readonly JournalRow[]> {
    const { process, spindle, platter } = this.#parts;
    const rows = await this.#land(write);
    spindle.write(process, 'journal, behind', () => platter.sync()).catch(() => undefined);
    return rows;
  }

  async #land(write: JournalWrite): Promise<readonly JournalRow[]> {
    const { platter, bug } = this.#parts;
    const rows = await super.append(write);
    platter.written((disk) => {
      new MemoryJournal(disk).append(write).catch(() => undefined);
    });
    if (bug === undefined) platter.sync();
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
