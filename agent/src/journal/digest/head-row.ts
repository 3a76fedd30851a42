import type { WireCountersignedHead } from '@tillbridge/wire/bridge/messages.js';
import { COUNTERSIGNED_ROW, type JournalRow, type NewRow, noSaleRow } from '../journal.js';

/** The row that keeps a head which the gateway has countersigned. */
export function headRow(head: WireCountersignedHead): NewRow {
  const { generation, row, hash, root, timeMs, key, signature } = head;
  const bytes = { hash: base64(hash), root: base64(root), key: base64(key), signature: base64(signature) };
  return noSaleRow(COUNTERSIGNED_ROW, { generation, row, timeMs, ...bytes });
}

/** The head that a row keeps; undefined for a row that keeps none. */
export function headOfRow({
  kind,
  data,
}: Pick<JournalRow, 'kind' | 'data'>): WireCountersignedHead | undefined {
  const { generation, row, timeMs, hash, root, key, signature } = data;
  const isHead =
    kind === COUNTERSIGNED_ROW &&
    typeof generation === 'number' &&
    typeof row === 'number' &&
    typeof timeMs === 'number';
  if (!isHead) return undefined;
  const bytes = (text: unknown): Uint8Array => Buffer.from(String(text), 'base64');
  return {
    generation,
    row,
    timeMs,
    hash: bytes(hash),
    root: bytes(root),
    key: bytes(key),
    signature: bytes(signature),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
