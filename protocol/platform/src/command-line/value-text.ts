import { PLAIN, type Style } from './style.js';
import { textTable } from './text-table.js';

/** Most characters of a cell; `--json` has all of them. */
const MAX_CELL_LENGTH = 48;

type Row = Readonly<Record<string, unknown>>;

/** How a value is shown. */
export interface ValueTextOptions {
  readonly style?: Style;
  /** Columns of the terminal; a wider table becomes a block for each row. */
  readonly width?: number;
}

/**
 * A result of a command for a person: a list as a table, an object as a line for each member. A row that does not fit into the width is
 * shown member by member.
 */
export function valueText(value: unknown, options: ValueTextOptions = {}): string {
  if (Array.isArray(value)) return listText(value, options);
  if (!isRow(value)) return cellOf(value);
  const own = Object.entries(value).filter(([, each]) => !isList(each));
  const lists = Object.entries(value).filter(([, each]) => isList(each));
  const blocks = own.length === 0 ? [] : [membersText(Object.fromEntries(own), options)];
  for (const [name, list] of lists)
    blocks.push(`${headOf(name, options)}\n${listText(list as readonly unknown[], options)}`);
  return blocks.join('\n\n');
}

function listText(list: readonly unknown[], options: ValueTextOptions): string {
  if (list.length === 0) return '(none)';
  if (!list.every(isRow)) return list.map(cellOf).join('\n');
  const heads = [...new Set(list.flatMap((row) => Object.keys(row)))].filter((name) =>
    list.some((row) => cellOf(row[name]) !== ''),
  );
  const rows = list.map((row) => heads.map((name) => shortened(cellOf(row[name]))));
  const plain = textTable(heads, rows);
  const isWide = plain.split('\n').some((line) => line.length > (options.width ?? Number.POSITIVE_INFINITY));
  if (isWide) return list.map((row) => membersText(row, options)).join('\n\n');
  return textTable(heads, rows, { style: options.style ?? PLAIN });
}

function membersText(row: Row, options: ValueTextOptions): string {
  const shown = Object.entries(row).filter(([, value]) => cellOf(value) !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  const { style = PLAIN } = options;
  return shown
    .map(
      ([name, value]) =>
        `${style.head(name)}${' '.repeat(width - name.length)}  ${style.state(cellOf(value))}`,
    )
    .join('\n');
}

function headOf(name: string, { style = PLAIN }: ValueTextOptions): string {
  return style.head(name);
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of objects has a table of its own; one of texts fits into a cell. */
function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

/** One line; empty for what is not there. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((each) => !isRow(each))) return value.map(cellOf).join(', ');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

function shortened(text: string): string {
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text;
}
