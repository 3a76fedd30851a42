/**
 * Reads a column of JSON. A row never changes and is read several times: the parsed value is cached with it, frozen. It is read
 * anew of another object with the same columns.
 */
export function parsedColumn<Column extends string, T>(
  column: Column,
): (row: Readonly<Record<Column, string>>) => T {
  const known = new WeakMap<object, T>();
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const value = JSON.parse(row[column]) as T;
    known.set(row, value);
    return value;
  };
}
