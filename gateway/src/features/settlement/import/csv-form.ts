import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { textOfCell } from '../rules/cell.js';
import { CSV_HEADERS, OTHER_HEADERS } from '../rules/columns.js';

/** How a file of an acquirer is written: as spec 2.11 says, or as a mapping file does. */
export interface CsvForm {
  readonly delimiter: string;
  /** Heading in the file by the heading of spec 2.11; undefined: the headings are those of the specification, all of them in their order. */
  readonly columns?: Readonly<Record<string, string>>;
  /** What the file writes for a value, by heading of spec 2.11. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Values of headings that the file does not have, or leaves empty. */
  readonly defaults: Readonly<Record<string, string>>;
}

/** The form of spec 2.11. */
export const STANDARD_FORM: CsvForm = { delimiter: ';', values: {}, defaults: {} };

const KNOWN: ReadonlySet<string> = new Set([...CSV_HEADERS, ...OTHER_HEADERS]);

/** Reads a mapping file. @throws OperatorError naming what is wrong */
export function readCsvForm(value: unknown): CsvForm {
  const { delimiter = ';', columns, values = {}, defaults = {} } = (value ?? {}) as Partial<CsvForm>;
  if (typeof delimiter !== 'string' || [...delimiter].length !== 1)
    throw new OperatorError('mapping: delimiter must be one character');
  if (typeof columns !== 'object' || columns === null)
    throw new OperatorError(
      'mapping: columns must name the heading of each column, by the headings of spec 2.11',
    );
  for (const [part, names] of Object.entries({ columns, values, defaults }))
    for (const name of Object.keys(names))
      if (!KNOWN.has(name)) throw new OperatorError(`mapping: ${part}: ${name} is no heading of spec 2.11`);
  const texts = [
    ...Object.values(columns),
    ...Object.values(defaults),
    ...Object.values(values).flatMap(Object.values),
  ];
  if (texts.some((text) => typeof text !== 'string'))
    throw new OperatorError('mapping: values must be texts');
  return { delimiter, columns, values, defaults };
}

/** How the values of a row are found. @param heads the first row @returns what is wrong with it, where something is */
export function readHeads(
  form: CsvForm,
  heads: readonly string[],
):
  | { readonly of: (values: readonly string[]) => ReadonlyMap<string, string>; readonly width: number }
  | string {
  const wanted = form.columns ?? Object.fromEntries(CSV_HEADERS.map((name) => [name, name]));
  if (!form.columns) {
    const at = CSV_HEADERS.findIndex((name, index) => heads[index] !== name);
    if (at >= 0) return `column ${at + 1} is ${heads[at] ?? 'missing'}, and must be ${CSV_HEADERS[at]}`;
    if (heads.length > CSV_HEADERS.length) return `has more than ${CSV_HEADERS.length} columns`;
  }
  const places = Object.entries(wanted).map(([name, head]) => [name, heads.indexOf(head)] as const);
  const missing = places.find(([, at]) => at < 0);
  if (missing) return `has no column ${wanted[missing[0]]}, which stands for ${missing[0]}`;
  const of = (values: readonly string[]): ReadonlyMap<string, string> => {
    const read = new Map(Object.entries(form.defaults));
    for (const [name, at] of places) {
      // Our own files come back so; what a mapping file describes is written by others.
      const cell = values[at]?.trim() ?? '';
      const value = form.columns ? cell : textOfCell(cell);
      const meant = form.values[name];
      const known = meant && Object.hasOwn(meant, value) ? meant[value] : value;
      if (known !== undefined && known !== '') read.set(name, known);
    }
    return read;
  };
  return { of, width: heads.length };
}
