import { type AcquirerRecord, AcquirerUnreachableError } from '../acquirer.js';
import { asRecordEntry, INTERNAL_ACQUIRER } from './ledger-rows.js';
import type { LedgerStore } from './ledger-store.js';

/** A ledger as it is compared with the gateway's payments. */
export function ledgerRecord(
  ledger: Pick<LedgerStore, 'after' | 'find'>,
): AcquirerRecord & { readonly name: string } {
  return {
    name: INTERNAL_ACQUIRER,
    async entriesAfter(position, limit) {
      const rows = await reachable(() => ledger.after(position, limit));
      return rows.map((placed) => ({ position: placed.position, entry: asRecordEntry(placed.row) }));
    },
    async entry(acquirerReference) {
      const row = await reachable(() => ledger.find(acquirerReference));
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
    throw new AcquirerUnreachableError(`the acquirer simulator cannot read its file: ${reason}`);
  }
}
