import {
  COMPLETION_SHELLS,
  type CompletionShell,
  completionScript,
} from '@tillbridge/platform/command-line/completion.js';
import { Argument, type Command } from 'commander';

/** `completion bash | zsh | fish`. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description(
      'Print the completion of commands and options for a shell: source <(tillbridge-gateway completion bash)',
    )
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices([...COMPLETION_SHELLS]))
    .action((shell: CompletionShell) => void process.stdout.write(completionScript(shell, program)));
}
