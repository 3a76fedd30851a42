import { expect, test } from 'vitest';
import { entityRow } from '../../core/entities/entities.js';
import { allRows, findAll } from './all-rows.js';
import type { EntityRow } from './rows.js';
import { FIND_LIMIT } from './store.js';
import { MemoryStore } from './testing/memory-store.js';

const COUNT = 2 * FIND_LIMIT + 1;
const idOf = (at: number): string => at.toString(16).padStart(32, '0');

test.each([0, 1, FIND_LIMIT, COUNT])('reads %i rows, each once', async (count) => {
  const store = new MemoryStore();
  const rows: EntityRow[] = Array.from({ length: count }, (_, at) => entityRow(idOf(at), 'Shop', null, 1));
  await store.commit(rows.map((row) => ({ op: 'insert', table: 'entities', row })));
  expect(await allRows(store, 'entities')).toEqual(rows);
  expect(await findAll(store, 'entities', 'kind', ['merchant'])).toEqual(rows);
  expect(await findAll(store, 'entities', 'kind', ['channel'])).toEqual([]);
  expect(await allRows(store, 'entities', [idOf(count - 1)])).toEqual([]);
});
