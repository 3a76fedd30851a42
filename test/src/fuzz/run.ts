#!/usr/bin/env node
import { randomInt } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { runCommand } from '../command-line/command-line.js';
import { CurrentInput } from './current-input.js';
import type { Finding } from './fuzz.js';
import { FUZZ_COMMAND, type FuzzOptions, fuzzOptions } from './options.js';
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

async function main({ targets, seconds, seed }: FuzzOptions): Promise<number> {
  console.log(`fuzz: ${targets.length} targets, ${seconds} s, seed ${seed}`);
  const budgetMsPerTarget = (seconds * 1_000) / targets.length;
  const findings = await fuzzInWorker({ seed, budgetMsPerTarget, targets });
  for (const { target, kind, detail, inputHex } of findings) {
    console.error(`\n${target}: ${kind}: ${detail}`);
    if (inputHex !== undefined) console.error(`input: ${inputHex}`);
  }
  console.log(findings.length === 0 ? 'fuzz: nothing found' : `fuzz: ${findings.length} found`);
  return findings.length === 0 ? 0 : 1;
}

await runCommand(FUZZ_COMMAND, (args) => main(fuzzOptions(args, randomInt(2 ** 32))));
