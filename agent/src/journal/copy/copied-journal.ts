import type { Journal } from '../journal.js';
import type { JournalCopier } from './journal-copier.js';

/**
 * Returns a journal whose rows are also copied. With a `required` copy an append resolves when the copy has its rows too, or after a
 * bounded wait: the rows are true by then in any case, and a card in a terminal cannot wait for a disk that may never come back.
 */
export function copiedJournal(journal: Journal, copier: JournalCopier): Journal {
  journal.onState((state) => {
    if (state.kind === 'ready') copier.wake();
  });
  copier.wake();
  const copied: Pick<Journal, 'append' | 'compact' | 'close'> = {
    append: async (write) => {
      const rows = await journal.append(write);
      const last = rows.at(-1);
      if (last && copier.mode === 'required') await copier.reached(last.row);
      else copier.wake();
      return rows;
    },
    compact: async (step) => {
      const result = await journal.compact(step);
      copier.wake();
      return result;
    },
    // Closes the copy first: what it can still take over is there while the journal is open.
    close: async () => {
      await copier.reached(journal.head.row);
      await copier.close();
      await journal.close();
    },
  };
  // Everything else is the journal's own.
  return new Proxy(journal, {
    get: (target, name) => {
      const value: unknown = Reflect.get(Object.hasOwn(copied, name) ? copied : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
