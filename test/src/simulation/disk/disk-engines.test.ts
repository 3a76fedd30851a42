import { describeJournal } from '@tillbridge/agent/journal/testing/journal-contract.test.support.js';
import {
  type MemoryDisk,
  newMemoryDisk,
} from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import { describeLedgerStore } from '@tillbridge/gateway/core/acquirers/internal/testing/ledger-store-contract.test.support.js';
import {
  type MemoryLedger,
  newMemoryLedger,
} from '@tillbridge/gateway/core/acquirers/internal/testing/memory-ledger-store.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { describeRanges } from '@tillbridge/gateway/kernel/store/testing/range-contract.test.support.js';
import { describeStore } from '@tillbridge/gateway/kernel/store/testing/store-contract.test.support.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { SeededRandom } from '../kernel/seeded-random.js';
import { SimProcess } from '../kernel/sim-process.js';
import { Trace } from '../kernel/trace.js';
import { DiskImage } from './disk-image.js';
import { DiskJournal } from './disk-journal.js';
import { diskLedgerStore } from './disk-ledger-store.js';
import { diskStore } from './disk-store.js';
import { SimulatedDisk } from './simulated-disk.js';

// The disks of a simulation behind the contracts that the real engines keep. Each reopening is a new process after a power cut.

/** A clock on which every timer is due at the next turn of the event loop. */
function hastyClock(): Clock {
  const clock = new VirtualClock();
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    setTimer(delayMs, fire) {
      const timer = clock.setTimer(delayMs, fire);
      setImmediate(() => void clock.advance(delayMs));
      return timer;
    },
  };
}

function machine() {
  const clock = hastyClock();
  const trace = new Trace(clock);
  const simulatedDisk = new SimulatedDisk('disk', clock, new SeededRandom('disk'), trace);
  let process: SimProcess | undefined;
  const start = (): SimProcess => {
    process?.die('power');
    process = new SimProcess('process', clock, { offsetMs: 0 }, trace);
    return process;
  };
  return { simulatedDisk, start };
}

describeJournal('simulated disk', {
  create: async () => {
    const { simulatedDisk, start } = machine();
    const diskImage = new DiskImage<MemoryDisk>(newMemoryDisk);
    const open = () =>
      new DiskJournal({ process: start(), diskImage, simulatedDisk, landed: () => undefined });
    const reopen = async () => {
      diskImage.powerCut();
      return open();
    };
    return { journal: open(), reopen };
  },
});

const openStore = async () => {
  const { simulatedDisk, start } = machine();
  const diskImage = new DiskImage(() => new MemoryStore());
  const store = diskStore({ process: start(), diskImage, simulatedDisk, syncs: true });
  return { store, dispose: () => store.close() };
};
describeStore('simulated disk', openStore);
describeRanges('simulated disk', openStore);

describeLedgerStore('simulated disk', async () => {
  const { simulatedDisk, start } = machine();
  const diskImage = new DiskImage<MemoryLedger>(newMemoryLedger);
  const open = () => diskLedgerStore(start(), diskImage, simulatedDisk);
  const reopen = async () => {
    diskImage.powerCut();
    return open();
  };
  return { ledger: open(), reopen };
});
