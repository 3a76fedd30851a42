import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { parseJson } from '@tillbridge/wire/text/parse-json.js';
import type { BuiltKept } from '../compaction.js';
import type { CompactedSale, JournalHead, JournalRow, JsonObject } from '../journal.js';
import type { BuiltRow } from '../row-builder.js';

/** What a new home needs to go on as this agent. */
export interface HomeRecord {
  readonly agentId: string;
  /** The generation that wrote the copy. */
  readonly generation: number;
  /** The home's secret files by name: identity, keys, the tills' token. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Up to where a copy follows its journal. */
export interface PlaceRecord {
  readonly head: JournalHead;
  /** The last kept entry. */
  readonly kept: number;
  /** The last row that is in neither any more. */
  readonly base: JournalHead;
}

const FORMAT = 1;

/** A record that this build cannot read. */
export class CopyFormatError extends Error {
  override readonly name = 'CopyFormatError';
}

/** The home as sealed bytes hold it. */
export function encodeHome({ agentId, generation, files }: HomeRecord): Uint8Array {
  const contents = Object.fromEntries([...files].map(([name, bytes]) => [name, toHex(bytes)]));
  return json({ format: FORMAT, agentId, generation, files: contents });
}

/** A file's name, never a path. */
const FILE_NAME = /^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$/;

/** @throws CopyFormatError */
export function decodeHome(bytes: Uint8Array): HomeRecord {
  const { format, agentId, generation, files } = read(bytes);
  const known =
    format === FORMAT &&
    typeof agentId === 'string' &&
    typeof generation === 'number' &&
    typeof files === 'object' &&
    files !== null;
  if (!known) throw new CopyFormatError('the copy was written by another version of the agent');
  const contents = Object.entries(files).map(([name, hex]) => {
    if (!FILE_NAME.test(name)) throw new CopyFormatError('the copy names a file that is none of an agent');
    return [name, fromHex(String(hex))] as const;
  });
  return { agentId, generation, files: new Map(contents) };
}

/** The place as sealed bytes hold it. */
export function encodePlace({ head, kept, base }: PlaceRecord): Uint8Array {
  return json({ row: head.row, hash: toHex(head.hash), kept, baseRow: base.row, baseHash: toHex(base.hash) });
}

export function decodePlace(bytes: Uint8Array): PlaceRecord {
  const { row, hash, kept, baseRow, baseHash } = read(bytes);
  return {
    head: { row: Number(row), hash: fromHex(String(hash)) },
    kept: Number(kept),
    base: { row: Number(baseRow), hash: fromHex(String(baseHash)) },
  };
}

/** A row as sealed bytes hold it: all that its hash covers, and the hash. */
export function encodeRow(row: JournalRow): Uint8Array {
  const { hash, blobHash, data, inStream: _inStream, ...fields } = row;
  return json({
    // The very text that was hashed: another writing of the same value would have another hash.
    dataText: JSON.stringify(data),
    ...fields,
    hash: toHex(hash),
    ...(blobHash && { blobHash: toHex(blobHash) }),
  });
}

/** @throws CopyFormatError */
export function decodeRow(bytes: Uint8Array): BuiltRow {
  const { hash, blobHash, dataText, ...rest } = read(bytes);
  return {
    ...(rest as unknown as Omit<BuiltRow, 'hash' | 'blobHash' | 'data' | 'dataText'>),
    dataText: String(dataText),
    data: JSON.parse(String(dataText)) as JsonObject,
    hash: fromHex(String(hash)),
    ...(typeof blobHash === 'string' && { blobHash: fromHex(blobHash) }),
  };
}

/** An entry of what is kept as sealed bytes hold it. */
export function encodeKept(entry: CompactedSale): Uint8Array {
  const { position, reference, messageIds, hash } = entry;
  const dataText = (entry as BuiltKept).dataText ?? JSON.stringify(entry.data);
  return json({ position, reference, messageIds, dataText, hash: toHex(hash) });
}

/** @throws CopyFormatError */
export function decodeKept(bytes: Uint8Array): BuiltKept {
  const { position, reference, messageIds, dataText, hash } = read(bytes);
  return {
    position: Number(position),
    reference: String(reference),
    messageIds: messageIds as unknown as string[],
    dataText: String(dataText),
    data: JSON.parse(String(dataText)) as JsonObject,
    hash: fromHex(String(hash)),
  };
}

function json(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

function read(bytes: Uint8Array): JsonObject {
  return parseJson(
    Buffer.from(bytes).toString('utf8'),
    () => new CopyFormatError('a record of the copy is no JSON'),
  ) as JsonObject;
}
