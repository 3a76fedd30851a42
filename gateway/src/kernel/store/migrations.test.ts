import { describe, expect, it } from 'vitest';
import { STORE_MIGRATIONS } from './migrations.js';

/** What a build that does not know of it neither reads wrongly nor is kept from writing by. */
const ADDITIONS = [
  /^CREATE TABLE \S+ \(/,
  /^CREATE INDEX /,
  /^DROP INDEX /,
  /^ALTER TABLE \S+ ADD COLUMN (?!.*\bNOT NULL\b(?!.*\bDEFAULT\b))(?!.*\b(UNIQUE|REFERENCES|CHECK)\b)/,
];

/** The statements of an SQL text that only add; comments and semicolons in texts are not expected there. */
function others(sql: string): readonly string[] {
  const statements = sql.split(';').map((each) => each.trim());
  const added = new Set(
    statements.flatMap((each) => {
      const [, table, column = ''] =
        /^(?:CREATE|ALTER) TABLE "?(\w+)"?(?: ADD COLUMN "?(\w+)"?)?/.exec(each) ?? [];
      return table === undefined ? [] : [`${table}.${column}`];
    }),
  );
  // Older builds leave a new column empty, and know no new table.
  const isUniqueInNew = (each: string): boolean => {
    const [, table, column] = /^CREATE UNIQUE INDEX \S+ ON "?(\w+)"? \("?(\w+)"?\)/.exec(each) ?? [];
    return added.has(`${table}.`) || added.has(`${table}.${column}`);
  };
  return statements.filter(
    (each) => each !== '' && !ADDITIONS.some((form) => form.test(each)) && !isUniqueInNew(each),
  );
}

describe('a migration that says that older builds can read what it leaves', () => {
  it.each(STORE_MIGRATIONS.filter(({ id, readableFrom }) => readableFrom < id))(
    'only adds: $id, $name',
    ({ sqlite, postgres }) => {
      expect([...others(sqlite), ...others(postgres)]).toEqual([]);
    },
  );

  it.each([
    'ALTER TABLE payments DROP COLUMN x',
    'ALTER TABLE payments ADD COLUMN x TEXT NOT NULL',
    'ALTER TABLE payments ADD COLUMN x TEXT UNIQUE',
    'CREATE UNIQUE INDEX x ON payments (y)',
    'UPDATE payments SET x = 1',
    'DROP TABLE payments',
  ])('is not one with: %s', (sql) => expect(others(sql)).toEqual([sql]));

  it.each([
    'ALTER TABLE payments ADD COLUMN x TEXT',
    'ALTER TABLE payments ADD COLUMN x TEXT; CREATE UNIQUE INDEX y ON payments (x)',
    'CREATE TABLE z (a TEXT); CREATE UNIQUE INDEX y ON z (a)',
    "ALTER TABLE payments ADD COLUMN x TEXT NOT NULL DEFAULT ''",
    'CREATE INDEX x ON payments (y); CREATE TABLE z (a TEXT)',
  ])('may be one with: %s', (sql) => expect(others(sql)).toEqual([]));
});

describe('the migrations of the store', () => {
  it('are numbered upwards, and name steps that there are', () => {
    const ids = STORE_MIGRATIONS.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    for (const { id, readableFrom } of STORE_MIGRATIONS)
      expect([1, ...ids].filter((each) => each <= id)).toContain(readableFrom);
  });
});
