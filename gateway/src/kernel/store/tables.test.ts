import { expect, it } from 'vitest';
import { shapeOf, TABLES, type TableName } from './tables.js';

/** Tables that grow with every sale. */
const GROWING: ReadonlySet<string> = new Set(['intents', 'payments', 'vault', 'dataKeys']);

const references = (Object.keys(TABLES) as TableName[]).flatMap((table) =>
  Object.entries(shapeOf(table).columns)
    .filter(([, { references = '' }]) => GROWING.has(references))
    .map(([column]) => [table, column] as const),
);

// SQLite looks for rows that refer to a new one while a transaction has a reference without its row, and to one that is deleted: without
// an index that reads the whole table. 256 stores sold 1,000 times a second, and 300 times as soon as some thousand rows were there.
it.each(references)('%s.%s, which refers to a table that grows, begins an index', (table, column) => {
  const { key, unique, indexes } = shapeOf(table);
  const firsts = [key, ...Object.values(unique), ...Object.values(indexes)].map(([first]) => first);
  expect(firsts).toContain(column);
});
