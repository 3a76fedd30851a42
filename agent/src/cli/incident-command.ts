import type { Command } from 'commander';
import { loadConfig } from '../config/config.js';
import { EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** What this command works with. */
interface IncidentCommandDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Takes the exit code of a command that has ended. */
  readonly ended: (exitCode: number) => void;
}

interface IncidentOptions {
  readonly since: string;
  readonly output?: string;
  readonly config?: string;
  readonly home?: string;
  /** False: without the traces of terminals. */
  readonly frames?: boolean;
  readonly json?: boolean;
}

/** `export-incident`. */
export function addIncidentCommand(program: Command, { env, output, ended }: IncidentCommandDeps): void {
  program
    .command('export-incident')
    .description(
      'write what the journal recorded since a time into one masked file that can be replayed; the agent may run',
    )
    .requiredOption(
      '--since <time>',
      'ISO 8601, or a date or time of the store: sales that went on since then, whole',
    )
    .option('--output <file>', 'a new file (default: tillbridge-incident-TIME.json)')
    .option('--no-frames', 'without the traces of terminals')
    .option('--config <file>', 'configuration in YAML')
    .option('--home <folder>', "the agent's home (default: as configured)")
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nTexts that look like card data are masked and named. Nothing is written where other card data is found.\nExit codes: 0 written, 1 card data, 2 wrong usage or no journal.',
    )
    .action(async (options: IncidentOptions) => ended(await exportIncident(options, env, output)));
}

async function exportIncident(
  { config: file, home, output: to, since, frames, json }: IncidentOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const { writeIncident } = await import('../incident/write-incident.js');
  const config = loadConfig(file, home === undefined ? env : { ...env, AGENT_HOME: home });
  const { path, sales, rows, masked } = await writeIncident(config, {
    since,
    ...(to !== undefined && { output: to }),
    ...(frames !== undefined && { frames }),
  });
  if (json) output.out(JSON.stringify({ file: path, sales, rows, masked }));
  else {
    for (const text of masked) output.note(`masked: ${text}`);
    output.note(`${rows} rows, ${sales} sales; it has references and amounts, and no card data:`);
    output.out(path);
  }
  return EXIT.ok;
}
