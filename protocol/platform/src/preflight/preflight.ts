import { NamedError } from '@tillbridge/wire/errors/coded-error.js';

/** A program cannot begin; the message has a line for each reason, with what to do. Exit code 2. */
export class PreflightError extends NamedError {}

/** What a look found. */
export interface PreflightFinding {
  /** `fault`: the program cannot begin. `warning`: it can, and a person should know. */
  readonly kind: 'fault' | 'warning';
  /** What is wrong, and what to do. */
  readonly text: string;
  /** A fault that has an error of its own, which is thrown where it is the only one. */
  readonly error?: Error;
}

/** Looks at one thing that a program needs. */
export type PreflightCheck = () => PreflightFinding | undefined | Promise<PreflightFinding | undefined>;

/**
 * Looks at everything that a program needs, before it begins.
 * @param warn takes what does not stand in the way
 * @throws PreflightError with all that stands in the way; the error of a single fault that has one
 */
export async function preflight(
  checks: readonly PreflightCheck[],
  warn: (text: string) => void,
): Promise<void> {
  const faults: PreflightFinding[] = [];
  for (const check of checks) {
    const found = await check();
    if (found?.kind === 'warning') warn(found.text);
    else if (found) faults.push(found);
  }
  const [first] = faults;
  if (first?.error && faults.length === 1) throw first.error;
  if (first) throw new PreflightError(faults.map(({ text }) => text).join('\n'));
}

/** A fault of a check. */
export function fault(text: string, error?: Error): PreflightFinding {
  return { kind: 'fault', text, ...(error && { error }) };
}

/** A warning of a check. */
export function warning(text: string): PreflightFinding {
  return { kind: 'warning', text };
}
