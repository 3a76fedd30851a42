import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of a bench: it receives a job first, and reports what it finds. */
export class BenchChild {
  readonly #child: ChildProcess;
  readonly #messages: unknown[] = [];
  readonly #failed: Promise<never>;
  #listener: (() => void) | undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: unknown) => {
      this.#messages.push(message);
      this.#listener?.();
    });
    this.#failed = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`a process of the bench ended with ${signal ?? code}`);
    });
    // `next` passes the error on; without a waiter it is no fault.
    this.#failed.catch(() => undefined);
  }

  /** Starts a built script with its job. */
  static start(script: string, job: object): BenchChild {
    const child = fork(script, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.send(job);
    return new BenchChild(child);
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  /** Sends another message to the process. */
  send(message: object): void {
    this.#child.send(message);
  }

  /** Its next message; rejects when it has ended. */
  async next<T>(): Promise<T> {
    while (this.#messages.length === 0)
      await Promise.race([
        this.#failed,
        new Promise<void>((resolve) => {
          this.#listener = resolve;
        }),
      ]);
    return this.#messages.shift() as T;
  }

  /** Ends the process. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#failed.catch(() => undefined);
  }
}
