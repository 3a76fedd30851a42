import { type Change, type Store, StoreUnavailableError } from '@tillbridge/gateway/kernel/store/store.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import type { SimProcess } from '../kernel/sim-process.js';
import type { DiskImage } from './disk-image.js';
import { DiskError, type SimulatedDisk } from './simulated-disk.js';

/** What a store of a simulation stands on. */
interface DiskStoreDeps {
  readonly process: SimProcess;
  readonly diskImage: DiskImage<MemoryStore>;
  readonly simulatedDisk: SimulatedDisk;
  /** False: a mutation that forgets to sync. */
  readonly syncs: boolean;
  /** Called with every commit as it becomes durable. */
  readonly committed?: (changes: readonly Change[]) => void;
}

/** The gateway's store in memory, on a disk that takes its time, refuses, tears and forgets what was not synced. */
export function diskStore({ process, diskImage, simulatedDisk, syncs, committed }: DiskStoreDeps): Store {
  const land = async (changes: readonly Change[]): Promise<void> => {
    await diskImage.state.commit(changes);
    diskImage.written((store) => {
      store.commit(changes).catch(() => undefined);
    });
    if (syncs) diskImage.sync();
    committed?.(changes);
  };
  let closed = false;
  const open = (): MemoryStore => {
    if (closed) throw new StoreUnavailableError('closed', 'the store is closed');
    return diskImage.state;
  };
  return {
    async commit(changes) {
      open();
      const tables = changes.flatMap((change) => ('table' in change ? [change.table] : []));
      try {
        await simulatedDisk.write(process, `commit ${[...new Set(tables)].join('+')}`, () => land(changes));
      } catch (error) {
        if (error instanceof DiskError) throw new StoreUnavailableError('disk-full', error.message);
        throw error;
      }
    },
    get: async (table, key) => open().get(table, key),
    find: async (table, index, values, options) => open().find(table, index, values, options),
    findRange: async (table, index, range) => open().findRange(table, index, range),
    countRange: async (table, index, range) => open().countRange(table, index, range),
    findAfter: async (table, after, options) => open().findAfter(table, after, options),
    async check() {
      open();
      if (simulatedDisk.fault !== 'none')
        throw new StoreUnavailableError('disk-full', 'the simulated disk is full');
    },
    async close() {
      closed = true;
    },
  };
}
