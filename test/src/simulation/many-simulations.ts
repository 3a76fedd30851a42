import type { Worker } from 'node:worker_threads';
import { openSimulationThread, SimulationWorker } from './simulation-worker.js';
import { SituationTotals } from './situations/situation-totals.js';
import type { WorkerAnswer } from './worker.js';

/** How long one simulation may take: many times what the longest takes on a busy machine. */
const SIMULATION_LIMIT_MS = 180_000;

/** How a run over many seeds came out. */
interface RunTotals {
  readonly simulations: number;
  readonly passed: number;
  readonly sales: number;
  readonly situations: SituationTotals;
}

/** Called while simulations run. */
interface RunListener {
  /** A simulation did not keep its promises, or could not be run to its end. */
  failed(seed: number, breaches: readonly string[]): void;
  /** So many simulations are done. */
  progress(totals: RunTotals): void;
}

/** Which seeds are run, and how. */
interface ManySimulations {
  readonly seeds: number;
  readonly from: number;
  /** Simulations that run at once, each in a separate thread. */
  readonly threads: number;
  /** Default {@link SIMULATION_LIMIT_MS}. */
  readonly simulationLimitMs?: number;
  /** Opens a thread for simulations. */
  readonly openThread?: () => Worker;
}

/** Runs the seeds, each in the next free worker. */
export async function runManySimulations(
  {
    seeds,
    from,
    threads,
    simulationLimitMs = SIMULATION_LIMIT_MS,
    openThread = openSimulationThread,
  }: ManySimulations,
  listener: RunListener,
): Promise<RunTotals> {
  const totals = { simulations: 0, passed: 0, sales: 0, situations: new SituationTotals() };
  let next = from;
  const end = from + seeds;
  const settle = (answer: WorkerAnswer): void => {
    totals.simulations += 1;
    if ('error' in answer) listener.failed(answer.seed, [`the simulation ended early: ${answer.error}`]);
    else {
      totals.sales += answer.report.sales;
      totals.situations.add(answer.report.seed, answer.report.situations);
      if (answer.report.breaches.length === 0) totals.passed += 1;
      else listener.failed(answer.report.seed, answer.report.breaches);
    }
    listener.progress(totals);
  };
  const work = async (): Promise<void> => {
    const worker = new SimulationWorker(openThread, simulationLimitMs);
    while (next < end) {
      const seed = next;
      next += 1;
      settle(await worker.run(seed));
    }
    await worker.close();
  };
  await Promise.all(Array.from({ length: Math.min(threads, seeds) }, work));
  return totals;
}
