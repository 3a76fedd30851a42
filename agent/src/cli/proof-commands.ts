import { PROOF_FAULTS } from '@tillbridge/wire/errors/proof-faults.js';
import type { Command } from 'commander';
import { loadConfig } from '../config/config.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** What these commands work with. */
interface ProofCommandDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Takes the exit code of a command that has ended. */
  readonly ended: (exitCode: number) => void;
}

/** Options of `prove`. */
interface ProveOptions {
  readonly output?: string;
  readonly config?: string;
  readonly home?: string;
  readonly json?: boolean;
}

/** Options of `verify-proof`. */
interface VerifyOptions {
  readonly gatewayKey?: string;
  readonly agent?: string;
  /** Write the page that verifies in a browser into this file. */
  readonly page?: string;
  readonly json?: boolean;
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
    .action(async (reference: string, options: ProveOptions) =>
      ended(await prove(reference, options, env, output)),
    );
  program
    .command('verify-proof')
    .description('verify the proof of a sale without a network, and say what it proves and what not')
    .argument('[file]', 'what "prove" wrote')
    .option('--gateway-key <key>', "fingerprint of the gateway's key, or a file with it in PEM")
    .option('--agent <id>', 'refuse the proof of any other agent')
    .option('--page <file>', 'write the page that verifies proofs in a browser')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExit codes: 0 proven, 1 refused, 2 wrong usage or no proof file.')
    .action(async (file: string | undefined, options: VerifyOptions) =>
      ended(await verify(file, options, output)),
    );
}

async function prove(
  reference: string,
  { config: file, home, output: to, json }: ProveOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const { writeProof } = await import('../proof/write-proof.js');
  const config = loadConfig(file, home === undefined ? env : { ...env, AGENT_HOME: home });
  const { path, proof } = await writeProof(config, reference, to);
  const { row, timeMs } = proof.head;
  const signedAt = new Date(timeMs).toISOString();
  if (json) output.out(JSON.stringify({ file: path, headRow: row, signedAt }));
  else {
    output.note(`its rows stood in the journal before row ${row}, which was countersigned at ${signedAt}:`);
    output.out(path);
  }
  return EXIT.ok;
}

async function verify(
  path: string | undefined,
  { gatewayKey, agent, page, json }: VerifyOptions,
  output: Output,
): Promise<number> {
  const { checkProof, writeProofPage } = await import('../proof/check-proof.js');
  if (page !== undefined) {
    writeProofPage(page);
    output.note('open it in a browser; it loads nothing from a network:');
    output.out(page);
  }
  if (path === undefined) {
    if (page === undefined) throw new CommandError(EXIT.usage, 'give the file of the proof, or --page FILE');
    return EXIT.ok;
  }
  if (gatewayKey === undefined)
    throw new CommandError(
      EXIT.usage,
      '--gateway-key is missing: give the fingerprint that "tillbridge-gateway agents gateway-key" prints, from a source that you trust',
    );
  const checked = await checkProof(path, { gatewayKey, ...(agent !== undefined && { agentId: agent }) });
  const { proof, kind: _kind, ...found } = checked;
  const { reference, writtenBy } = proof;
  if (checked.kind === 'refused') {
    const [text, action] = PROOF_FAULTS[checked.fault];
    if (json) output.out(JSON.stringify({ ok: false, reference, ...found, text, writtenBy }));
    else output.out(`REFUSED (${checked.fault}): ${text}.\nWhat to do: ${action}.`);
    return EXIT.declined;
  }
  const { proven, notProven } = checked;
  if (json) output.out(JSON.stringify({ ok: true, reference, ...found }));
  else output.out([...titled('Proven:', proven), ...titled('Not proven:', notProven)].join('\n'));
  return EXIT.ok;
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return [title, ...lines.map((line) => `  - ${line}`)];
}
