import { mappingOf, ruledText, section } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { type TSchema, Type } from '@tillbridge/platform/schema/type.js';
import { textOfCell } from '../../../kernel/api/cell.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { CSV_HEADERS, OTHER_HEADERS } from '../rules/columns.js';

/** The form of an acquirer's file: that of docs/reconciliation.md, or of a mapping file. */
export interface CsvForm {
  readonly delimiter: string;
  /** Heading in the file by the heading of docs/reconciliation.md; undefined: the headings are those of the specification, all of them in their order. */
  readonly columns?: Readonly<Record<string, string>>;
  /** What the file writes for a value, by heading of docs/reconciliation.md. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Values of headings that the file does not have, or leaves empty. */
  readonly defaults: Readonly<Record<string, string>>;
}

/** The form of docs/reconciliation.md. */
export const STANDARD_FORM: CsvForm = { delimiter: ';', values: {}, defaults: {} };

const byHeading = <T extends TSchema>(value: T, meaning?: { readonly default: object }) =>
  mappingOf(
    'headings of spec 2.11',
    [...CSV_HEADERS, ...OTHER_HEADERS],
    'a heading of spec 2.11',
    value,
    meaning,
  );
const TEXT = Type.String({ expected: 'a text' });
const FORM = section(
  {
    delimiter: ruledText(
      'one character',
      (value) => (typeof value === 'string' && [...value].length === 1 ? undefined : {}),
      { default: ';' },
    ),
    columns: byHeading(TEXT),
    values: byHeading(mappingOf('what the file writes', /^/, 'a text', TEXT), { default: {} }),
    defaults: byHeading(TEXT, { default: {} }),
  },
  { expected: 'an object with columns' },
);

/** Reads a mapping file. @throws OperatorError naming what is wrong */
export const readCsvForm: (json: string, file?: string) => CsvForm = jsonReader(
  FORM,
  'the mapping',
  (reason) => new OperatorError(reason),
);

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
