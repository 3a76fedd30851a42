import { type AcquirerRecord, AcquirerUnreachableError } from '../acquirer.js';
import { asRecordEntry, INTERNAL_ACQUIRER, type LedgerRow } from './ledger-rows.js';
import type { LedgerStore } from './ledger-store.js';

/** A ledger as it is compared with the gateway's payments. Requests of one turn of the event loop are one read. */
export function ledgerRecord(
  ledger: Pick<LedgerStore, 'after' | 'load'>,
): AcquirerRecord & { readonly name: string } {
  let requested: string[] = [];
  let answered: Promise<ReadonlyMap<string, LedgerRow>> | undefined;
  const readRequested = async (): Promise<ReadonlyMap<string, LedgerRow>> => {
    // By then all requests of this turn are in the list.
    await Promise.resolve();
    const references = requested;
    requested = [];
    answered = undefined;
    const { rows } = await reachable(() => ledger.load(references));
    return new Map(rows.map((row) => [row.acquirerReference, row]));
  };
  return {
    name: INTERNAL_ACQUIRER,
    async entriesAfter(position, limit) {
      const rows = await reachable(() => ledger.after(position, limit));
      return rows.map((placed) => ({ position: placed.position, entry: asRecordEntry(placed.row) }));
    },
    async entry(acquirerReference) {
      requested.push(acquirerReference);
      answered ??= readRequested();
      const row = (await answered).get(acquirerReference);
      return row && asRecordEntry(row);
    },
  };
}

/** @throws AcquirerUnreachableError when the ledger cannot be read */
export async function reachable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown fault';
    throw new AcquirerUnreachableError(`the acquirer simulator cannot read its ledger: ${reason}`);
  }
}
