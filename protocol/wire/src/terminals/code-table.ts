/** What a code of a maker means, and what follows from it for the driver. */
export interface CodeSpec<Hint extends string = string> {
  readonly code: number;
  readonly meaning: string;
  readonly hint: Hint;
}

/** One code as a table lists it. */
type CodeRow = readonly [code: number, hint: string, meaning: string];

/** The codes of a maker, by our names for them. */
export function codeTable<const T extends Readonly<Record<string, CodeRow>>>(
  rows: T,
): { readonly [N in keyof T]: CodeSpec<T[N][1]> } {
  const specs = Object.entries(rows).map(([name, [code, hint, meaning]]) => [name, { code, meaning, hint }]);
  return Object.fromEntries(specs);
}

/** What can follow from the codes of a table. */
export type HintOf<T extends Readonly<Record<string, CodeSpec>>> = T[keyof T]['hint'];

/** A function from a code to its meaning; a code outside the table has that of `unknown`. */
export function specByCode<T extends Readonly<Record<string, CodeSpec>>, Other extends string>(
  table: T,
  unknown: Omit<CodeSpec<Other>, 'code'>,
): (code: number) => CodeSpec<HintOf<T> | Other> {
  const entries = new Map(Object.values(table).map((entry) => [entry.code, entry]));
  return (code) => entries.get(code) ?? { code, ...unknown };
}

/** A function that finds the name of a table's entry by its code; it answers undefined for a code outside the table. */
export function nameByCode<N extends string, S>(
  table: Readonly<Record<N, S>>,
  codeOf: (entry: S) => number,
): (code: number) => N | undefined {
  const names = new Map((Object.keys(table) as N[]).map((name) => [codeOf(table[name]), name]));
  return (code) => names.get(code);
}
