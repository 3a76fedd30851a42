import { present } from '@tillbridge/wire/present.js';
import type { FindOptions } from '../../store/store.js';
import type { Values } from './administration.js';

/** Rows of a page without `limit`. */
const DEFAULT_LIMIT = 100;

/** How many rows a page has at most. */
export function limitOf(values: Values): number {
  return Number(values.get('limit') ?? DEFAULT_LIMIT);
}

/** A page of rows that several owners have, in the order of their keys, and the key that the next page comes after. */
export async function listPage<Row>(
  values: Values,
  keyOf: (row: Row) => string,
  finds: readonly ((options: FindOptions) => Promise<readonly Row[]>)[],
): Promise<{ readonly rows: readonly Row[]; readonly next?: string }> {
  const limit = limitOf(values);
  const after = values.get('after');
  const options = { limit: limit + 1, ...(after !== undefined && { after: [after] }) };
  const found: Row[] = [];
  for (const find of finds) found.push(...(await find(options)));
  found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, ...present({ next: found.length > limit && last ? keyOf(last) : undefined }) };
}
