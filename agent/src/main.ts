import { styleFor } from '@tillbridge/platform/command-line/style.js';
import { endSignal } from '@tillbridge/platform/end-signal.js';
import { sourceStack } from '@tillbridge/platform/log/source-stacks.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import { EXIT } from './cli/exit-code.js';
import { runCommandLine } from './cli/main-command.js';

// Only the owner may read databases and logs, in any configured folder.
process.umask(0o077);

const output = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  note: (text: string) => void process.stderr.write(`${text}\n`),
  style: styleFor(process.env, process.stdout.isTTY),
};

/** A reader of our output that went away is no fault. */
process.stdout.on('error', () => {});

function die(error: unknown): never {
  process.stderr.write(
    `${maskText(error instanceof Error ? sourceStack(error.stack ?? error.message) : String(error))}\n`,
  );
  process.exit(EXIT.fault);
}
process.on('uncaughtException', die);
process.on('unhandledRejection', die);

const onHangUp = (work: () => void) => void process.on('SIGHUP', work);

runCommandLine(process.argv.slice(2), {
  env: process.env,
  output,
  run: async (configFile) => {
    // The other commands need no drivers and no server: loading them is most of what they would take.
    const { runAgent } = await import('./cli/run-command.js');
    return runAgent(configFile, { env: process.env, output, endSignal, onHangUp });
  },
}).then((exitCode) => process.exit(exitCode));
