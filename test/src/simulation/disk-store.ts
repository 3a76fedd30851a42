import { type Change, type Store, StoreUnavailableError } from '@tillbridge/gateway/store/store.js';
import type { MemoryStore } from '@tillbridge/gateway/store/testing/memory-store.js';
import type { Platter } from './platter.js';
import type { SimProcess } from './sim-process.js';
import { DiskRefusal, type Spindle } from './spindle.js';

/** What a store of a world stands on. */
export interface DiskStoreParts {
  readonly process: SimProcess;
  readonly platter: Platter<MemoryStore>;
  readonly spindle: Spindle;
  /** False: a mutant that forgets to sync. */
  readonly syncs: boolean;
  /** Told of every commit as it becomes durable. */
  readonly committed?: (changes: readonly Change[]) => void;
}

/** The gateway's store in memory, on a disk that takes its time, refuses, tears and forgets what was not synced. */
export function diskStore({ process, platter, spindle, syncs, committed }: DiskStoreParts): Store {
  const land = async (changes: readonly Change[]): Promise<void> => {
    await platter.state.commit(changes);
    platter.written((store) => {
      store.commit(changes).catch(() => undefined);
    });
    if (syncs) platter.sync();
    committed?.(changes);
  };
  let closed = false;
  const open = (): MemoryStore => {
    if (closed) throw new StoreUnavailableError('closed', 'the store is closed');
    return platter.state;
  };
  return {
    async commit(changes) {
      open();
      const tables = changes.flatMap((change) => ('table' in change ? [change.table] : []));
      try {
        await spindle.write(process, `commit ${[...new Set(tables)].join('+')}`, () => land(changes));
      } catch (error) {
        if (error instanceof DiskRefusal) throw new StoreUnavailableError('disk-full', error.message);
        throw error;
      }
    },
    get: async (table, key) => open().get(table, key),
    find: async (table, index, values, options) => open().find(table, index, values, options),
    findBelow: async (table, index, below, options) => open().findBelow(table, index, below, options),
    findAfter: async (table, after, options) => open().findAfter(table, after, options),
    async check() {
      open();
      if (spindle.fault !== 'none')
        throw new StoreUnavailableError('disk-full', 'the simulated disk is full');
    },
    async close() {
      closed = true;
    },
  };
}
