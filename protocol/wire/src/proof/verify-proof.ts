import { headBytes } from '../bridge/head-bytes.js';
import { leafBytes, nodeBytes, saleTagBytes } from '../digest/digest-bytes.js';
import { type LeafRange, rootOfRanges } from '../digest/digest-tree.js';
import type { ProofFault } from '../errors/proof-faults.js';
import { joined } from '../join-bytes.js';
import { chainedRowText } from './row-text.js';
import { cryptogramOf, type SaleFacts, saleFacts } from './sale-facts.js';
import {
  isSaleRow,
  type OtherRow,
  PROOF_LIMITS,
  type ProofStretch,
  type SaleProof,
  type SaleRow,
} from './sale-proof.js';

/** The cryptography that a verification works with: that of Node.js, or of a browser. */
export interface ProofCrypto {
  sha256(bytes: Uint8Array): Promise<Uint8Array>;
  /** False for anything but a valid signature by this Ed25519 key; `key` is its SubjectPublicKeyInfo in DER. */
  isSignedBy(key: Uint8Array, signature: Uint8Array, bytes: Uint8Array): Promise<boolean>;
}

/** Rows of the journal from `from` to `to`, both included. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** What a proof proves. */
export interface ProvenSale {
  readonly sale: SaleFacts;
  /** Numbers of the sale's rows. */
  readonly saleRows: readonly number[];
  /** Rows between the first and the head that the proof does not cover: one of the sale may stand there. */
  readonly gaps: readonly RowSpan[];
}

/** What a verification finds. */
export type ProofVerdict =
  | ({ readonly kind: 'proven' } & ProvenSale)
  | { readonly kind: 'refused'; readonly fault: ProofFault };

/** What a proof has to be of. */
export interface ProofExpectation {
  /** Whether this is the SubjectPublicKeyInfo of the gateway's key, by its fingerprint or its bytes. */
  readonly isGatewayKey: (key: Uint8Array) => Promise<boolean>;
  /** Default: any agent. */
  readonly agentId?: string;
}

/** A row with its place. */
interface PlacedRow {
  readonly row: number;
  readonly hash: Uint8Array;
  readonly tag: Uint8Array;
  /** Absent of another sale's row. */
  readonly saleRow?: SaleRow;
}

/**
 * Verifies a proof without a network: signature of the head, hashes of the rows, their places in the digest tree under the head, and that no
 * row of the sale is missing among those that are shown. Works in a browser, too.
 */
export async function verifyProof(
  proof: SaleProof,
  expected: ProofExpectation,
  crypto: ProofCrypto,
): Promise<ProofVerdict> {
  const { head, agentId } = proof;
  if (!(await expected.isGatewayKey(head.key))) return refused('other-gateway');
  if (expected.agentId !== undefined && expected.agentId !== agentId) return refused('other-agent');
  if (!(await crypto.isSignedBy(head.key, head.signature, headBytes(agentId, head))))
    return refused('bad-signature');
  const ranges = rangesOf(proof);
  if (!ranges) return refused('outside-head');
  const gaps = gapsOf(ranges, head.row);
  if (gaps.some(({ from, to }) => to - from < PROOF_LIMITS.shownRows)) return refused('dropped-row');
  const rows = (await Promise.all(proof.stretches.map((each) => placed(each, proof, crypto)))).flat();
  const own = await saleTagged(rows, proof.reference, crypto);
  if (own.some(({ saleRow }) => saleRow === undefined)) return refused('dropped-row');
  if (!(await standUnder(proof, ranges, rows, crypto))) return refused('not-in-journal');
  const last = rows.at(-1);
  if (last?.row === head.row && !isSame(last.hash, head.hash)) return refused('other-head');
  const saleRows = own.flatMap(({ saleRow = [] }) => saleRow);
  const sale = saleFacts(saleRows);
  if (!sale || own[0]?.row !== rows[0]?.row) return refused('no-sale');
  if (!sameTexts(cryptogramOf(saleRows), proof.cryptogram)) return refused('other-cryptogram');
  return { kind: 'proven', sale, saleRows: own.map(({ row }) => row), gaps };
}

function refused(fault: ProofFault): ProofVerdict {
  return { kind: 'refused', fault };
}

/** The leaves of the stretches; undefined where they overlap, or do not lie within the tree. */
function rangesOf({ stretches, head }: SaleProof): readonly LeafRange[] | undefined {
  const ranges = stretches.map(({ firstRow, rows }) => ({
    from: firstRow - 1,
    to: firstRow - 1 + rows.length,
  }));
  let end = 0;
  for (const { from, to } of ranges) {
    if (from < end || to <= from || to > head.row) return undefined;
    end = to;
  }
  return ranges.length > 0 ? ranges : undefined;
}

/** The rows of a stretch, each with the hash that follows from its content and the row before. */
async function placed(
  { firstRow, previousHash, rows }: ProofStretch,
  { reference }: SaleProof,
  crypto: ProofCrypto,
): Promise<PlacedRow[]> {
  const found: PlacedRow[] = [];
  let previous = previousHash;
  for (const [at, row] of rows.entries()) {
    const place = await placeOf(row, firstRow + at, previous, reference, crypto);
    found.push(place);
    previous = place.hash;
  }
  return found;
}

async function placeOf(
  row: SaleRow | OtherRow,
  number: number,
  previous: Uint8Array,
  reference: string,
  { sha256 }: ProofCrypto,
): Promise<PlacedRow> {
  if (!isSaleRow(row)) return { row: number, ...row };
  const text = chainedRowText({ ...row, row: number, reference }, row.blobHash);
  const hash = await sha256(joined(previous, new TextEncoder().encode(text)));
  return { row: number, hash, tag: await sha256(saleTagBytes(hash, reference)), saleRow: row };
}

/** Rows that are the sale's by their tag, whether or not they are shown. */
async function saleTagged(
  rows: readonly PlacedRow[],
  reference: string,
  { sha256 }: ProofCrypto,
): Promise<readonly PlacedRow[]> {
  const tags = await Promise.all(rows.map(({ hash }) => sha256(saleTagBytes(hash, reference))));
  return rows.filter(({ tag }, at) => isSame(tag, tags[at]));
}

async function standUnder(
  { head, path }: SaleProof,
  ranges: readonly LeafRange[],
  rows: readonly PlacedRow[],
  { sha256 }: ProofCrypto,
): Promise<boolean> {
  const leaves = new Map(rows.map(({ row, hash, tag }) => [row - 1, sha256(leafBytes(hash, tag))]));
  const root = rootOfRanges<Promise<Uint8Array>>(
    head.row,
    ranges,
    (index) => leaves.get(index) ?? Promise.resolve(new Uint8Array()),
    path.map((node) => Promise.resolve(node)),
    async (left, right) => sha256(nodeBytes(await left, await right)),
  );
  return isSame(await root, head.root);
}

function gapsOf(ranges: readonly LeafRange[], headRow: number): readonly RowSpan[] {
  const gaps = ranges.map(({ to }, at) => ({ from: to + 1, to: ranges[at + 1]?.from ?? headRow }));
  return gaps.filter(({ from, to }) => from <= to);
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b?.length === a.length && a.every((byte, at) => byte === b[at]);
}

function sameTexts(
  a: Readonly<Record<string, string>> | undefined,
  b: Readonly<Record<string, string>> | undefined,
): boolean {
  const text = (record: typeof a): string =>
    JSON.stringify(Object.entries(record ?? {}).sort(([x], [y]) => (x < y ? -1 : 1)));
  return text(a) === text(b);
}
