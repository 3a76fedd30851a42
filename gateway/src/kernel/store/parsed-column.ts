/**
 * Reads a column of JSON. A row never changes and is asked several times: what was read is remembered with it, for nobody to change. It is read
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
