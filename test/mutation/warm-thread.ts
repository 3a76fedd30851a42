import {
  type PoolOptions,
  type PoolRunnerInitializer,
  type PoolWorker,
  ThreadsPoolWorker,
} from 'vitest/node';

type Listener = Parameters<PoolWorker['on']>;
type Request = Parameters<PoolWorker['send']>[0];

/** Runs that one thread serves: each run leaves its listeners in it. */
const MAX_RUNS = 50;

/** The thread that has loaded the tests and their code, for the next run. */
let ready: { readonly thread: ThreadsPoolWorker; runs: number } | undefined;

/**
 * Runs tests in a thread that stays for the next run, with the code that it has loaded. Stryker starts a run for each change, and Vitest a
 * thread for each run: loading a gateway takes longer than most tests. The change is a switch in the code, so nothing is loaded again for it.
 */
class WarmThread implements PoolWorker {
  readonly name = 'warm';
  readonly #options: PoolOptions;
  readonly #thread: ThreadsPoolWorker;
  readonly #listeners: Listener[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
    ready ??= { thread: new ThreadsPoolWorker(options), runs: 0 };
    ready.runs += 1;
    this.#thread = ready.thread;
  }

  on(...listener: Listener): void {
    this.#listeners.push(listener);
    this.#thread.on(...listener);
  }

  off(...listener: Listener): void {
    this.#thread.off(...listener);
  }

  send(message: Request): void {
    if (message.type === 'stop') this.#confirmStop();
    else this.#thread.send(message);
  }

  async start(): Promise<void> {
    await this.#thread.start();
    // What a run left behind may end the thread before the next one.
    if (ready?.runs === 1) this.#thread.on('error', () => this.#forget());
  }

  async stop(): Promise<void> {
    for (const listener of this.#listeners) this.#thread.off(...listener);
    if (ready?.thread === this.#thread && ready.runs < MAX_RUNS && !this.#hasHung()) return;
    this.#forget();
    await this.#thread.stop();
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  #forget(): void {
    if (ready?.thread === this.#thread) ready = undefined;
  }

  /** The thread itself would end. */
  #confirmStop(): void {
    for (const [event, notify] of this.#listeners)
      if (event === 'message') notify({ type: 'stopped', __vitest_worker_response__: true });
  }

  /** Whether a test of the run reached its limit: what it waits for is still at work in the thread. */
  #hasHung(): boolean {
    const { state } = this.#options.project.vitest;
    const files = new Set(state.getFiles());
    const errors = [...state.idMap.values()].flatMap(({ file, result }) =>
      files.has(file) ? (result?.errors ?? []) : [],
    );
    return state.errorsSet.size > 0 || errors.some(({ message }) => /timed out in \d+ms/.test(message));
  }
}

/** Ends the thread that is ready, as nothing else does. */
export async function endReadyThread(): Promise<void> {
  const thread = ready?.thread;
  ready = undefined;
  await thread?.stop();
}

/** The pool of {@link WarmThread}. */
export const WARM_THREADS: PoolRunnerInitializer = {
  name: 'warm',
  createPoolWorker: (options) => new WarmThread(options),
};
