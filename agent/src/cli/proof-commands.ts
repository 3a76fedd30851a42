import type { Command } from 'commander';
import { loadConfig } from '../config/config.js';
import type { ProveOptions } from './prove-command.js';
import type { Output } from './sale-command.js';
import type { VerifyProofOptions } from './verify-proof-command.js';

/** What these commands work with. */
interface ProofCommandDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Takes the exit code of a command that has ended. */
  readonly ended: (exitCode: number) => void;
}

interface HomeOptions {
  readonly config?: string;
  readonly home?: string;
}

/** `prove` and `verify-proof`. */
export function addProofCommands(program: Command, { env, output, ended }: ProofCommandDeps): void {
  program
    .command('prove')
    .description('write one file that proves what the journal recorded of a sale; the agent may run')
    .argument('<reference>', 'the till reference of the sale')
    .option('--output <file>', 'a new file (default: tillbridge-proof-REFERENCE.json)')
    .option('--config <file>', 'configuration in YAML')
    .option('--home <folder>', "the agent's home (default: as configured)")
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nNothing is written where card data is found. Exit codes: 0 written, 1 card data, 2 no such sale, 3 not countersigned yet.',
    )
    .action(async (reference: string, { config: file, home, ...options }: ProveOptions & HomeOptions) => {
      const { proveSale } = await import('./prove-command.js');
      const config = loadConfig(file, home === undefined ? env : { ...env, AGENT_HOME: home });
      ended(await proveSale(config, reference, options, output));
    });
  program
    .command('verify-proof')
    .description('verify the proof of a sale without a network, and say what it proves and what not')
    .argument('[file]', 'what "prove" wrote')
    .option('--gateway-key <key>', "fingerprint of the gateway's key, or a file with it in PEM")
    .option('--agent <id>', 'refuse the proof of any other agent')
    .option('--page <file>', 'write the page that verifies proofs in a browser')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExit codes: 0 proven, 1 refused, 2 wrong usage or no proof file.')
    .action(async (file: string | undefined, options: VerifyProofOptions) => {
      const { verifyProofFile } = await import('./verify-proof-command.js');
      ended(await verifyProofFile(file, options, output));
    });
}
