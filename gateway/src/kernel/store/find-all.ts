import type { Rows, TableName } from './rows.js';
import { FIND_LIMIT, type Found, type Key, type Store } from './store.js';
import { asRow, keyOf } from './working-set.js';

/**
 * Every row of an index with these values, however many there are, in key order: reads page by page. For what belongs to one owner or
 * is shown whole to an operator.
 * @throws StoreUnavailableError
 */
export async function findAll<T extends TableName>(
  store: Pick<Store, 'find'>,
  table: T,
  index: string,
  values: Key,
): Found<T> {
  const found: Rows[T][] = [];
  let page = await store.find(table, index, values);
  found.push(...page);
  while (page.length === FIND_LIMIT) {
    const last = found.at(-1);
    if (last === undefined) break;
    page = await store.find(table, index, values, { after: keyOf(table, asRow(last)) });
    found.push(...page);
  }
  return found;
}
