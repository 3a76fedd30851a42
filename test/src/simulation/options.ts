/** What the command line of the simulation asks for. */
export type SimulationOptions =
  | { readonly kind: 'many'; readonly seeds: number; readonly from: number }
  /** For each deliberate bug the first seed that finds it. */
  | { readonly kind: 'bugs'; readonly seeds: number; readonly from: number }
  /** One world, its trace printed as it happens. */
  | { readonly kind: 'one'; readonly seed: number };

/** The command line makes no sense; the message says how it goes. Exit code 2. */
export class SimulationUsageError extends Error {
  override readonly name = 'SimulationUsageError';
}

/** How to call it. */
export const SIMULATION_USAGE = [
  'usage: npm run simulate -- [--seeds N] [--from S]   N worlds from seed S on (default 200 from 1), on all cores',
  '       npm run simulate -- --seed S                 one world, with its trace',
  '       npm run simulate -- --bugs [--seeds N] [--from S]',
  '                                                    for each deliberate bug the first of N seeds (default 500) that finds it',
  'Exit code 1: a promise was broken; the line that replays it is printed. 2: wrong usage.',
].join('\n');

const DEFAULT_SEEDS = 200;
/** A deliberate bug has to be found within so many. */
const SEEDS_PER_BUG = 500;
const MAX_SEEDS = 10_000_000;
const MAX_SEED = 0xffff_ffff;

/** @throws SimulationUsageError */
export function simulationOptions(args: readonly string[]): SimulationOptions {
  if (args[0] !== '--bugs') return readOptions(args, DEFAULT_SEEDS);
  const options = readOptions(args.slice(1), SEEDS_PER_BUG);
  if (options.kind === 'one')
    throw new SimulationUsageError(`--bugs looks through many seeds\n${SIMULATION_USAGE}`);
  return { ...options, kind: 'bugs' };
}

function readOptions(
  args: readonly string[],
  defaultSeeds: number,
): Exclude<SimulationOptions, { kind: 'bugs' }> {
  const given = new Map<string, number>();
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at] ?? '';
    if (name !== '--seeds' && name !== '--from' && name !== '--seed')
      throw new SimulationUsageError(`${name} is no option\n${SIMULATION_USAGE}`);
    if (given.has(name)) throw new SimulationUsageError(`${name} is given twice\n${SIMULATION_USAGE}`);
    given.set(name, whole(name, args[at + 1], name === '--seeds' ? MAX_SEEDS : MAX_SEED));
  }
  const seed = given.get('--seed');
  if (seed === undefined)
    return { kind: 'many', seeds: given.get('--seeds') ?? defaultSeeds, from: given.get('--from') ?? 1 };
  if (given.size > 1)
    throw new SimulationUsageError(
      `--seed replays one world and goes with nothing else\n${SIMULATION_USAGE}`,
    );
  return { kind: 'one', seed };
}

function whole(option: string, value: string | undefined, max: number): number {
  const number = /^\d{1,10}$/.test(value ?? '') ? Number(value) : 0;
  if (number >= 1 && number <= max) return number;
  throw new SimulationUsageError(`${option} takes a whole number from 1 to ${max}\n${SIMULATION_USAGE}`);
}
