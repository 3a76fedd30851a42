import type { Rows, TableName } from './rows.js';
import { FIND_LIMIT, type Found, type Key, type Store } from './store.js';
import { keyOf } from './working-set.js';

/** All rows that `find` finds, read page by page. @throws StoreUnavailableError */
export function findAll<T extends TableName>(
  store: Pick<Store, 'find'>,
  table: T,
  index: string,
  values: Key,
): Promise<Rows[T][]> {
  return readPages(table, undefined, (after) => store.find(table, index, values, after && { after }));
}

/** All rows of a table whose primary key is above `after`, in key order, read page by page. @throws StoreUnavailableError */
export function allRows<T extends TableName>(
  store: Pick<Store, 'findAfter'>,
  table: T,
  after?: Key,
): Promise<Rows[T][]> {
  return readPages(table, after, (last) => store.findAfter(table, last));
}

async function readPages<T extends TableName>(
  table: T,
  from: Key | undefined,
  read: (after: Key | undefined) => Found<T>,
): Promise<Rows[T][]> {
  const rows: Rows[T][] = [];
  for (let after = from; ; ) {
    const page = await read(after);
    rows.push(...page);
    const last = page.at(-1);
    if (page.length < FIND_LIMIT || !last) return rows;
    after = keyOf(table, last);
  }
}
