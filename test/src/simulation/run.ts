#!/usr/bin/env node
import { runCommand } from '../command-line/command-line.js';
import { runManySimulations } from './many-simulations.js';
import { SIMULATION_COMMAND, type SimulationOptions, simulationOptions } from './options.js';
import { SITUATION_NAMES } from './situations/rare-situations.js';
import { missingText } from './situations/situation-totals.js';

/** Progress is printed this often. */
const PROGRESS_MS = 10_000;
/** Broken promises of one simulation that are printed; the replay shows all. */
const SHOWN_BREACHES = 5;

function printFailure(seed: number, breaches: readonly string[], how = ''): void {
  console.log(`\nseed ${seed}: ${breaches.length} broken`);
  for (const breach of breaches.slice(0, SHOWN_BREACHES)) console.log(`  ${breach}`);
  console.log(`replay: npm run simulate -- ${how}--seed ${seed}`);
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
  let reportedMs = beganMs;
  if (options.isRandom)
    console.log(`first seed: ${options.from}, replay: --seeds ${options.seeds} --from ${options.from}`);
  const { simulations, passed, sales, situations } = await runManySimulations(options, {
    failed: printFailure,
    progress: (totals) => {
      const nowMs = performance.now();
      if (nowMs - reportedMs < PROGRESS_MS) return;
      reportedMs = nowMs;
      const perMinute = Math.round(totals.simulations / ((nowMs - beganMs) / 60_000));
      console.log(
        `${totals.simulations} of ${options.seeds} simulations, ${perMinute} a minute, ${totals.sales} sales`,
      );
    },
  });
  const seconds = (performance.now() - beganMs) / 1_000;
  const threads = Math.min(options.threads, simulations);
  const each = Math.round(simulations / (seconds / 60) / threads);
  console.log(
    `${simulations} simulations in ${Math.round(seconds)} s, ${threads} at once: ${each} a minute for each of them`,
  );
  console.log(['', ...situations.table(), ''].join('\n'));
  const missing = situations.missing();
  for (const name of missing) console.log(missingText(name));
  console.log(`worlds: ${passed}/${simulations}, sales ${sales}`);
  return passed === simulations && missing.length === 0 ? 0 : 1;
}

/** Only the link to an acquirer. */
async function link({
  seeds,
  from,
  isTraced,
}: Extract<SimulationOptions, { kind: 'link' }>): Promise<number> {
  const { runLinkSimulation } = await import('./link/link-simulation.js');
  const listener = isTraced ? (line: string) => console.log(line) : undefined;
  let passed = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { breaches } = await runLinkSimulation({ seed, ...(listener && { listener }) });
    if (breaches.length === 0) passed += 1;
    else printFailure(seed, breaches, '--link ');
  }
  console.log(`worlds: ${passed}/${seeds}`);
  return passed === seeds ? 0 : 1;
}

/** What the lists in simulation.test.ts and link-simulation.test.ts are made from. */
async function bugs({ seeds, from }: { readonly seeds: number; readonly from: number }): Promise<number> {
  const [{ MUTATIONS }, { runSimulation }, { LINK_MUTATIONS }, { runLinkSimulation }] = await Promise.all([
    import('./mutations/mutations.js'),
    import('./simulation.js'),
    import('./mutations/link-mutations.js'),
    import('./link/link-simulation.js'),
  ]);
  const finders = [
    ...Object.entries(MUTATIONS).map(
      ([name, mutation]) =>
        [name, (seed: number) => runSimulation({ seed, mutation, endsBroken: true })] as const,
    ),
    ...Object.entries(LINK_MUTATIONS).map(
      ([name, mutation]) => [name, (seed: number) => runLinkSimulation({ seed, mutation })] as const,
    ),
  ];
  let missed = 0;
  for (const [name, find] of finders) {
    let seed = from;
    while (seed < from + seeds && (await find(seed)).breaches.length === 0) seed += 1;
    const found = seed < from + seeds;
    if (!found) missed += 1;
    console.log(found ? `'${name}': ${seed},` : `not found: ${name}`);
  }
  return missed === 0 ? 0 : 1;
}

async function incident(file: string): Promise<number> {
  const [{ readFileSync }, { IncidentFileError }, { replayIncident }] = await Promise.all([
    import('node:fs'),
    import('../incidents/file/read-incident.js'),
    import('../incidents/replay-incident.js'),
  ]);
  try {
    const { isReachable, lines } = replayIncident(readFileSync(file, 'utf8'));
    console.log(lines.join('\n'));
    return isReachable ? 0 : 1;
  } catch (error) {
    const isOfFile = error instanceof IncidentFileError || (error instanceof Error && 'code' in error);
    if (!isOfFile) throw error;
    console.error(`${file}: ${error.message}`);
    return 2;
  }
}

/** What simulations have journaled and stored, replayed as exports have it. */
async function incidents({
  seeds,
  from,
}: {
  readonly seeds: number;
  readonly from: number;
}): Promise<number> {
  const [{ runSimulation }, { replayDisks }, { reportLines }] = await Promise.all([
    import('./simulation.js'),
    import('./replay-disks.js'),
    import('../incidents/replay-incident.js'),
  ]);
  let passed = 0;
  const totals = { sales: 0, payments: 0, rows: 0 };
  for (let seed = from; seed < from + seeds; seed += 1) {
    let diverged = 0;
    await runSimulation({
      seed,
      ended: async (disks) => {
        for (const { kind, report } of await replayDisks(disks)) {
          totals[kind] += report.verdicts.length;
          totals.rows += report.verdicts.reduce((sum, { rows }) => sum + rows, 0);
          for (const { divergence } of report.verdicts)
            if (divergence) {
              diverged += 1;
              console.log([`seed ${seed}`, ...reportLines(divergence)].join('\n'));
            }
        }
      },
    });
    if (diverged === 0) passed += 1;
  }
  const { sales, payments, rows } = totals;
  console.log(
    `incidents: ${passed}/${seeds} simulations, ${sales} sales and ${payments} payments, ${rows} rows reached`,
  );
  return passed === seeds ? 0 : 1;
}

function run(options: SimulationOptions): Promise<number> {
  if (options.kind === 'incident') return incident(options.file);
  if (options.kind === 'incidents') return incidents(options);
  if (options.kind === 'link') return link(options);
  if (options.kind === 'one') return one(options.seed);
  return options.kind === 'many' ? many(options) : bugs(options);
}

await runCommand(SIMULATION_COMMAND, (args) => run(simulationOptions(args)));
