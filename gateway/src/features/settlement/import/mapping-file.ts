import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { type CsvForm, readCsvForm } from './csv-form.js';

/** Largest mapping file, in bytes. */
const MAX_BYTES = 65_536;

/** The form of a mapping file. @throws OperatorError naming the file and what is wrong with it */
export function mappingOf(file: string): CsvForm {
  const refuse = (reason: string) => new OperatorError(`${file} ${reason}`);
  return readCsvForm(readSmallFile(file, MAX_BYTES, refuse).toString('utf8'), file);
}
