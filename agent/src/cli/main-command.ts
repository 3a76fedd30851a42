import { CommanderError } from 'commander';
import { EXIT, exitCodeOfError } from './exit-code.js';
import { createProgram, type ProgramDeps } from './program.js';

/** Runs one command line and resolves with its exit code; what went wrong is written for a person. */
export async function runCommandLine(
  argv: readonly string[],
  deps: Omit<ProgramDeps, 'ended'>,
): Promise<number> {
  let exitCode: number = EXIT.usage;
  const program = createProgram({
    ...deps,
    ended: (code) => {
      exitCode = code;
    },
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has written its own message already; asking for help is no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const failed = exitCodeOfError(error);
    if (failed === undefined) throw error;
    deps.output.note((error as Error).message);
    return failed;
  }
}
