/** A function that finds a table's entry by its code; it answers undefined for a code outside the table. */
export function entryByCode<S>(
  table: Readonly<Record<string, S>>,
  codeOf: (entry: S) => number,
): (code: number) => S | undefined {
  const entries = new Map(Object.values(table).map((entry) => [codeOf(entry), entry]));
  return (code) => entries.get(code);
}

/** A function that finds the name of a table's entry by its code; it answers undefined for a code outside the table. */
export function nameByCode<N extends string, S>(
  table: Readonly<Record<N, S>>,
  codeOf: (entry: S) => number,
): (code: number) => N | undefined {
  const names = new Map((Object.keys(table) as N[]).map((name) => [codeOf(table[name]), name]));
  return (code) => names.get(code);
}
