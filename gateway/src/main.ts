#!/usr/bin/env node
import { maskText } from '@tillbridge/protocol/mask/mask.js';
import { CommanderError } from 'commander';
import { gatewayProgram } from './cli/program.js';

// Databases and logs are their owner's alone, whatever folder they are told to live in.
process.umask(0o077);

/** Errors that the operator can mend: a wrong configuration, a taken port or home, a file that is not as it must be. */
const OPERATOR_ERRORS: ReadonlySet<string> = new Set([
  'ConfigError',
  'EntityError',
  'HomeModeError',
  'HomeInUseError',
  'KeyCommandError',
  'KeyStoreError',
  'OperatorError',
  'PortInUseError',
  'PromptError',
  'SchemaTooNewError',
  'SecretFileError',
  'SecurityModuleError',
  'SeedError',
  'StoreUnavailableError',
  'TokenError',
]);

try {
  await gatewayProgram().parseAsync();
  process.exitCode ??= 0;
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // Commander has printed its own message; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known = error instanceof Error && OPERATOR_ERRORS.has(error.name);
  const text =
    error instanceof Error ? ((known ? error.message : error.stack) ?? error.message) : String(error);
  process.stderr.write(`tillbridge-gateway: ${maskText(text)}\n`);
  return known ? 2 : 1;
}
