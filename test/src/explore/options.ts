import {
  type CommandSpec,
  meant,
  misuse,
  type ParsedArguments,
  wholeNumber,
} from '../command-line/command-line.js';
import { type Bound, MACHINE_NAMES, MACHINES, type MachineName } from './machines.js';

/** What the command line of the exploration asks for. */
export interface ExploreOptions {
  readonly machines: readonly MachineName[];
  readonly bound: Bound;
  /** Of each machine. */
  readonly seconds: number;
  readonly memoryMib: number;
  /** For each planted bug the shortest trace that shows it. */
  readonly bugs: boolean;
  /** Keeps the trace of a violation, so that a test replays it. */
  readonly keep: boolean;
}

/** More than the longest takes on two quiet cores. Two at once, all of them take less than ten minutes there. */
const DEFAULT_SECONDS = 480;
const MAX_SECONDS = 86_400;
const DEFAULT_MEMORY_MIB = 3_500;
const MAX_MEMORY_MIB = 1_000_000;

/** How to call the exploration. */
export const EXPLORE_COMMAND: CommandSpec = {
  call: 'npm run explore --',
  forms: [
    '[--quick|--deep] [--seconds N] [--memory MIB] [--keep] [MACHINE…]',
    '--bugs [--seconds N] [MACHINE…]',
  ],
  summary: 'Visits every state of the code that decides, and looks at the promises in each.',
  operands: {
    title: 'Machines',
    rows: MACHINE_NAMES.map((name) => [name, MACHINES[name].what] as const),
  },
  options: {
    '--deep': { help: 'further than that: as far as time and memory last' },
    '--quick': { help: 'as far as in every test run; default: the full bound' },
    '--seconds': { value: 'N', help: `most seconds for each machine (default ${DEFAULT_SECONDS})` },
    '--memory': { value: 'MIB', help: `most memory of a process (default ${DEFAULT_MEMORY_MIB})` },
    '--keep': {
      help: 'keeps the trace of a broken promise in test/src/explore/traces, where a test replays it',
    },
    '--bugs': { help: 'for each planted bug the length of the shortest trace that shows it' },
  },
  notes: [
    'Two machines are explored at once, each in a process of its own.',
    'A broken promise is printed as its shortest story, and makes the exit code 1.',
  ],
};

/** @throws UsageError */
export function exploreOptions(args: ParsedArguments): ExploreOptions {
  const { options, operands } = args;
  const whole = (name: string, max: number, preset: number): number =>
    wholeNumber(EXPLORE_COMMAND, args, name, { min: 1, max, preset });
  if (options.has('--bugs') && options.has('--keep'))
    throw misuse(EXPLORE_COMMAND, '--bugs keeps no traces and does not go with --keep');
  if (options.has('--quick') && options.has('--deep'))
    throw misuse(EXPLORE_COMMAND, '--quick does not go with --deep');
  return {
    machines: operands.length === 0 ? MACHINE_NAMES : operands.map(machineNamed),
    bound: options.has('--quick') ? 'quick' : options.has('--deep') ? 'deep' : 'full',
    seconds: whole('--seconds', MAX_SECONDS, DEFAULT_SECONDS),
    memoryMib: whole('--memory', MAX_MEMORY_MIB, DEFAULT_MEMORY_MIB),
    bugs: options.has('--bugs'),
    keep: options.has('--keep'),
  };
}

function machineNamed(name: string): MachineName {
  const found = MACHINE_NAMES.find((each) => each === name);
  if (found) return found;
  throw misuse(EXPLORE_COMMAND, `${name} is no machine${meant(name, MACHINE_NAMES)}`);
}
