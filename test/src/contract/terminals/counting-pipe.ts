import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';

/** How many listeners stand on the pipes that were opened and not closed. */
export class ListenerCount {
  #listeners = 0;

  get listeners(): number {
    return this.#listeners;
  }

  /** Counts the listeners of a pipe. */
  watch(pipe: BytePipe): BytePipe {
    let own = 0;
    const counted = (stop: () => void): (() => void) => {
      own += 1;
      this.#listeners += 1;
      let stopped = false;
      return () => {
        if (stopped) return;
        stopped = true;
        own -= 1;
        this.#listeners -= 1;
        stop();
      };
    };
    pipe.onClose(() => {
      this.#listeners -= own;
      own = 0;
    });
    return {
      name: pipe.name,
      write: (bytes) => pipe.write(bytes),
      onData: (listener) => counted(pipe.onData(listener)),
      onClose: (listener) => counted(pipe.onClose(listener)),
      close: () => pipe.close(),
    };
  }
}
