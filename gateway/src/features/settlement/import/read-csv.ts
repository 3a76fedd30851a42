import { isUtf8 } from 'node:buffer';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { CsvForm } from './csv-form.js';

export const CSV_LIMITS = {
  /** Longest row, in bytes. */
  row: 32_768,
} as const;

/** A row with the number of its line, or what is wrong with the file from there on. */
export type CsvRow =
  | { readonly line: number; readonly values: readonly string[]; readonly fault?: undefined }
  | { readonly line: number; readonly fault: string };

/** The rows of a CSV, one after the other: what is in memory does not grow with the file. */
export async function* readCsv(
  bytes: Readable,
  { delimiter }: Pick<CsvForm, 'delimiter'>,
): AsyncGenerator<CsvRow, void> {
  const { parse } = await import('csv-parse');
  const lines = new CheckedLines();
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: CSV_LIMITS.row,
  });
  // It comes in its order, and is held no longer than other rows.
  parser.on(
    'skip',
    ({ lines: at = 0, code = 'unknown' }: { readonly lines?: number; readonly code?: string }) => {
      parser.push({ record: [], info: { lines: at }, fault: `is no row of a CSV (${code})` });
    },
  );
  const fail = (error: Error): void => void parser.destroy(error);
  bytes.on('error', fail);
  lines.on('error', fail);
  bytes.pipe(lines).pipe(parser);
  try {
    for await (const { record, info, fault } of parser as AsyncIterable<{
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
      readonly fault?: string;
    }>) {
      const line = info.lines;
      const isBad = lines.takeBad(line);
      if (fault !== undefined) yield { line, fault };
      else if (isBad) yield { line, fault: 'is not in UTF-8' };
      else yield { line, values: record };
    }
  } catch (error) {
    // A row without an end: the rows after it cannot be separated.
    const { code, lines: line = lines.count } = error as { readonly code?: string; readonly lines?: number };
    if (!code?.startsWith('CSV_')) throw error;
    yield { line, fault: `cannot be read any further (${code})` };
  }
}

const NEW_LINE = 0x0a;

/** Passes bytes on, and remembers the numbers of lines that are no UTF-8 until they are read. */
class CheckedLines extends Transform {
  count = 1;
  #rest: Buffer[] = [];
  readonly #bad = new Set<number>();

  /** Whether a line up to this number was no UTF-8; those are forgotten. */
  takeBad(line: number): boolean {
    let isBad = false;
    for (const bad of this.#bad) {
      if (bad > line) break;
      this.#bad.delete(bad);
      isBad = true;
    }
    return isBad;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(NEW_LINE, from);
      if (at < 0) break;
      this.#check(chunk.subarray(from, at));
      this.count += 1;
      from = at + 1;
    }
    // A line that is too long is judged in parts: its row is refused for its length.
    if (this.#rest.reduce((sum, part) => sum + part.length, 0) > CSV_LIMITS.row) this.#rest = [];
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.#check(Buffer.alloc(0));
    done();
  }

  #check(end: Buffer): void {
    const line = this.#rest.length === 0 ? end : Buffer.concat([...this.#rest, end]);
    this.#rest = [];
    if (!isUtf8(line)) this.#bad.add(this.count);
  }
}
