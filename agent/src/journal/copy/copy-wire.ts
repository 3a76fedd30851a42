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

const KINDS: ReadonlySet<string> = new Set<CopyKind>(['home', 'place', 'row', 'kept', 'blob']);

/** Whether a text names a kind of entry. */
export function isCopyKind(text: unknown): text is CopyKind {
  return typeof text === 'string' && KINDS.has(text);
}

/** An entry as it travels. */
export function wireEntry({ kind, number, name, sealed }: CopyEntry): WireEntry {
  return { kind, number, name, sealed: Buffer.from(sealed).toString('base64') };
}

/** An entry that came; `undefined` when it is none. */
export function readEntry(value: unknown): CopyEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, number, name, sealed } = value as Partial<Record<keyof WireEntry, unknown>>;
  const fits =
    isCopyKind(kind) &&
    typeof number === 'number' &&
    Number.isSafeInteger(number) &&
    number >= 0 &&
    typeof name === 'string' &&
    name.length <= 255 &&
    typeof sealed === 'string';
  return fits ? { kind, number, name, sealed: Buffer.from(sealed, 'base64') } : undefined;
}

/** A batch as it travels. */
export function wireBatch({ put, dropBlobs, dropRowsTo }: CopyBatch): WireBatch {
  return { put: put.map(wireEntry), dropBlobs, dropRowsTo };
}

/** A batch that came; `undefined` when it is none. */
export function readBatch(value: unknown): CopyBatch | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { put, dropBlobs, dropRowsTo } = value as Partial<Record<keyof WireBatch, unknown>>;
  if (!Array.isArray(put) || !Array.isArray(dropBlobs)) return undefined;
  // Rows and kept entries fill a batch; blobs of the rows, home and place come on top.
  if (put.length > 4 * COPY_LIMITS.maxEntriesPerBatch) return undefined;
  const entries = put.map(readEntry);
  const isWhole = entries.every((entry): entry is CopyEntry => entry !== undefined);
  const names = dropBlobs.filter((name): name is string => typeof name === 'string' && name.length <= 255);
  if (!isWhole || names.length !== dropBlobs.length) return undefined;
  if (typeof dropRowsTo !== 'number' || !Number.isSafeInteger(dropRowsTo) || dropRowsTo < 0) return undefined;
  return { put: entries, dropBlobs: names, dropRowsTo };
}
