import type { PaymentRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';

/** Rows that are read of one entity at once. */
const CHUNK = 128;

/** Which payments are wanted. */
export interface TimeFrame {
  /** Milliseconds since 1970; the end is not in it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Values of columns; absent: any. */
  readonly among?: {
    readonly type?: readonly PaymentRow['type'][];
    readonly shortId?: readonly string[];
  };
}

/** The payments of one entity that are not given out yet, newest first. */
interface Cursor {
  readonly entityId: string;
  rows: readonly PaymentRow[];
  skip: number;
}

/**
 * Payments of the entities in a time frame, newest first, whichever entity made them. Reads a part of each entity at a time, by its index:
 * what is read grows with what is taken, not with the table.
 * @throws StoreUnavailableError
 */
export async function* paymentsByTime(
  store: Pick<Store, 'findRange'>,
  entityIds: readonly string[],
  frame: TimeFrame,
): AsyncGenerator<PaymentRow, void> {
  const read = async (cursor: Cursor): Promise<void> => {
    cursor.rows = await store.findRange('payments', 'time', {
      equals: [cursor.entityId],
      from: frame.fromMs,
      below: frame.toMs,
      descending: true,
      skip: cursor.skip,
      limit: CHUNK,
      ...(frame.among && { among: frame.among }),
    });
    cursor.skip += cursor.rows.length;
  };
  const cursors = entityIds.map((entityId): Cursor => ({ entityId, rows: [], skip: 0 }));
  await Promise.all(cursors.map(read));
  for (;;) {
    const next = newest(cursors);
    const [row, ...rest] = next?.rows ?? [];
    if (!next || !row) return;
    yield row;
    next.rows = rest;
    if (rest.length === 0) await read(next);
  }
}

/** The cursor whose first payment is the newest. */
function newest(cursors: readonly Cursor[]): Cursor | undefined {
  let best: Cursor | undefined;
  for (const cursor of cursors) if (isNewer(cursor.rows[0], best?.rows[0])) best = cursor;
  return best;
}

function isNewer(row: PaymentRow | undefined, than: PaymentRow | undefined): boolean {
  if (!row) return false;
  if (!than || row.createdAtMs !== than.createdAtMs) return !than || row.createdAtMs > than.createdAtMs;
  return row.id > than.id;
}
