/** Work that is done again and again, one run at a time, with pauses. */
export class Repeated {
  readonly #work: () => Promise<void>;
  readonly #pauseMs: number;
  #running: Promise<void> | undefined;
  #isEnded = true;
  #begunMs = 0;
  #wake: (() => void) | undefined;
  #waiting: { readonly sinceMs: number; readonly resolve: () => void }[] = [];

  constructor(pauseMs: number, work: () => Promise<void>) {
    this.#pauseMs = pauseMs;
    this.#work = work;
  }

  begin(): void {
    this.#isEnded = false;
    this.#running = this.#run();
    // A failure reaches the callers that wait for the end.
    this.#running.catch(() => undefined);
  }

  /** Ends with the work that is under way. @throws what the work threw */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#wake?.();
    await this.#running;
  }

  /** Resolves when work has ended that was begun after a moment (`performance.now()`); begins it now. @throws what the work threw */
  passed(sinceMs: number): Promise<void> {
    const done = new Promise<void>((resolve) => this.#waiting.push({ sinceMs, resolve }));
    this.#wake?.();
    return Promise.race([done, this.#running ?? done]);
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      this.#begunMs = performance.now();
      await this.#work();
      const isOver = ({ sinceMs }: { readonly sinceMs: number }): boolean => this.#begunMs >= sinceMs;
      for (const { resolve } of this.#waiting.filter(isOver)) resolve();
      this.#waiting = this.#waiting.filter((each) => !isOver(each));
      if (this.#waiting.length === 0 && !this.#isEnded) await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#pauseMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
