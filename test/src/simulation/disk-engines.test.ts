import { describeJournal } from '@tillbridge/agent/journal/testing/journal-contract.js';
import { type MemoryDisk, newMemoryDisk } from '@tillbridge/agent/journal/testing/memory-journal.js';
import { describeLedgerBook } from '@tillbridge/gateway/acquirers/internal/testing/ledger-book-contract.js';
import {
  type MemoryLedger,
  newMemoryLedger,
} from '@tillbridge/gateway/acquirers/internal/testing/memory-ledger-book.js';
import { MemoryStore } from '@tillbridge/gateway/store/testing/memory-store.js';
import { describeStore } from '@tillbridge/gateway/store/testing/store-contract.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import { DiskJournal } from './disk-journal.js';
import { diskLedgerBook } from './disk-ledger-book.js';
import { diskStore } from './disk-store.js';
import { Platter } from './platter.js';
import { SeededRandom } from './seeded-random.js';
import { SimProcess } from './sim-process.js';
import { Spindle } from './spindle.js';
import { Trace } from './trace.js';

// The disks of a world behind the contracts that the real engines keep. Each reopening is a new process after a power cut.

/** Time that moves by itself: whatever waits is due at the next turn of the event loop. */
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
  const spindle = new Spindle('disk', clock, new SeededRandom('disk'), trace);
  let process: SimProcess | undefined;
  const start = (): SimProcess => {
    process?.die('power');
    process = new SimProcess('process', clock, { offsetMs: 0 }, trace);
    return process;
  };
  return { spindle, start };
}

describeJournal('simulated disk', {
  create: async () => {
    const { spindle, start } = machine();
    const platter = new Platter<MemoryDisk>(newMemoryDisk);
    const open = () => new DiskJournal({ process: start(), platter, spindle, landed: () => undefined });
    const reopen = async () => {
      platter.powerCut();
      return open();
    };
    return { journal: open(), reopen };
  },
});

describeStore('simulated disk', async () => {
  const { spindle, start } = machine();
  const platter = new Platter(() => new MemoryStore());
  const store = diskStore({ process: start(), platter, spindle, syncs: true });
  return { store, dispose: () => store.close() };
});

describeLedgerBook('simulated disk', async () => {
  const { spindle, start } = machine();
  const platter = new Platter<MemoryLedger>(newMemoryLedger);
  const open = () => diskLedgerBook(start(), platter, spindle);
  const reopen = async () => {
    platter.powerCut();
    return open();
  };
  return { book: open(), reopen };
});
