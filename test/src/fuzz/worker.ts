import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { CurrentInput } from './current-input.js';
import { fuzzTarget, type TargetResult } from './fuzz.js';
import { FUZZ_TARGETS } from './targets.js';

/** The job of a worker. */
export interface WorkerTask {
  readonly seed: number;
  readonly budgetMsPerTarget: number;
  /** Indices into {@link FUZZ_TARGETS}. */
  readonly targets: readonly number[];
  readonly current: SharedArrayBuffer;
}

/** The report of a worker after each target. */
export interface WorkerReport {
  readonly target: number;
  readonly result: TargetResult;
}

/** Collections before a measurement: what a finalizer lets go of is collected by the next one. */
const COLLECTIONS = 3;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory behind native objects is given back by finalizers, which run between two turns of the event loop: without turns it only seems to grow. */
async function heapBytes(): Promise<number> {
  for (let turn = 0; turn < COLLECTIONS; turn += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function work({ seed, budgetMsPerTarget, targets, current }: WorkerTask): Promise<void> {
  const shared = new CurrentInput(current);
  for (const index of targets) {
    const target = FUZZ_TARGETS[index];
    if (target === undefined) continue;
    const beforeInput = (_name: string, input: Uint8Array): void => shared.note(index, input);
    const seams = { nowMs: () => performance.now(), heapBytes, beforeInput };
    const report: WorkerReport = {
      target: index,
      result: await fuzzTarget(target, seed, budgetMsPerTarget, seams),
    };
    parentPort?.postMessage(report);
  }
}

await work(workerData as WorkerTask);
