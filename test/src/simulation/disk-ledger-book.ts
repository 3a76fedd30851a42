import {
  applyEntry,
  type MemoryLedger,
  MemoryLedgerBook,
} from '@tillbridge/gateway/acquirers/internal/testing/memory-ledger-book.js';
import type { Platter } from './platter.js';
import type { SimProcess } from './sim-process.js';
import type { Spindle } from './spindle.js';

/** The acquirer's book in memory, on a disk that takes its time and tears. */
export function diskLedgerBook(
  process: SimProcess,
  platter: Platter<MemoryLedger>,
  spindle: Spindle,
): MemoryLedgerBook {
  return new MemoryLedgerBook(platter.state, (entry) =>
    spindle.write(process, 'book', () => {
      applyEntry(platter.state, entry);
      platter.written((ledger) => applyEntry(ledger, entry));
      platter.sync();
    }),
  );
}
