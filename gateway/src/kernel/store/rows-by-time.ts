import type { Rows, TableName } from './rows.js';
import type { Range, Store } from './store.js';

/** Rows that are read of one owner at once at most. */
const CHUNK = 128;

/** Rows of one owner that were read, newest first, the first that is not given out yet, and where the next ones are. */
interface Cursor<T extends TableName> {
  readonly equals: readonly [string];
  rows: readonly Rows[T][];
  at: number;
  below: number | undefined;
  /** Rows just below that were read before: of the same time as the last one. */
  skip: number;
}

/** Tables whose rows belong to one owner and have a time, with an index of both. */
type Timed = {
  readonly [T in TableName]: Rows[T] extends { readonly id: string } ? T : never;
}[TableName];

/**
 * Rows of several owners by an index of owner and time, newest first, whichever owner has them. Reads a part of each owner at a time: what is
 * read grows with what is taken, not with the table.
 * @param timeOf the last column of the index
 * @param wanted how many are taken most often: more are not read at first
 * @throws StoreUnavailableError
 */
export async function* rowsByTime<T extends Timed>(
  store: Pick<Store, 'findRange'>,
  table: T,
  { index, timeOf }: { readonly index: string; readonly timeOf: (row: Rows[T]) => number },
  owners: readonly string[],
  range: Pick<Range<T>, 'from' | 'below' | 'among'>,
  wanted: number = CHUNK,
): AsyncGenerator<Rows[T], void> {
  const read = async (cursor: Cursor<T>): Promise<void> => {
    const { equals, below, skip } = cursor;
    cursor.rows = await store.findRange(table, index, {
      ...range,
      ...(below !== undefined && { below }),
      equals,
      descending: true,
      skip,
      limit: Math.min(CHUNK, wanted),
    });
    cursor.at = 0;
    const last = cursor.rows.at(-1);
    if (!last) return;
    // Passing over all that was read before would cost more with every part.
    const lastMs = timeOf(last);
    const alike = cursor.rows.filter((row) => timeOf(row) === lastMs).length;
    cursor.skip = below === lastMs + 1 ? skip + alike : alike;
    cursor.below = lastMs + 1;
  };
  const isNewer = (row: Rows[T] | undefined, than: Rows[T] | undefined): boolean => {
    if (!row || !than) return row !== undefined;
    const apart = timeOf(row) - timeOf(than);
    return apart === 0 ? String(row.id) > String(than.id) : apart > 0;
  };
  const cursors = owners.map(
    (owner): Cursor<T> => ({ equals: [owner], rows: [], at: 0, below: range.below, skip: 0 }),
  );
  await Promise.all(cursors.map(read));
  for (;;) {
    let next: Cursor<T> | undefined;
    for (const cursor of cursors) if (isNewer(cursor.rows[cursor.at], next?.rows[next.at])) next = cursor;
    const row = next?.rows[next.at];
    if (!next || !row) return;
    yield row;
    next.at += 1;
    if (next.at === next.rows.length) await read(next);
  }
}
