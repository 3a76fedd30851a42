import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { STANDARD_FORM } from './csv-form.js';
import { type CsvRow, readCsv } from './read-csv.js';

async function rowsOf(text: string): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of readCsv(Readable.from([Buffer.from(text, 'latin1')]), STANDARD_FORM))
    rows.push(row);
  return rows;
}

it('reports a line that is no row at its place', async () => {
  const fault = 'is no row of a CSV (INVALID_OPENING_QUOTE)';
  expect(await rowsOf('a;b\nc"d;e\nf;g\nh"i;j\n')).toEqual([
    { line: 1, values: ['a', 'b'] },
    { line: 2, fault },
    { line: 3, values: ['f', 'g'] },
    { line: 4, fault },
  ]);
});

it('lays bytes that are no UTF-8 to the row that has them', async () => {
  const rows = await rowsOf('a;\xe4\nc"\xe4;e\nf;g\n');
  expect(rows.map(({ fault }) => fault)).toEqual([
    'is not in UTF-8',
    'is no row of a CSV (INVALID_OPENING_QUOTE)',
    undefined,
  ]);
});

it('holds no more of a file in memory where none of its rows can be read', async () => {
  const chunks = 1_000;
  let read = 0;
  const source = Readable.from(
    (function* () {
      for (; read < chunks; read += 1) yield Buffer.from('c"d;e\n'.repeat(1_000));
    })(),
  );
  for await (const { fault } of readCsv(source, STANDARD_FORM)) {
    expect(fault).toContain('is no row of a CSV');
    break;
  }
  expect(read).toBeLessThan(chunks / 2);
});
