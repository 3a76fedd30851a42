import { CommanderError } from 'commander';
import { EXIT_CODES } from '../kernel/errors/error-table.js';
import { isOperatorError, operatorText } from '../kernel/errors/operator-error.js';
import { gatewayProgram } from './program.js';

// Only their owner may read databases and logs, in any configured folder.
process.umask(0o077);

/** A reader of our output that went away is no fault. */
process.stdout.on('error', () => {});

gatewayProgram()
  .parseAsync()
  .then(
    () => {
      process.exitCode ??= 0;
    },
    (error: unknown) => {
      process.exitCode = exitCodeOf(error);
    },
  );

function exitCodeOf(error: unknown): number {
  // Commander has printed its own message; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage[2];
  process.stderr.write(`tillbridge-gateway: ${operatorText(error)}\n`);
  return EXIT_CODES[isOperatorError(error) ? 'usage' : 'fault'][2];
}
