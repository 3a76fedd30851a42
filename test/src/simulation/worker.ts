import { parentPort } from 'node:worker_threads';
import { runWorld, type WorldReport } from './world.js';

/** What a worker says of each seed it was told: how its world came out, or that it could not be run. */
export type WorkerAnswer =
  | { readonly report: WorldReport }
  | { readonly seed: number; readonly error: string };

parentPort?.on('message', (seed: number) => {
  runWorld({ seed }).then(
    (report) => parentPort?.postMessage({ report } satisfies WorkerAnswer),
    (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      parentPort?.postMessage({ seed, error: text } satisfies WorkerAnswer);
    },
  );
});
