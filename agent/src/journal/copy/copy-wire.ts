import { checker } from '@tillbridge/platform/schema/checker.js';
import { oneOf } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { COPY_LIMITS, type CopyBatch, type CopyEntry, type CopyKind } from './copy-target.js';

/** Requests to a replica, in JSON; sealed bytes as base64. Paths begin with `/v1/copies/{agentId}`. */
type WireEntry = Omit<CopyEntry, 'sealed'> & { readonly sealed: string };

/** Body of `POST …/batches`. */
type WireBatch = Omit<CopyBatch, 'put'> & { readonly put: readonly WireEntry[] };

/** Header that names the writer; only the newest may write. */
export const WRITER_HEADER = 'x-copy-writer';

/** Limits between replicas, by name. */
export const REPLICA_LIMITS = {
  /** A batch of rows at their longest, sealed and as base64. */
  maxBodyBytes: 48 * 1_024 * 1_024,
  /** Entries in one answer. */
  maxListed: 500,
  requestTimeoutMs: 10_000,
  /** Agents whose copies one replica holds. */
  maxPeers: 16,
} as const;

const KINDS = ['home', 'place', 'row', 'kept', 'blob'] as const satisfies readonly CopyKind[];

/** Whether a text names a kind of entry. */
export function isCopyKind(text: unknown): text is CopyKind {
  return KINDS.some((kind) => kind === text);
}

const COUNT = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const NAME = Type.String({ maxLength: 255 });
const ENTRY = Type.Object({ kind: oneOf(KINDS), number: COUNT, name: NAME, sealed: Type.String() });
const isEntry = checker(ENTRY);
const isBatch = checker(
  Type.Object({
    // Rows and kept entries fill a batch; blobs of the rows, home and place come on top.
    put: Type.Array(ENTRY, { maxItems: 4 * COPY_LIMITS.maxEntriesPerBatch }),
    dropBlobs: Type.Array(NAME),
    dropRowsTo: COUNT,
  }),
);

/** An entry as it travels. */
export function wireEntry({ kind, number, name, sealed }: CopyEntry): WireEntry {
  return { kind, number, name, sealed: Buffer.from(sealed).toString('base64') };
}

/** An entry that came; `undefined` when it is none. */
export function readEntry(value: unknown): CopyEntry | undefined {
  return isEntry(value) ? entryOf(value) : undefined;
}

function entryOf({ kind, number, name, sealed }: WireEntry): CopyEntry {
  return { kind, number, name, sealed: Buffer.from(sealed, 'base64') };
}

/** A batch as it travels. */
export function wireBatch({ put, dropBlobs, dropRowsTo }: CopyBatch): WireBatch {
  return { put: put.map(wireEntry), dropBlobs, dropRowsTo };
}

/** A batch that came; `undefined` when it is none. */
export function readBatch(value: unknown): CopyBatch | undefined {
  if (!isBatch(value)) return undefined;
  const { put, dropBlobs, dropRowsTo } = value;
  return { put: put.map(entryOf), dropBlobs, dropRowsTo };
}
