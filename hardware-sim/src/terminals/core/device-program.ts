/**
 * The program that a terminal runs for its host: one at a time. What is aborted ends without an answer; a power cycle,
 * a cancel or the next command may abort it, by the maker's protocol.
 */
export class DeviceProgram {
  readonly #onFault: (error: unknown) => void;
  /** Used until it has aborted something: most programs end by themselves, and a terminal runs many. */
  #controller = new AbortController();
  #running: symbol | undefined;

  /** @param onFault called with errors that no program handled */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Ends what runs and starts `work`. Its answer goes to `answer` unless it was aborted meanwhile; what `work` throws
   * after it was aborted is ignored.
   */
  start<T>(work: (signal: AbortSignal) => Promise<T>, answer: (result: T) => void): void {
    this.abort();
    const { signal } = this.#controller;
    const run = Symbol('program');
    this.#running = run;
    work(signal)
      .then((result) => {
        if (this.#running !== run) return;
        this.#running = undefined;
        answer(result);
      })
      .catch((error: unknown) => {
        if (this.#running === run) this.#running = undefined;
        if (!signal.aborted) this.#onFault(error);
      });
  }

  /** Ends what runs. @returns whether something ran */
  abort(): boolean {
    if (this.#running === undefined) return false;
    this.#running = undefined;
    this.#controller.abort();
    this.#controller = new AbortController();
    return true;
  }
}
