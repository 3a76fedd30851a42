import { parentPort } from 'node:worker_threads';
import { runSimulation, type SimulationReport } from './simulation.js';

/** What a worker reports of each seed: how its simulation came out, or that it could not be run. */
export type WorkerAnswer =
  | { readonly report: SimulationReport }
  | { readonly seed: number; readonly error: string };

parentPort?.on('message', (seed: number) => {
  runSimulation({ seed }).then(
    (report) => parentPort?.postMessage({ report } satisfies WorkerAnswer),
    (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      parentPort?.postMessage({ seed, error: text } satisfies WorkerAnswer);
    },
  );
});
