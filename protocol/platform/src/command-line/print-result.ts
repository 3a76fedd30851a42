import { styleFor } from './style.js';
import { valueText } from './value-text.js';

/** Options of a command that prints a result. */
export interface ResultOptions {
  readonly json?: boolean;
  readonly table?: boolean;
}

/** The form of results of this process: its one command sets it. */
let isTable = false;

/** Chooses the form of results: a table for a person at a terminal, JSON for a program, whichever the options name. */
export function chooseForm(
  { json = false, table = false }: ResultOptions,
  isTerminal: boolean | undefined,
): void {
  isTable = table || (isTerminal === true && !json);
}

/** Prints a result as JSON, or as a table for a person. */
export function printJson(value: unknown): void {
  const { columns: width } = process.stdout;
  const style = styleFor(process.env, process.stdout.isTTY);
  const text = isTable
    ? valueText(value, { style, ...(width !== undefined && { width }) })
    : JSON.stringify(value, undefined, 2);
  process.stdout.write(`${text}\n`);
}
