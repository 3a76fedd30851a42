import type { WireCountersignedHead } from '../bridge/messages.js';

/** Version of the proof files that this build writes and reads. */
export const PROOF_VERSION = 1;
/** What every proof file says of itself. */
export const PROOF_FORMAT = 'tillbridge-sale-proof';

/** Limits of a proof file, by name. */
export const PROOF_LIMITS = {
  /** Characters of the file. */
  maxCharacters: 16 * 1_024 * 1_024,
  /** Rows of all stretches together, of other sales too. */
  maxRows: 20_000,
  maxStretches: 64,
  /** Rows in a row that a proof may leave out only where they are more: fewer are shown, or a row of the sale could be hidden among them. */
  shownRows: 2_000,
  /** Nodes of the path. */
  maxNodes: 4_096,
  /** Characters of one text. */
  maxTextLength: 32 * 1_024,
} as const;

/** A row of the sale as it stands in the journal: card data are masked there. */
export interface SaleRow {
  readonly atMs: number;
  readonly kind: string;
  readonly terminalId: string;
  readonly messageId?: string;
  readonly sequence: number;
  readonly statusOf?: string;
  /** JSON as it was hashed. */
  readonly dataText: string;
  /** SHA-256 of sealed card data that belong to the row, uppercase hex; the data are not in the proof. */
  readonly blobHash?: string;
}

/** A row of another sale, or of none: its hash in the chain, and the tag that shows of which sale it is not. */
export interface OtherRow {
  readonly hash: Uint8Array;
  readonly tag: Uint8Array;
}

/** Rows of the journal without a gap. */
export interface ProofStretch {
  readonly firstRow: number;
  /** The hash of the row before the first; 32 zeros before row 1. */
  readonly previousHash: Uint8Array;
  readonly rows: readonly (SaleRow | OtherRow)[];
}

/** The content of a proof file. */
export interface SaleProof {
  /** Program and version that wrote it. */
  readonly writtenBy: string;
  readonly agentId: string;
  readonly reference: string;
  readonly head: WireCountersignedHead;
  /** In the order of their rows, without overlap. */
  readonly stretches: readonly ProofStretch[];
  /** Nodes of the digest tree without any of these rows, from the left (digest-tree.ts: rangeProof). */
  readonly path: readonly Uint8Array[];
  /** EMV data of the receipt as the rows have them; absent where the sale has no cryptogram. */
  readonly cryptogram?: Readonly<Record<string, string>>;
  /** What the agent prints; absent for a sale without a receipt. */
  readonly receipt?: ProofReceipt;
}

/** The receipts of a sale, and the store that they name. */
export interface ProofReceipt {
  /** JSON of the store's configuration. */
  readonly store: string;
  readonly customer: string;
  readonly merchant: string;
}

/** Whether a row belongs to the sale of the proof. */
export function isSaleRow(row: SaleRow | OtherRow): row is SaleRow {
  return 'kind' in row;
}

/** A proof as the text of its file: JSON, bytes in base64. */
export function encodeProof(proof: SaleProof): string {
  const { head, stretches, path, ...rest } = proof;
  const { hash, root, key, signature, ...place } = head;
  const content = {
    format: PROOF_FORMAT,
    version: PROOF_VERSION,
    ...rest,
    head: {
      ...place,
      hash: base64(hash),
      root: base64(root),
      key: base64(key),
      signature: base64(signature),
    },
    stretches: stretches.map(({ firstRow, previousHash, rows }) => ({
      firstRow,
      previousHash: base64(previousHash),
      rows: rows.map((row) => (isSaleRow(row) ? row : { hash: base64(row.hash), tag: base64(row.tag) })),
    })),
    path: path.map(base64),
  };
  return `${JSON.stringify(content, undefined, 1)}\n`;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
