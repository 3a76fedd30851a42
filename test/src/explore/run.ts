#!/usr/bin/env node
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../command-line/command-line.js';
import type { Exploration } from './core/explorer.js';
import { MACHINES, type MachineName } from './machines.js';
import type { OneMachine } from './one-machine.js';
import { EXPLORE_COMMAND, type ExploreOptions, exploreOptions } from './options.js';
import { PLANTED_BUGS } from './planted-bugs.js';
import { HEAD, lineOf, storyOf } from './story.js';
import { keepTrace, TRACES } from './traces.js';

/** Most machines that are explored at once. */
const AT_ONCE = Math.min(2, availableParallelism());

/** The machine that takes longest begins first: the others are explored at its side. */
const LONGEST: MachineName = 'sessions';

/** Explores a machine in a process of its own. */
function inProcess(options: OneMachine): Promise<Exploration> {
  return new Promise((resolve, reject) => {
    // What is explored lives long: room for it is better than many collections of what does not.
    const execArgv = [`--max-old-space-size=${options.memoryMib + 500}`, '--max-semi-space-size=64'];
    const path = fileURLToPath(new URL('./one-machine.js', import.meta.url));
    const child = fork(path, [JSON.stringify(options)], { execArgv });
    child.once('message', (found) => resolve(found as Exploration));
    child.once('exit', (code) =>
      reject(new Error(`the exploration of ${options.machine} ended with ${code}`)),
    );
  });
}

async function machines({
  machines: names,
  bound,
  seconds,
  memoryMib,
  keep,
}: ExploreOptions): Promise<number> {
  const left = names.toSorted((a, b) => Number(b === LONGEST) - Number(a === LONGEST));
  let broken = 0;
  console.log(HEAD);
  const worker = async (): Promise<void> => {
    for (let machine = left.shift(); machine; machine = left.shift()) {
      const found = await inProcess({ machine, bound, seconds, memoryMib });
      console.log(lineOf(machine, found));
      if (!found.violation) continue;
      broken += 1;
      console.log(storyOf(found).join('\n'));
      if (keep) console.log(`kept: ${keepTrace(TRACES, { machine, bound, ...found.violation })}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  console.log(`explored: ${names.length - broken}/${names.length}`);
  return broken === 0 ? 0 : 1;
}

/** For each planted bug the shortest trace that shows it. */
async function bugs({ machines: names, seconds }: ExploreOptions): Promise<number> {
  let missed = 0;
  for (const [bug, place] of Object.entries(PLANTED_BUGS)) {
    if (typeof place === 'string' || !names.includes(place.machine)) continue;
    const found = await explored(place.machine, place.seams, seconds);
    if (!found) missed += 1;
    const length = found ? `${found.trace.length} actions: ${found.promise}` : 'not found';
    console.log(`${bug} | ${place.machine} | ${length}`);
  }
  return missed === 0 ? 0 : 1;
}

/** The quick bound shows most bugs; the further ones the others. */
async function explored(
  machine: MachineName,
  seams: Parameters<(typeof MACHINES)['sale']['explore']>[1],
  seconds: number,
) {
  for (const bound of ['quick', 'full', 'deep'] as const) {
    const { violation } = await MACHINES[machine].explore(bound, seams, { seconds });
    if (violation) return violation;
  }
  return undefined;
}

await runCommand(EXPLORE_COMMAND, (args) => {
  const options = exploreOptions(args);
  return options.bugs ? bugs(options) : machines(options);
});
