import type { Readable } from 'node:stream';
import { present } from '@tillbridge/wire/present.js';
import type { CsvForm } from './csv-form.js';
import { HostLines } from './host-lines.js';
import { checkFile, type ImportDeps, type ImportReport, importFile } from './import-file.js';

/** What a file of an acquirer is imported with. */
export interface AcquirerFileDeps extends Omit<ImportDeps, 'acquirer' | 'hostLines' | 'progress'> {
  /** Called again and again with what became of the rows so far. */
  readonly progress?: (done: 'checked' | 'read', report: Pick<ImportReport, 'rows' | 'wrong'>) => void;
}

/** A file, and what is known of it. */
interface AcquirerFile {
  /** Its bytes, from the first one on, each time. */
  readonly open: () => Readable;
  readonly form: CsvForm;
  /** Nothing is imported where a row is wrong. */
  readonly whole: boolean;
  /** The link whose host wrote it: all of the days in it, for the consistency check. */
  readonly acquirer?: string;
  /** The settlement day (`yyyyMMdd`) of a file without rows. */
  readonly day?: number;
}

/** What became of a file: `refused` by its check, nothing of it was imported. */
export type ImportedFile =
  | { readonly refused: true; readonly report: Pick<ImportReport, 'rows' | 'wrong'> }
  | { readonly refused: false; readonly report: ImportReport };

/**
 * Imports a file of an acquirer, by whomever it is wanted: what was imported before changes nothing.
 * @throws StoreUnavailableError; the error of the stream
 */
export async function importAcquirerFile(
  { progress, ...deps }: AcquirerFileDeps,
  { open, form, whole, acquirer, day }: AcquirerFile,
): Promise<ImportedFile> {
  const progressOf = (done: 'checked' | 'read') =>
    progress && { progress: (report: Pick<ImportReport, 'rows' | 'wrong'>) => progress(done, report) };
  if (whole) {
    const report = await checkFile({ ...deps, ...progressOf('checked') }, open(), form);
    if (report.wrong > 0) return { refused: true, report };
  }
  const hostLines = acquirer === undefined ? undefined : new HostLines({ ...deps, acquirer });
  const report = await importFile(
    { ...deps, ...progressOf('read'), ...present({ hostLines, acquirer }) },
    open(),
    form,
  );
  // What could not be read is not missing.
  if (report.wrong === 0) await hostLines?.end(report.rows === 0 ? day : undefined);
  return { refused: false, report };
}
