import { spawn } from 'node:child_process';
import { EnrolmentPurpose } from '@tillbridge/wire/bridge/messages.js';
import { type Command, Option } from 'commander';
import type { InstallOptions } from '../install/install-agent.js';
import type { UninstallOptions } from '../install/uninstall-agent.js';
import { AgentClient } from './agent-client.js';
import { EXIT, exitCodeOfError } from './exit-code.js';
import type { Output } from './sale-command.js';

interface InstallCommandDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Takes the exit code of a command that has ended. */
  readonly ended: (exitCode: number) => void;
}

/** `install`, `uninstall`. */
export function addInstallCommands(program: Command, { env, output, ended }: InstallCommandDeps): void {
  withPlace(program.command('install'))
    .description('install the agent as a service and enrol it; run again, it goes on where it ended')
    .argument('[code]', 'what "tillbridge-gateway agents enrol-code" printed; not needed once enrolled')
    .option('--port <port...>', 'a port to probe for a terminal: [ID=]PATH, such as 7001=/dev/ttyACM0')
    .option('--bridge-url <url>', 'where the gateway is reached (default: as the code has it)')
    .addOption(
      new Option('--mode <mode>', 'of the agent (default: as the code has it)').choices(['test', 'live']),
    )
    .option('--capk-file <file>', "the acquirer's certification authority keys, in live mode")
    .addHelpText(
      'after',
      `
Without root it installs for you alone: a unit of your own systemd, and a home below ~/.local/state.
Exit codes: 0 done, 1 something stands in the way of a sale, 2 a step came to nothing; follow its message.`,
    )
    .action(async (code: string | undefined, options: InstallOptions) => {
      ended(await install(code, options, { env, output }));
    });
  withPlace(program.command('uninstall'))
    .description('remove what install made; refused while sales or messages wait for the gateway or a person')
    .option('--keep-home', 'keep journal and keys (default)')
    .option('--purge <agent>', 'delete journal and keys too: type the agent id of this store')
    .addHelpText(
      'after',
      '\nExit codes: 0 removed, 1 money is owed or the name is another one, 2 a step came to nothing.',
    )
    .action(async (options: UninstallOptions) => {
      const { uninstallAgent } = await import('../install/uninstall-agent.js');
      ended(await uninstallAgent(options, { env, output, exitCodeOf: exitCodeOfError }));
    });
}

function withPlace(command: Command): Command {
  return command
    .option('--system', 'for the whole machine (default for root)')
    .option('--user', 'for the user who calls (default for all others)')
    .option('--root <folder>', 'a folder that stands for the root of the system; nothing is started there')
    .option('--dry-run', 'show the steps, and do none')
    .option('--json', 'as JSON');
}

/** Loads what an installation takes when it is called: it is most of the program. */
async function install(
  code: string | undefined,
  options: InstallOptions,
  { env, output }: Pick<InstallCommandDeps, 'env' | 'output'>,
): Promise<number> {
  const { installAgent } = await import('../install/install-agent.js');
  const { completeHome, redeemCode } = await import('./enrol-command.js');
  const { examineHome } = await import('./doctor-command.js');
  return installAgent(code, options, {
    env,
    output,
    exitCodeOf: exitCodeOfError,
    redeem: (config, text) => redeemCode(config, text, EnrolmentPurpose.NEW_AGENT, ''),
    complete: completeHome,
    // The policy of the store comes with the first session, which is still to come.
    examine: async (config) => {
      const { machine, terminals } = await examineHome(config, env, () => undefined);
      return [...machine, ...terminals.flatMap(({ findings }) => findings)];
    },
    handOver: (command) => runAgain(command, process.argv.slice(2)),
    connect: (address) => new AgentClient(address),
  });
}

/** Signals that end a command. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a program with the terminal of this one; it gets the signals that this one gets. Resolves with its exit code. */
function runAgain(command: string, words: readonly string[]): Promise<number> {
  const child = spawn(command, words, { stdio: 'inherit' });
  for (const signal of END_SIGNALS) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? EXIT.fault));
  });
}
