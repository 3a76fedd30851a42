import { type JournalRow, JournalUnavailable, type JournalWrite } from '@tillbridge/agent/journal/journal.js';
import { JournalWriter, type WriteResult } from '@tillbridge/agent/journal/journal-writer.js';
import {
  type MemoryDisk,
  MemoryJournal,
} from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import type { SimProcess } from '../kernel/sim-process.js';
import type { DiskImage } from './disk-image.js';
import { DiskError, type SimulatedDisk } from './simulated-disk.js';

/** `never-syncs`: leaves rows to the operating system. `answers-first`: answers a batch before its transaction is on the disk. */
export type JournalDiskBug = 'never-syncs' | 'answers-first';

/** What a journal of a simulation stands on. */
interface DiskJournalDeps {
  readonly process: SimProcess;
  readonly diskImage: DiskImage<MemoryDisk>;
  readonly simulatedDisk: SimulatedDisk;
  readonly bug?: JournalDiskBug | undefined;
  /** Called with every write as the agent has decided it. */
  readonly decided?: (write: JournalWrite) => void;
  /** Called with all rows that the disk takes, acknowledged or not. */
  readonly landed: (rows: readonly JournalRow[]) => void;
}

/**
 * The agent's journal in memory behind its real writer and group commit, on a disk that takes its time, refuses, tears and forgets
 * what was not synced. A transaction reaches the disk as a whole or not at all.
 */
export class DiskJournal extends MemoryJournal {
  readonly #deps: DiskJournalDeps;
  readonly #writer: JournalWriter;

  constructor(deps: DiskJournalDeps) {
    super(deps.diskImage.state);
    this.#deps = deps;
    this.#writer = new JournalWriter({
      clock: deps.process.clock,
      write: (batch) => this.#commit(batch),
      failed: async ({ reason }) => this.fail(reason),
    });
    const { fault } = deps.simulatedDisk;
    if (fault !== 'none') this.fail(fault);
  }

  override async append(write: JournalWrite): Promise<readonly JournalRow[]> {
    if (this.state.kind === 'unavailable') throw new JournalUnavailable(this.state.reason, this.state.detail);
    this.#deps.decided?.(write);
    return this.#writer.add(withOwnBytes(write));
  }

  override async close(): Promise<void> {
    await this.#writer.idle();
    await super.close();
  }

  async #commit(batch: readonly JournalWrite[]): Promise<readonly WriteResult[]> {
    const { process, simulatedDisk, diskImage, bug } = this.#deps;
    const kinds = batch.flatMap(({ rows }) => rows.map(({ kind }) => kind));
    const write = <T>(land: () => T | Promise<T>): Promise<T> =>
      simulatedDisk.write(process, `journal ${kinds.join('+')}`, land);
    try {
      if (bug !== 'answers-first') return await write(() => this.#land(batch));
      const results = await this.#land(batch);
      write(() => diskImage.sync()).catch(() => undefined);
      return results;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      throw new JournalUnavailable(error.fault, error.message);
    }
  }

  async #land(batch: readonly JournalWrite[]): Promise<readonly WriteResult[]> {
    const { diskImage, bug, landed } = this.#deps;
    // All of them begin before any ends: no reader sees a part of the transaction.
    const appended = await Promise.allSettled(batch.map((write) => super.append(write)));
    const results = appended.map((end, at): WriteResult => {
      if (end.status === 'rejected') return { error: end.reason as Error };
      diskImage.written((disk) => {
        new MemoryJournal(disk).append(batch[at] as JournalWrite).catch(() => undefined);
      });
      return { rows: end.value };
    });
    if (bug === undefined) diskImage.sync();
    landed(results.flatMap((result) => ('rows' in result ? result.rows : [])));
    return results;
  }
}

/** The writer wipes its blobs when the write is done: the disk needs a copy of the bytes. */
function withOwnBytes(write: JournalWrite): JournalWrite {
  if (!write.blobs?.length) return write;
  const blobs = write.blobs.map(({ messageId, bytes }) => ({ messageId, bytes: Uint8Array.from(bytes) }));
  return { ...write, blobs };
}
