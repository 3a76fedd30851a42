import { readFileSync } from 'node:fs';

/** A journaled step at which a test wants the process to die. */
export interface CrashPoint {
  /** Kind of the row, or a step of a restore. */
  readonly kind: string;
  /** `before` the row is committed, or `after` it and before its result is reported. */
  readonly moment: 'before' | 'after';
}

/** The variable that sets a crash point, for tests that kill real processes at a known step. */
const CRASH_POINT_VARIABLE = 'TILLBRIDGE_CRASH_AT';

/** A crash point that a test writes into a file while the process runs, so that it needs no restart; none without the file. */
class CrashPointInFile implements CrashPoint {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get kind(): string {
    return this.#read()?.kind ?? '';
  }

  get moment(): CrashPoint['moment'] {
    return this.#read()?.moment ?? 'before';
  }

  #read(): CrashPoint | undefined {
    try {
      return parseCrashPoint(readFileSync(this.#path, 'utf8'));
    } catch {
      return undefined;
    }
  }
}

/**
 * Reads `<journal kind>:<before|after>`, or `@<file>` that will hold such a text; `undefined` for no text.
 * @throws RangeError when the text has another form
 */
export function parseCrashPoint(text: string | undefined): CrashPoint | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.startsWith('@')) return new CrashPointInFile(text.slice(1));
  const [kind, moment, rest] = text.split(':');
  if (!kind || (moment !== 'before' && moment !== 'after') || rest !== undefined) {
    throw new RangeError(
      `${CRASH_POINT_VARIABLE} must be <journal kind>:<before|after>, such as authorizing:after`,
    );
  }
  return { kind, moment };
}

/** The crash point that the environment sets, as a journal's option; empty without one. @throws RangeError */
export function crashOption(env: NodeJS.ProcessEnv): { readonly crashAt?: CrashPoint } {
  const crashAt = parseCrashPoint(env[CRASH_POINT_VARIABLE]);
  return crashAt ? { crashAt } : {};
}

/** Kills this process where a test set a crash point. */
export function dieAt(crashAt: CrashPoint | undefined, kind: string, moment: CrashPoint['moment']): void {
  if (crashAt?.kind === kind && crashAt.moment === moment) crashNow();
}

/** Kills this process without a chance to clean up, as a power switch would. */
export function crashNow(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('the process is to end at this crash point');
}
