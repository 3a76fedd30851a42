import {
  COMPLETION_SHELLS,
  type CompletionShell,
  completionScript,
} from '@tillbridge/platform/command-line/completion.js';
import { showProgress } from '@tillbridge/platform/command-line/progress.js';
import { Argument, type Command } from 'commander';

/** Commands whose work may take long and that print nothing until it is done. */
const WITH_PROGRESS: ReadonlySet<string> = new Set([
  ...[
    'verify',
    'restore',
    'support-bundle',
    'export-incident',
    'totals',
    'doctor',
    'flush',
    'enrol',
    'prove',
  ],
]);

/** Where a command writes: results, and lines about its work. */
interface CommandOutput {
  readonly out: (text: string) => void;
  readonly note: (text: string) => void;
}

/** What the command lines of all programs have: `completion`, and a line about work that takes long. */
export function addCommonCommands(
  program: Command,
  { output, ended }: { readonly output: CommandOutput; readonly ended: (exitCode: number) => void },
): void {
  program
    .command('completion')
    .description(
      'print the completion of commands and options for a shell: source <(tillbridge-agent completion bash)',
    )
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices([...COMPLETION_SHELLS]))
    .action((shell: CompletionShell) => {
      output.out(completionScript(shell, program).trimEnd());
      ended(0);
    });
  let endProgress = (): void => undefined;
  program.hook('preAction', (_program, command) => {
    if (WITH_PROGRESS.has(command.name())) endProgress = showProgress(command.name(), output.note);
  });
  // Also of a command that fails, after which nothing is called.
  const parse = program.parseAsync.bind(program);
  program.parseAsync = (...args) => parse(...args).finally(() => endProgress());
}
