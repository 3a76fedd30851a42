/**
 * The program that a terminal runs for its host: one at a time. What is aborted ends without an answer; a power cycle,
 * a cancel or the next command may abort it, as the maker's protocol says.
 */
export class DeviceProgram {
  readonly #onFault: (error: unknown) => void;
  #running: AbortController | undefined;

  /** @param onFault told of what no program foresaw */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Ends what runs and starts `work`. Its answer goes to `answer` unless it was aborted meanwhile; what `work` throws
   * after it was aborted is nobody's concern.
   */
  start<T>(work: (signal: AbortSignal) => Promise<T>, answer: (result: T) => void): void {
    this.abort();
    const controller = new AbortController();
    this.#running = controller;
    work(controller.signal)
      .then((result) => {
        if (this.#running !== controller) return;
        this.#running = undefined;
        answer(result);
      })
      .catch((error: unknown) => {
        if (this.#running === controller) this.#running = undefined;
        if (!controller.signal.aborted) this.#onFault(error);
      });
  }

  /** Ends what runs. @returns whether something ran */
  abort(): boolean {
    const running = this.#running;
    this.#running = undefined;
    running?.abort();
    return running !== undefined;
  }
}
