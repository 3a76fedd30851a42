import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import type { Command } from 'commander';
import { addCommand, type ConfigOption, withHomeStore } from '../../../kernel/commands/command.js';
import { listAcquirerFiles, settleAcquirerFile } from '../host-files/administer-files.js';

const HELP = `
"state": "due" until the next look, then "imported", or "quarantined" where a row is wrong: nothing of the file counts, and "faults" gives the reasons.
A file that was changed at its place is imported again by itself; the same rows change nothing.`;

/** `acquirer files | retry-file | drop-file`. */
export function addFileCommands(acquirer: Command): void {
  addCommand(
    acquirer,
    'files [acquirer]',
    'List the settlement and chargeback files that acquirers have put where the gateway looks, the newest first.',
  )
    .addHelpText('after', HELP)
    .action(async (name: string | undefined, options: ConfigOption) =>
      printJson(await withHomeStore(options.readConfig(), (store) => listAcquirerFiles(store, name))),
    );
  addCommand(
    acquirer,
    'retry-file <acquirer> <file>',
    'Import a quarantined file again with the next look, where its cause is removed. It must be at its place.',
  ).action(async (name: string, file: string, options: ConfigOption) =>
    printJson(
      await withHomeStore(options.readConfig(), (store) =>
        settleAcquirerFile({ store, clock }, [name, file], { state: 'due' }),
      ),
    ),
  );
  addCommand(
    acquirer,
    'drop-file <acquirer> <file>',
    'Never import a quarantined file, unless it is changed. Good rows of it may be imported by `settlement import`.',
  )
    .requiredOption('--note <text>', 'why')
    .action(async (name: string, file: string, { note, ...options }: ConfigOption & { note: string }) =>
      printJson(
        await withHomeStore(options.readConfig(), (store) =>
          settleAcquirerFile({ store, clock }, [name, file], { state: 'dropped', note }),
        ),
      ),
    );
}
