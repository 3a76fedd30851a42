#!/usr/bin/env node
import { randomInt } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { CurrentInput } from './current-input.js';
import type { Finding } from './fuzz.js';
import { FUZZ_USAGE, type FuzzOptions, FuzzUsageError, fuzzOptions } from './options.js';
import { FUZZ_TARGETS } from './targets.js';
import type { WorkerReport, WorkerTask } from './worker.js';

/** No input noted for this long: the worker hangs in the last one. */
const HANG_MS = 10_000;
const WATCH_MS = 500;

function print({ target, result }: WorkerReport): void {
  const name = FUZZ_TARGETS[target]?.name ?? '';
  console.log(`${name.padEnd(28)} ${result.inputs} inputs, ${result.refused} refused`);
}

/** Fuzzes in a worker and watches it; resolves with what was found, the worker gone. */
function fuzzInWorker(task: Omit<WorkerTask, 'current'>): Promise<Finding[]> {
  const current = new CurrentInput();
  const workerData: WorkerTask = { ...task, current: current.buffer };
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData });
  const findings: Finding[] = [];
  let reported = 0;
  return new Promise((resolve) => {
    let [seen, seenAtMs] = [-1, performance.now()];
    const blame = (kind: Finding['kind'], detail: string): void => {
      const { target, input } = current.last();
      findings.push({
        target: FUZZ_TARGETS[target]?.name ?? 'unknown',
        kind,
        detail,
        inputHex: input.toString('hex').toUpperCase(),
      });
    };
    const watch = setInterval(() => {
      const count = current.count();
      if (count !== seen) [seen, seenAtMs] = [count, performance.now()];
      if (performance.now() - seenAtMs < HANG_MS) return;
      blame('hang', `no end after ${HANG_MS} ms`);
      void worker.terminate();
    }, WATCH_MS);
    worker.on('message', (report: WorkerReport) => {
      reported += 1;
      print(report);
      if (report.result.finding) findings.push(report.result.finding);
    });
    worker.on('error', (error) => blame('crash', `the worker died: ${error.stack ?? error.message}`));
    worker.on('exit', () => {
      clearInterval(watch);
      if (reported < task.targets.length && findings.length === 0)
        blame('crash', 'the worker ended before its work');
      resolve(findings);
    });
  });
}

async function main(options: FuzzOptions): Promise<number> {
  const targets = FUZZ_TARGETS.flatMap(({ name }, index) =>
    options.names.length === 0 || options.names.some((wanted) => name.startsWith(wanted)) ? [index] : [],
  );
  if (targets.length === 0) {
    const names = FUZZ_TARGETS.map(({ name }) => name).join(', ');
    throw new FuzzUsageError(`no target begins with ${options.names.join(' or ')}; there are ${names}`);
  }
  console.log(`fuzz: ${targets.length} targets, ${options.seconds} s, seed ${options.seed}`);
  const budgetMsPerTarget = (options.seconds * 1_000) / targets.length;
  const findings = await fuzzInWorker({ seed: options.seed, budgetMsPerTarget, targets });
  for (const { target, kind, detail, inputHex } of findings) {
    console.error(`\n${target}: ${kind}: ${detail}`);
    if (inputHex !== undefined) console.error(`input: ${inputHex}`);
  }
  console.log(findings.length === 0 ? 'fuzz: nothing found' : `fuzz: ${findings.length} found`);
  return findings.length === 0 ? 0 : 1;
}

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(FUZZ_USAGE);
else {
  try {
    process.exitCode = await main(fuzzOptions(args, randomInt(2 ** 32)));
  } catch (error) {
    if (!(error instanceof FuzzUsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
