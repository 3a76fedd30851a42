import type { Exploration } from './core/explorer.js';

/** What ended an exploration, in words. */
const ENDED_BY = {
  all: 'every state was visited',
  violation: 'a promise is broken',
  states: 'the bound of states',
  depth: 'the bound of depth',
  seconds: 'the bound of time',
  memoryMib: 'the bound of memory',
} as const satisfies Readonly<Record<Exploration['endedBy'], string>>;

/** Head of the lines of {@link row}. */
export const HEAD = row([
  'machine',
  'states',
  'transitions',
  'depth',
  'ends',
  'seconds',
  'processor',
  'MiB',
  'two for one',
  'ended by',
]);

/** An exploration in one line. */
export function lineOf(name: string, found: Exploration): string {
  const { states, transitions, depth, ends, seconds, processorSeconds, memoryMib, collisionBound, endedBy } =
    found;
  return row([
    name,
    states.toLocaleString('en'),
    transitions.toLocaleString('en'),
    String(depth),
    ends.toLocaleString('en'),
    seconds.toFixed(1),
    processorSeconds.toFixed(1),
    String(memoryMib),
    collisionBound.toExponential(0),
    ENDED_BY[endedBy],
  ]);
}

function row(columns: readonly string[]): string {
  const widths = [14, 12, 12, 6, 9, 8, 10, 6, 12];
  return columns
    .map((text, at) => (at === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[at] ?? 0)))
    .join(' ');
}

/** A broken promise as its shortest story. */
export function storyOf({ violation }: Exploration): readonly string[] {
  if (!violation) return [];
  const steps = violation.trace.map((name, at) => `${String(at + 1).padStart(4)}. ${name}`);
  return [violation.promise, ...steps];
}
