import { chooseForm, type ResultOptions } from '@tillbridge/platform/command-line/print-result.js';
import { showProgress } from '@tillbridge/platform/command-line/progress.js';
import type { Command } from 'commander';

/** Commands that print no result which could be a table. */
const WITHOUT_TABLE: ReadonlySet<string> = new Set([
  ...['serve', 'init', 'migrate', 'seed', 'backup', 'export', 'import', 'listen', 'decode', 'completion'],
  ...[
    'acquirer dialect show',
    'acquirer try',
    'export-incident',
    'explain',
    'check',
    'check explain',
    'go-live',
    'go-live confirm',
  ],
  'keys protocol',
]);

/** Commands that run until they are ended, or wait for a person. */
const WITHOUT_PROGRESS: ReadonlySet<string> = new Set([
  ...[
    'serve',
    'listen',
    'acquirer try',
    'keys import-components',
    'keys import-block',
    'keys import-cryptogram',
  ],
]);

/** Names of a command, without that of the program. */
export function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

/** Adds `--json` and `--table` to each command that prints results. */
export function addResultOptions(command: Command): void {
  for (const below of command.commands) addResultOptions(below);
  // A command with others below may do something itself, too.
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  if (isGroup || command.parent === null || WITHOUT_TABLE.has(nameOf(command))) return;
  command
    .option('--json', 'print the result as JSON, as without a terminal')
    .option('--table', 'print the result as a table, as at a terminal');
}

/** Chooses how results are printed, and has a command say that it still works. @returns what ends that */
export function beginCommand(command: Command): () => void {
  chooseForm(command.opts<ResultOptions>(), process.stdout.isTTY);
  const name = nameOf(command);
  if (WITHOUT_PROGRESS.has(name)) return () => undefined;
  return showProgress(name, (line) => void process.stderr.write(`${line}\n`));
}
