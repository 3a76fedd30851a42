import {
  applyChanges,
  type MemoryLedger,
  MemoryLedgerStore,
} from '@tillbridge/gateway/core/acquirers/internal/testing/memory-ledger-store.js';
import type { SimProcess } from '../kernel/sim-process.js';
import type { DiskImage } from './disk-image.js';
import type { SimulatedDisk } from './simulated-disk.js';

/** The acquirer's ledger in memory, on a disk that takes its time and tears. */
export function diskLedgerStore(
  process: SimProcess,
  diskImage: DiskImage<MemoryLedger>,
  simulatedDisk: SimulatedDisk,
): MemoryLedgerStore {
  return new MemoryLedgerStore(diskImage.state, (changes) =>
    simulatedDisk.write(process, 'ledger', () => {
      applyChanges(diskImage.state, changes);
      diskImage.written((ledger) => applyChanges(ledger, changes));
      diskImage.sync();
    }),
  );
}
