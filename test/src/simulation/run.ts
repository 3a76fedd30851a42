#!/usr/bin/env node
import { runCommand } from '../command-line/command-line.js';
import { runManySimulations } from './many-simulations.js';
import type { Mutation } from './mutations/mutation.js';
import { SIMULATION_COMMAND, type SimulationOptions, simulationOptions } from './options.js';
import { SITUATION_NAMES } from './situations/rare-situations.js';
import { missingText } from './situations/situation-totals.js';

/** Progress is told this often. */
const PROGRESS_MS = 10_000;
/** Broken promises of one simulation that are printed; the replay shows all. */
const SHOWN_BREACHES = 5;

function printFailure(seed: number, breaches: readonly string[]): void {
  console.log(`\nseed ${seed}: ${breaches.length} broken`);
  for (const breach of breaches.slice(0, SHOWN_BREACHES)) console.log(`  ${breach}`);
  console.log(`replay: npm run simulate -- --seed ${seed}`);
}

async function one(seed: number): Promise<number> {
  const { runSimulation } = await import('./simulation.js');
  const { breaches, sales, ends, situations, traceLines, traceDigest } = await runSimulation({
    seed,
    listener: (line) => console.log(line),
  });
  console.log('\nhow the sales ended, as tills saw it:');
  for (const [end, count] of Object.entries(ends).sort()) console.log(`${String(count).padStart(5)} ${end}`);
  console.log('\nrare situations:');
  for (const name of SITUATION_NAMES)
    if (situations[name] !== undefined) console.log(`${String(situations[name]).padStart(5)} ${name}`);
  console.log(`trace: ${traceLines} lines, SHA-256 ${traceDigest}`);
  if (breaches.length > 0) printFailure(seed, breaches);
  console.log(`worlds: ${breaches.length === 0 ? 1 : 0}/1, sales ${sales}`);
  return breaches.length === 0 ? 0 : 1;
}

async function many(options: Extract<SimulationOptions, { kind: 'many' }>): Promise<number> {
  const beganMs = performance.now();
  let toldMs = beganMs;
  if (options.isRandom)
    console.log(`first seed: ${options.from}, replay: --seeds ${options.seeds} --from ${options.from}`);
  const { worlds, passed, sales, situations } = await runManySimulations(options, {
    failed: printFailure,
    progress: (totals) => {
      const nowMs = performance.now();
      if (nowMs - toldMs < PROGRESS_MS) return;
      toldMs = nowMs;
      const perMinute = Math.round(totals.worlds / ((nowMs - beganMs) / 60_000));
      console.log(
        `${totals.worlds} of ${options.seeds} worlds, ${perMinute} a minute, ${totals.sales} sales`,
      );
    },
  });
  const seconds = (performance.now() - beganMs) / 1_000;
  const threads = Math.min(options.threads, worlds);
  const each = Math.round(worlds / (seconds / 60) / threads);
  console.log(
    `${worlds} worlds in ${Math.round(seconds)} s, ${threads} at once: ${each} a minute for each of them`,
  );
  console.log(['', ...situations.table(), ''].join('\n'));
  const missing = situations.missing();
  for (const name of missing) console.log(missingText(name));
  console.log(`worlds: ${passed}/${worlds}, sales ${sales}`);
  return passed === worlds && missing.length === 0 ? 0 : 1;
}

/** What the list in simulation.test.ts is made from. */
async function bugs({ seeds, from }: { readonly seeds: number; readonly from: number }): Promise<number> {
  const [{ MUTATIONS }, { runSimulation }] = await Promise.all([
    import('./mutations/mutations.js'),
    import('./simulation.js'),
  ]);
  let missed = 0;
  for (const [name, mutation] of Object.entries<Mutation>(MUTATIONS)) {
    let seed = from;
    while (
      seed < from + seeds &&
      (await runSimulation({ seed, mutation, endsBroken: true })).breaches.length === 0
    )
      seed += 1;
    const found = seed < from + seeds;
    if (!found) missed += 1;
    console.log(found ? `'${name}': ${seed},` : `not found: ${name}`);
  }
  return missed === 0 ? 0 : 1;
}

function run(options: SimulationOptions): Promise<number> {
  if (options.kind === 'one') return one(options.seed);
  return options.kind === 'many' ? many(options) : bugs(options);
}

await runCommand(SIMULATION_COMMAND, (args) => run(simulationOptions(args)));
