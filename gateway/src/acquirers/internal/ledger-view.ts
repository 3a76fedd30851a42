import type { LedgerView } from './ledger.js';
import type { LedgerRow } from './ledger-rows.js';

/** Where a view is read: in the transaction that writes the decision. */
export interface LedgerReader {
  find(reference: string): Promise<LedgerRow | undefined>;
  /** Whether the reference was reversed before its request came. */
  isTombstoned(reference: string): Promise<boolean>;
}

/** The most steps from a follow-up to its root: a refund follows a capture, which follows an authorization. */
const MAX_STEPS = 2;

/** Reads what the ledger holds for a reference and for the one that it follows. */
export async function readView(
  reader: LedgerReader,
  reference: string,
  originalReference: string | null,
): Promise<LedgerView> {
  const existing = await reader.find(reference);
  const original = originalReference === null ? undefined : await reader.find(originalReference);
  const root = original && (await rootOf(reader, original));
  return {
    tombstoned: await reader.isTombstoned(reference),
    ...(existing && { existing }),
    ...(original && { original }),
    ...(root && { root }),
  };
}

/** The transaction at the root, where it is another one. A receipt has money of its own: it is a root. */
async function rootOf(reader: LedgerReader, original: LedgerRow): Promise<LedgerRow | undefined> {
  let row: LedgerRow | undefined = original;
  for (let step = 0; step < MAX_STEPS && row?.originalReference && row.kind !== 'receipt'; step += 1)
    row = await reader.find(row.originalReference);
  return row === original ? undefined : row;
}
