import { CSV_HEADERS } from '@tillbridge/gateway/features/settlement/rules/columns.js';

/** A line of a reconciliation file: the value of a column; empty for none. */
export type FileLine = (header: string) => string;

/** The lines of files. No value of a simulation has a quote or a semicolon in it. */
export function linesOf(files: readonly string[]): readonly FileLine[] {
  return files.flatMap((text) => {
    const [, ...lines] = text.trimEnd().split('\n');
    return lines.map((line) => {
      const values = line.split(';');
      return (header) => values[CSV_HEADERS.indexOf(header)] ?? '';
    });
  });
}
