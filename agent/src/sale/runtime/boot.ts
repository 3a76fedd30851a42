import type { ForwardProjection } from '../../journal/forward-projection.js';
import type { Journal } from '../../journal/journal.js';
import type { SaleState } from '../machine/state/sale-state.js';
import type { TimeFloor } from '../offline/time-floor.js';
import { CONTACT_ROW, keptTime } from '../records/contact-row.js';
import type { SaleRegistry } from './sale-registry.js';

/** What a boot brings back. */
interface BootPorts {
  readonly journal: Journal;
  readonly queue: ForwardProjection;
  readonly time: TimeFloor;
  readonly registry: SaleRegistry;
  /** A sale that is open in the journal, as it is after it took the restart. */
  found(state: SaleState): void;
}

/**
 * Brings the agent back to the state in its journal: the highest time, the forward queue, and every sale without
 * a true end, each with the event `restarted`. The sale's machine decides what a restart means: a card that
 * was being read has failed, a request that may have left is resolved, an answer the card never confirmed is reversed.
 *
 * Runs again when a journal that was lost comes back: the disk may hold a row that was reported as not written. Sales that
 * are at work already are left alone.
 * @returns the references of the sales that got the event
 * @throws JournalUnavailable
 */
export async function bootReplay({
  journal,
  queue,
  time,
  registry,
  found,
}: BootPorts): Promise<readonly string[]> {
  await restoreTime(journal, time);
  await queue.load(async () => ({
    open: await journal.openMessages(),
    nextSequences: await journal.nextSequences(),
  }));
  const open = (await journal.openSales()).filter((reference) => !registry.peek(reference));
  for (const reference of open) {
    await registry.use(reference, async (actor) => {
      await actor?.post({ kind: 'restarted' });
      if (actor) found(actor.state);
    });
  }
  return open;
}

/**
 * Reads from the journal what a process knows of the time: the highest is that of the last contact, which the gateway may have
 * corrected, or of a row after it; without a contact that of any row.
 * @throws JournalUnavailable
 */
export async function restoreTime(
  journal: Pick<Journal, 'lastOfKind' | 'highestAtMs' | 'highestAtMsAfter'>,
  time: TimeFloor,
): Promise<void> {
  const contact = await journal.lastOfKind(CONTACT_ROW);
  const kept = contact && keptTime(contact);
  if (!contact || !kept) {
    time.journaled(await journal.highestAtMs());
    return;
  }
  time.restore(kept);
  time.journaled(await journal.highestAtMsAfter(contact.row));
}
