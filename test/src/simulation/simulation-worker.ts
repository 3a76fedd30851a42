import { Worker } from 'node:worker_threads';
import type { WorkerAnswer } from './worker.js';

/** A simulation leaves much behind and keeps little: with room for it the collector has less to do. */
const MEMORY = { maxYoungGenerationSizeMb: 64 } as const;

/** A thread that receives seeds, and reports of each how its simulation came out. */
export function openSimulationThread(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { resourceLimits: MEMORY });
}

/** The thread did not answer: it hangs, or is dead. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Runs simulations in a thread, one after the other. Every simulation gets an answer: of one that hangs, or whose thread dies, it comes from here,
 * and the next one gets a new thread.
 */
export class SimulationWorker {
  readonly #open: () => Worker;
  readonly #limitMs: number;
  #thread: Worker | undefined;

  /** @param limitMs how long one simulation may take */
  constructor(open: () => Worker, limitMs: number) {
    this.#open = open;
    this.#limitMs = limitMs;
  }

  /** Runs the simulation of a seed. */
  async run(seed: number): Promise<WorkerAnswer> {
    this.#thread ??= this.#open();
    try {
      return await answerOf(this.#thread, seed, this.#limitMs);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      await this.close();
      return { seed, error: error.message };
    }
  }

  /** Ends the thread, also one that hangs. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

/** @throws NoAnswer */
function answerOf(thread: Worker, seed: number, limitMs: number): Promise<WorkerAnswer> {
  const watch = new AbortController();
  return new Promise<WorkerAnswer>((resolve, reject) => {
    const none = (why: string): void => reject(new NoAnswer(why));
    const on = <T>(event: 'message' | 'error' | 'exit', listener: (what: T) => void): void => {
      thread.on(event, listener);
      watch.signal.addEventListener('abort', () => thread.off(event, listener));
    };
    on('message', resolve);
    on<Error>('error', (error) => none(`its thread died: ${error.stack ?? error.message}`));
    on<number>('exit', (code) => none(`its thread ended with exit code ${code} and no answer`));
    const timer = setTimeout(() => none(`it hangs: no end after ${limitMs} ms`), limitMs);
    watch.signal.addEventListener('abort', () => clearTimeout(timer));
    thread.postMessage(seed);
  }).finally(() => watch.abort());
}
