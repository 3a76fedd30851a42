import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { WorkerAnswer } from './worker.js';

/** A world leaves much behind and keeps little: with room for it the collector has less to do. */
const MEMORY = { maxYoungGenerationSizeMb: 64 } as const;

/** How a run over many seeds came out. */
export interface RunTotals {
  readonly worlds: number;
  readonly passed: number;
  readonly sales: number;
}

/** What is told while worlds run. */
export interface RunListener {
  /** A world did not keep its promises, or could not be run to its end. */
  failed(seed: number, breaches: readonly string[]): void;
  /** So many worlds are done. */
  progress(totals: RunTotals): void;
}

/** Runs the seeds, each in the next free worker: one worker for every core. */
export async function runManyWorlds(
  { seeds, from }: { readonly seeds: number; readonly from: number },
  listener: RunListener,
): Promise<RunTotals> {
  const totals = { worlds: 0, passed: 0, sales: 0 };
  let next = from;
  const end = from + seeds;
  const settle = (answer: WorkerAnswer): void => {
    totals.worlds += 1;
    if ('error' in answer) listener.failed(answer.seed, [`the world ended early: ${answer.error}`]);
    else {
      totals.sales += answer.report.sales;
      if (answer.report.breaches.length === 0) totals.passed += 1;
      else listener.failed(answer.report.seed, answer.report.breaches);
    }
    listener.progress(totals);
  };
  const work = async (): Promise<void> => {
    while (next < end) {
      const worker = new Worker(new URL('./worker.js', import.meta.url), { resourceLimits: MEMORY });
      let seed = next;
      await new Promise<void>((resolve) => {
        const give = (): void => {
          if (next >= end) {
            resolve();
            return;
          }
          seed = next;
          next += 1;
          worker.postMessage(seed);
        };
        worker.on('message', (answer: WorkerAnswer) => {
          settle(answer);
          give();
        });
        worker.on('error', (error) => {
          settle({ seed, error: error.stack ?? error.message });
          resolve();
        });
        give();
      });
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds) }, work));
  return totals;
}
