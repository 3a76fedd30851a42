import type { Rows, TableName } from './rows.js';
import type { Range, Store } from './store.js';

/** Rows that are read of one owner at once. */
const CHUNK = 128;

/** The rows of one owner that are not given out yet, newest first. */
interface Cursor<T extends TableName> {
  readonly equals: readonly [string];
  rows: readonly Rows[T][];
  skip: number;
}

/** Tables whose rows belong to one owner and have a time, with an index of both. */
type Timed = {
  readonly [T in TableName]: Rows[T] extends { readonly id: string } ? T : never;
}[TableName];

/**
 * Rows of several owners by an index of owner and time, newest first, whoever owns them. Reads a part of each owner at a time: what is
 * read grows with what is taken, not with the table.
 * @param timeOf the last column of the index
 * @throws StoreUnavailableError
 */
export async function* rowsByTime<T extends Timed>(
  store: Pick<Store, 'findRange'>,
  table: T,
  { index, timeOf }: { readonly index: string; readonly timeOf: (row: Rows[T]) => number },
  owners: readonly string[],
  range: Pick<Range<T>, 'from' | 'below' | 'among'>,
): AsyncGenerator<Rows[T], void> {
  const read = async (cursor: Cursor<T>): Promise<void> => {
    const { equals, skip } = cursor;
    cursor.rows = await store.findRange(table, index, {
      ...range,
      equals,
      descending: true,
      skip,
      limit: CHUNK,
    });
    cursor.skip += cursor.rows.length;
  };
  const isNewer = (row: Rows[T] | undefined, than: Rows[T] | undefined): boolean => {
    if (!row || !than) return row !== undefined;
    const apart = timeOf(row) - timeOf(than);
    return apart === 0 ? String(row.id) > String(than.id) : apart > 0;
  };
  const cursors = owners.map((owner): Cursor<T> => ({ equals: [owner], rows: [], skip: 0 }));
  await Promise.all(cursors.map(read));
  for (;;) {
    let next: Cursor<T> | undefined;
    for (const cursor of cursors) if (isNewer(cursor.rows[0], next?.rows[0])) next = cursor;
    const [row, ...rest] = next?.rows ?? [];
    if (!next || !row) return;
    yield row;
    next.rows = rest;
    if (rest.length === 0) await read(next);
  }
}
