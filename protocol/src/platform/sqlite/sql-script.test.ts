import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SqliteConnection } from './connection.js';
import { literal, SqlScript } from './sql-script.js';

test('every value comes back as it was, whatever it holds', async () => {
  const path = join(tmpdir(), `sql-script-${process.pid}.db`);
  const database = await SqliteConnection.open(path);
  try {
    const texts = ["o'clock", '"; DROP TABLE t; --', 'zero\u0000byte', '', '?', 'ünïcødé 🧾', "X'00'"];
    const script = new SqlScript();
    await script.run('CREATE TABLE t (at INTEGER, text TEXT, bytes BLOB)');
    for (const [at, text] of texts.entries()) {
      await script.run('INSERT INTO t VALUES (?, ?, ?)', at, text, Buffer.from(text, 'utf8'));
    }
    await script.run('INSERT INTO t VALUES (?, ?, ?)', -1, null, null);
    await database.exec(script.text);
    const rows = await database.all(
      'SELECT text, typeof(text) AS type, bytes FROM t WHERE at >= 0 ORDER BY at',
    );
    expect(rows.map(({ text }) => text)).toEqual(texts);
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['text']));
    expect(rows.map(({ bytes }) => Buffer.from(bytes as Uint8Array).toString('utf8'))).toEqual(texts);
    expect(await database.get('SELECT text, bytes FROM t WHERE at = ?', -1)).toEqual({
      text: null,
      bytes: null,
    });
  } finally {
    await database.close();
    rmSync(path, { force: true });
  }
});

test('numbers that are not whole are refused', () => {
  for (const number of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
    expect(() => literal(number)).toThrow(TypeError);
  }
});
