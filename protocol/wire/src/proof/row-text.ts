/** What the hash of a journal's row covers, in addition to the hash of the row before. */
export interface ChainedRow {
  readonly row: number;
  readonly atMs: number;
  readonly kind: string;
  readonly reference: string;
  readonly terminalId: string;
  readonly messageId?: string;
  readonly sequence: number;
  readonly statusOf?: string;
  /** JSON as it is stored. */
  readonly dataText: string;
}

/**
 * The fields of a row as one JSON list: no two rows share a text. The row's hash is that of the previous hash and this text.
 * @param blobHash SHA-256 of the sealed bytes that belong to the row, uppercase hex
 */
export function chainedRowText(row: ChainedRow, blobHash?: string): string {
  return JSON.stringify([
    row.row,
    row.atMs,
    row.kind,
    row.reference,
    row.terminalId,
    row.messageId ?? null,
    row.sequence,
    row.statusOf ?? null,
    row.dataText,
    // Rows without a blob are hashed as they were before blobs were covered.
    ...(blobHash === undefined ? [] : [blobHash]),
  ]);
}
