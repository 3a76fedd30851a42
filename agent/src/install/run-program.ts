import { execFile } from 'node:child_process';

/** How a program of the system ended. */
export interface ProgramEnd {
  readonly exitCode: number;
  /** What it printed on both streams. */
  readonly text: string;
}

/** How long a program of the system may take. */
const TIMEOUT_MS = 60_000;

/** Runs a program of the system to its end; one that is missing ends with 127. */
export function runProgram(program: string, args: readonly string[]): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      const text = `${stdout}${stderr}`.trim();
      if (!error) resolve({ exitCode: 0, text });
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, text });
      else resolve({ exitCode: 127, text: text || error.message });
    });
  });
}
