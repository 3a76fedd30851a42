import type { ForwardProjection } from '../journal/forward-projection.js';
import type { Journal } from '../journal/journal.js';
import type { HighWater } from '../sale/high-water.js';
import type { SaleBook } from '../sale/sale-book.js';

/** Kind of the row that remembers a contact with the gateway across restarts. */
export const CONTACT_ROW = 'contact';

/** What a boot brings back. */
export interface BootPorts {
  readonly journal: Journal;
  readonly queue: ForwardProjection;
  readonly time: HighWater;
  readonly book: SaleBook;
}

/**
 * Brings the agent back to where its journal says it was: the highest time, the forward queue, and every sale without
 * a true end, each told that the agent was restarted. What a restart means is decided by the sale's machine: a card that
 * was being read has failed, a request that may have left is resolved, an answer the card never confirmed is undone.
 *
 * Runs again when a journal that was lost comes back: the disk may hold a row that was reported as not written. Sales that
 * are at work already are left alone.
 * @returns the references of the sales that were told
 * @throws JournalUnavailable
 */
export async function bootReplay({ journal, queue, time, book }: BootPorts): Promise<readonly string[]> {
  time.journaled(await journal.highestAtMs());
  const contact = await journal.lastOfKind(CONTACT_ROW);
  if (typeof contact?.data.timeMs === 'number') time.restoreContact(contact.data.timeMs);
  await queue.load(async () => ({
    open: await journal.openMessages(),
    nextSequences: await journal.nextSequences(),
  }));
  const open = (await journal.openSales()).filter((reference) => !book.peek(reference));
  for (const reference of open) {
    await book.use(reference, (actor) => actor?.post({ kind: 'restarted' }));
  }
  return open;
}
