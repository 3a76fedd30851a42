import { PLAIN, type Style } from './style.js';

/** How a table is shown. */
interface TableOptions {
  /** Heads of columns that end at the right. */
  readonly numbers?: readonly string[];
  readonly style?: Style;
}

/** Rows as aligned columns under their heads; empty columns stay. Cells with a state have its colour. */
export function textTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { numbers = [], style = PLAIN }: TableOptions = {},
): string {
  const widths = heads.map((_, column) =>
    Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[], paint: (cell: string) => string) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - cell.length);
        const isLast = column === row.length - 1;
        return numbers.includes(heads[column] ?? '')
          ? `${space}${paint(cell)}`
          : `${paint(cell)}${isLast ? '' : space}`;
      })
      .join('  ')
      .trimEnd();
  const rule = style.rule(widths.reduce((sum, width) => sum + width + 2, -2));
  return [
    line(heads, style.head),
    ...(rule === undefined ? [] : [rule]),
    ...rows.map((row) => line(row, style.state)),
  ].join('\n');
}
