import {
  type CommandSpec,
  meant,
  misuse,
  type ParsedArguments,
  wholeNumber,
} from '../command-line/command-line.js';
import { FUZZ_TARGETS } from './targets.js';

/** What the command line of the fuzzer requests. */
export interface FuzzOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Places in `FUZZ_TARGETS`. */
  readonly targets: readonly number[];
}

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 86_400;
const MAX_SEED = 0xffff_ffff;

/** `emv/` of `emv/tlv`. */
function groupOf(name: string): string {
  return name.slice(0, name.indexOf('/') + 1);
}

const NAMES = FUZZ_TARGETS.map(({ name }) => name);
const GROUPS = [...new Set(NAMES.map(groupOf))];

/** How to call the fuzzer. */
export const FUZZ_COMMAND: CommandSpec = {
  call: 'npm run fuzz --',
  forms: ['[--seconds N] [--seed S] [NAME…]'],
  summary:
    'Mutates valid messages from a seed and gives them to every parser; what crashes, hangs or keeps memory is printed with its input.',
  operands: {
    title: 'Targets, by name or its beginning (default: all)',
    rows: GROUPS.map((group) => [
      group,
      NAMES.filter((name) => groupOf(name) === group)
        .map((name) => name.slice(group.length))
        .join(', '),
    ]),
  },
  options: {
    '--seconds': { value: 'N', help: `how long, shared by the targets (default ${DEFAULT_SECONDS})` },
    '--seed': { value: 'S', help: 'the same inputs again (default: another one each time; it is printed)' },
  },
};

/**
 * What the arguments request.
 * @param freshSeed used where none is given, so that every run sees other inputs
 * @throws UsageError
 */
export function fuzzOptions(args: ParsedArguments, freshSeed: number): FuzzOptions {
  return {
    seconds: wholeNumber(FUZZ_COMMAND, args, '--seconds', {
      min: 1,
      max: MAX_SECONDS,
      preset: DEFAULT_SECONDS,
    }),
    seed: wholeNumber(FUZZ_COMMAND, args, '--seed', { min: 0, max: MAX_SEED, preset: freshSeed }),
    targets: targetsOf(args.operands),
  };
}

function targetsOf(wanted: readonly string[]): readonly number[] {
  const unknown = wanted.find((text) => !NAMES.some((name) => name.startsWith(text)));
  if (unknown !== undefined) {
    const near = meant(unknown, [...GROUPS, ...NAMES]);
    throw misuse(
      FUZZ_COMMAND,
      `no target begins with "${unknown}"${near || `; there are ${NAMES.join(', ')}`}`,
    );
  }
  const all = NAMES.map((_, index) => index);
  return wanted.length === 0
    ? all
    : all.filter((index) => wanted.some((text) => NAMES[index]?.startsWith(text)));
}
