import { toHex } from '@tillbridge/wire/bytes.js';
import type { LeafRange } from '@tillbridge/wire/digest/digest-tree.js';
import { saleTag } from '@tillbridge/wire/digest/node-digest.js';
import { cryptogramOf } from '@tillbridge/wire/proof/sale-facts.js';
import {
  PROOF_LIMITS,
  type ProofStretch,
  type SaleProof,
  type SaleRow,
} from '@tillbridge/wire/proof/sale-proof.js';
import { JournalDigest } from '../journal/digest/journal-digest.js';
import type { ProofFile } from '../journal/digest/proof-file.js';
import { FIRST_ROW } from '../journal/journal.js';
import type { BuiltRow } from '../journal/row-builder.js';
import type { StoreConfig } from '../sale/receipts/store.js';
import { NoProofError, NotCountersignedError } from './proof-errors.js';
import { proofReceipt } from './proof-receipt.js';

/** Of which sale a proof is, and what of the agent stands in it. */
interface ProofSubject {
  readonly agentId: string;
  readonly reference: string;
  readonly store: StoreConfig;
  /** Program and version. */
  readonly writtenBy: string;
}

/**
 * Makes the proof of a sale under the first head that the gateway countersigned after its last row: the earliest time that can be proven.
 * @throws NoProofError, NotCountersignedError, DigestUnavailableError, JournalUnavailable
 */
export async function makeProof(
  file: ProofFile,
  { agentId, reference, store, writtenBy }: ProofSubject,
): Promise<SaleProof> {
  const rows = await saleRows(file, reference);
  const last = rows.at(-1)?.row ?? 0;
  const { covering: head, newest } = await file.countersigned(last);
  if (!head)
    throw new NotCountersignedError(
      `the gateway has not countersigned row ${last} yet${newest ? `, only row ${newest.row}` : ''}: connect the agent, and try again in some minutes`,
    );
  const ranges = shownRanges(
    rows.map(({ row }) => row),
    head.row,
  );
  const own = new Map(rows.map((row) => [row.row, row]));
  const stretches: ProofStretch[] = [];
  for (const range of ranges) stretches.push(await readStretch(file, range, own));
  const path = await new JournalDigest(file.source).ranges(head.row, ranges);
  const shown = rows.map(asSaleRow);
  const cryptogram = cryptogramOf(shown);
  const receipt = proofReceipt(rows, store);
  return {
    ...{ writtenBy, agentId, reference, head, stretches, path },
    ...(cryptogram && { cryptogram }),
    ...(receipt && { receipt }),
  };
}

async function saleRows(file: ProofFile, reference: string): Promise<readonly BuiltRow[]> {
  const { rows, isCompacted } = await file.sale(reference);
  if (isCompacted)
    throw new NoProofError(
      `the rows of ${reference} are older than "journal.retentionDays" and were removed: a proof that was written before stays valid`,
    );
  if (rows[0]?.kind !== FIRST_ROW) throw new NoProofError(`the journal has no sale ${reference}`);
  return rows;
}

/** The leaves that are shown: the sale's rows and what stands between them, and up to the head, where that is not too much. */
function shownRanges(rows: readonly number[], headRow: number): readonly LeafRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const row of rows) {
    const range = ranges.at(-1);
    if (range && row - 1 - range.to <= PROOF_LIMITS.shownRows) range.to = row;
    else ranges.push({ from: row - 1, to: row });
  }
  const end = ranges.at(-1);
  if (end && headRow - end.to <= PROOF_LIMITS.shownRows) end.to = headRow;
  const count = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  if (count <= PROOF_LIMITS.maxRows && ranges.length <= PROOF_LIMITS.maxStretches) return ranges;
  throw new NoProofError(
    `the sale is spread over ${count} rows: a proof has at most ${PROOF_LIMITS.maxRows}`,
  );
}

async function readStretch(
  file: ProofFile,
  { from, to }: LeafRange,
  own: ReadonlyMap<number, BuiltRow>,
): Promise<ProofStretch> {
  const previousHash = from === 0 ? new Uint8Array(32) : await file.hashBefore(from + 1);
  const leaves = await file.source.leaves(from, to - from);
  if (!previousHash || leaves.length !== to - from)
    throw new NoProofError(`rows ${from + 1} to ${to} are not all there: run "tillbridge-agent verify"`);
  const rows = leaves.map(({ row, hash, reference }) => {
    const mine = own.get(row);
    return mine ? asSaleRow(mine) : { hash, tag: saleTag(hash, reference) };
  });
  return { firstRow: from + 1, previousHash, rows };
}

function asSaleRow(row: BuiltRow): SaleRow {
  const { atMs, kind, terminalId, messageId, sequence, statusOf, dataText, blobHash } = row;
  return {
    ...{ atMs, kind, terminalId, sequence, dataText },
    ...(messageId !== undefined && { messageId }),
    ...(statusOf !== undefined && { statusOf }),
    ...(blobHash && { blobHash: toHex(blobHash) }),
  };
}
