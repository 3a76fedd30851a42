import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type CommandSpec, misuse, type ParsedArguments, wholeNumber } from '../command-line/command-line.js';
import { SEEDS_FOR_COVERAGE } from './situations/situation-totals.js';

/** What the command line of the simulation requests. */
export type SimulationOptions =
  | {
      readonly kind: 'many';
      readonly seeds: number;
      readonly from: number;
      /** The first seed was picked at random: it has to be printed. */
      readonly isRandom: boolean;
      readonly threads: number;
    }
  /** Only the link to an acquirer; of one seed its trace is printed as it happens. */
  | { readonly kind: 'link'; readonly seeds: number; readonly from: number; readonly isTraced: boolean }
  /** For each deliberate bug the first seed that finds it. */
  | { readonly kind: 'bugs'; readonly seeds: number; readonly from: number }
  /** Replays the rows of an exported file through the machines. */
  | { readonly kind: 'incident'; readonly file: string }
  /** The journals of simulations are replayed, each as an export has it. */
  | { readonly kind: 'incidents'; readonly seeds: number; readonly from: number }
  /** One simulation, its trace printed as it happens. */
  | { readonly kind: 'one'; readonly seed: number };

const DEFAULT_SEEDS = 200;
/** A deliberate bug has to be found within so many. */
const SEEDS_PER_BUG = 200;
/** Simulations whose journals are replayed. */
const SEEDS_PER_INCIDENTS = 50;
const MAX_SEEDS = 10_000_000;
const MAX_SEED = 0xffff_ffff;
/** In the place of a first seed: any. */
const RANDOM = 'random';
const MAX_THREADS = 256;

/** How to call the simulation. */
export const SIMULATION_COMMAND: CommandSpec = {
  call: 'npm run simulate --',
  forms: [
    '[--seeds N] [--from S|random] [--threads N]',
    '--seed S',
    '--link [--seeds N] [--from S] | --link --seed S',
    '--bugs [--seeds N] [--from S]',
    '--incident FILE',
    '--incidents [--seeds N] [--from S]',
  ],
  summary:
    'Runs the whole system in simulations made from seeds and compares what tills were shown with the acquirer’s record.',
  options: {
    '--seeds': {
      value: 'N',
      help: `how many simulations (default ${DEFAULT_SEEDS}); with --bugs how many are tried for each (default ${SEEDS_PER_BUG})`,
    },
    '--from': {
      value: 'S',
      help: 'the first seed (default 1), the next ones follow it; "random" picks one and prints it',
    },
    '--threads': { value: 'N', help: 'how many simulations run at once (default: one for each core)' },
    '--seed': { value: 'S', help: 'only this simulation, with its trace' },
    '--link': { help: 'only the link to an acquirer, without tills: more payments over it in less time' },
    '--bugs': { help: 'for each deliberate bug the first seed that finds it' },
    '--incident': {
      value: 'FILE',
      help: 'replays what "export-incident" wrote: every row has to be reachable, and the first that is not is named',
    },
    '--incidents': {
      help: `replays the journals and payments of simulations (default ${SEEDS_PER_INCIDENTS}) in the same way`,
    },
  },
  notes: [
    'A broken promise is printed with its seed and the line that replays it, and makes the exit code 1.',
    `The rare situations that the simulations met are printed at the end; one that was met in no simulation of a run of at least ${SEEDS_FOR_COVERAGE} makes the exit code 1.`,
    'The last line is "worlds: P/N, sales M".',
  ],
};

/** @throws UsageError */
export function simulationOptions(args: ParsedArguments): SimulationOptions {
  const { options } = args;
  const whole = (name: string, max: number, preset: number): number =>
    wholeNumber(SIMULATION_COMMAND, args, name, { min: 1, max, preset });
  const file = options.get('--incident');
  if (file !== undefined) {
    const [other] = [...options.keys()].filter((name) => name !== '--incident');
    if (other === undefined) return { kind: 'incident', file };
    throw misuse(SIMULATION_COMMAND, `--incident replays one file and does not go with ${other}`);
  }
  if (options.has('--seed')) {
    const [other] = [...options.keys()].filter((name) => name !== '--seed' && name !== '--link');
    if (other !== undefined)
      throw misuse(SIMULATION_COMMAND, `--seed replays one simulation and does not go with ${other}`);
    const seed = whole('--seed', MAX_SEED, 1);
    return options.has('--link')
      ? { kind: 'link', seeds: 1, from: seed, isTraced: true }
      : { kind: 'one', seed };
  }
  if (options.has('--link') && options.has('--bugs'))
    throw misuse(SIMULATION_COMMAND, '--bugs tries those of the link too and does not go with --link');
  if (options.has('--incidents')) {
    const [other] = ['--bugs', '--link', '--threads'].filter((name) => options.has(name));
    if (other !== undefined)
      throw misuse(
        SIMULATION_COMMAND,
        `--incidents replays journals, in one thread, and does not go with ${other}`,
      );
    const seeds = whole('--seeds', MAX_SEEDS, SEEDS_PER_INCIDENTS);
    return { kind: 'incidents', seeds, from: whole('--from', MAX_SEED, 1) };
  }
  const kind = options.has('--bugs') ? 'bugs' : options.has('--link') ? 'link' : 'many';
  const seeds = whole('--seeds', MAX_SEEDS, kind === 'bugs' ? SEEDS_PER_BUG : DEFAULT_SEEDS);
  const isRandom = kind === 'many' && options.get('--from') === RANDOM;
  const from = isRandom ? randomInt(1, MAX_SEED - seeds) : whole('--from', MAX_SEED, 1);
  if (kind === 'many')
    return { kind, seeds, from, isRandom, threads: whole('--threads', MAX_THREADS, availableParallelism()) };
  if (options.has('--threads'))
    throw misuse(SIMULATION_COMMAND, `--${kind} runs in one thread and does not go with --threads`);
  return kind === 'link' ? { kind, seeds, from, isTraced: false } : { kind, seeds, from };
}
