/** What the command line of the fuzzer asks for. */
export interface FuzzOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Beginnings of target names; every target when empty. */
  readonly names: readonly string[];
}

/** The command line makes no sense; the message says how it goes. Exit code 2. */
export class FuzzUsageError extends Error {
  override readonly name = 'FuzzUsageError';
}

/** How to call it. */
export const FUZZ_USAGE =
  'usage: npm run fuzz -- [--seconds N] [--seed N] [NAME…]   (NAME: beginning of a target)';

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 86_400;

/**
 * Reads the arguments.
 * @param freshSeed used where none is given, so that every run sees other inputs
 * @throws FuzzUsageError
 */
export function fuzzOptions(args: readonly string[], freshSeed: number): FuzzOptions {
  let [seconds, seed] = [DEFAULT_SECONDS, freshSeed];
  const names: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? '';
    if (arg === '--seconds') {
      i += 1;
      seconds = whole('--seconds', args[i], 1, MAX_SECONDS);
    } else if (arg === '--seed') {
      i += 1;
      seed = whole('--seed', args[i], 0, 0xffffffff);
    } else if (arg.startsWith('-')) throw new FuzzUsageError(`${arg} is no option\n${FUZZ_USAGE}`);
    else names.push(arg);
  }
  return { seconds, seed, names };
}

function whole(option: string, value: string | undefined, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(value ?? '') ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new FuzzUsageError(`${option} takes a whole number from ${min} to ${max}\n${FUZZ_USAGE}`);
}
