/** Exit codes of `tillbridge-agent`, by what happened. */
export const EXIT = {
  /** Done; of a sale: approved. */
  ok: 0,
  /** The sale ended in any other way than approved. */
  declined: 1,
  /** A wrong argument, configuration or request; a port in use. */
  usage: 2,
  /** The agent cannot be reached, or the outcome is not known yet. */
  unknown: 3,
  /** A fault of the program itself. */
  fault: 70,
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
