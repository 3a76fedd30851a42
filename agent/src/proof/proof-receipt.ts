import { isSaleRow, type ProofReceipt, type SaleProof } from '@tillbridge/wire/proof/sale-proof.js';
import type { JournalRow, JsonObject } from '../journal/journal.js';
import { receipts } from '../sale/receipts/receipts.js';
import type { StoreConfig } from '../sale/receipts/store.js';
import { replaySale } from '../sale/records/fact-rows.js';

/** The receipts of a sale as its rows give them; undefined where it has none. */
export function proofReceipt(rows: readonly JournalRow[], store: StoreConfig): ProofReceipt | undefined {
  const state = replaySale(rows);
  const printed = state && receipts(state, store);
  return printed && { store: JSON.stringify(store), ...printed };
}

/** Whether the receipts of a proof are those of its rows, which were verified before. */
export function hasOwnReceipt({ reference, stretches, receipt }: SaleProof): boolean {
  const rows = stretches.flatMap(({ firstRow, rows }) =>
    rows.flatMap((row, at): JournalRow[] => {
      if (!isSaleRow(row)) return [];
      const { dataText, blobHash: _sealed, ...fields } = row;
      const data = JSON.parse(dataText) as JsonObject;
      return [{ ...fields, reference, row: firstRow + at, data, hash: new Uint8Array() }];
    }),
  );
  try {
    const store = receipt
      ? (JSON.parse(receipt.store) as StoreConfig)
      : { address: [], timeZone: 'UTC', language: 'en' as const };
    const own = proofReceipt(rows, store);
    return own?.customer === receipt?.customer && own?.merchant === receipt?.merchant;
  } catch {
    // A store that no receipt can be printed for.
    return false;
  }
}
