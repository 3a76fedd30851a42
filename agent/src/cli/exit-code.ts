import type { ErrorGroup } from '@tillbridge/wire/errors/error-row.js';
import { COMMAND_ERRORS, EXIT_CODES } from '../errors/error-table.js';

/** Exit codes of `tillbridge-agent`, by what happened; `ok`: done, and of a sale: approved. */
export const EXIT = {
  ok: 0,
  declined: EXIT_CODES.declined[2],
  usage: EXIT_CODES.usage[2],
  unknown: EXIT_CODES.unknown[2],
  fault: EXIT_CODES.fault[2],
} as const;

/** Ends a command with a message for a person and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Exit code of an error whose message shows the user what to do; undefined for a fault of the program itself. */
export function exitCodeOfError(error: unknown): number | undefined {
  if (error instanceof CommandError) return error.exitCode;
  const rows: ErrorGroup = COMMAND_ERRORS;
  return error instanceof Error ? rows[error.name]?.[2] : undefined;
}
