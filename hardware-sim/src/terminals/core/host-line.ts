import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';

/** What a simulated device does with its line. */
interface HostLineHooks {
  /** Bytes of the host arrived. */
  readonly onBytes: (bytes: Uint8Array) => void;
  /** The line was connected anew or went away: half-read frames and timers of the old one are void. */
  readonly onChange: () => void;
}

/** The one line of a terminal to its host; a new one takes the place of the old. */
export class HostLine {
  readonly #hooks: HostLineHooks;
  #pipe: BytePipe | undefined;
  #detach: () => void = () => undefined;

  constructor(hooks: HostLineHooks) {
    this.#hooks = hooks;
  }

  /** Connects the line; a former one is dropped. */
  attach(pipe: BytePipe): void {
    this.#detach();
    const stopData = pipe.onData(this.#hooks.onBytes);
    const stopClose = pipe.onClose(() => this.#detach());
    this.#pipe = pipe;
    this.#detach = () => {
      stopData();
      stopClose();
      if (this.#pipe !== pipe) return;
      this.#pipe = undefined;
      this.#hooks.onChange();
    };
    this.#hooks.onChange();
  }

  /** Ends the line from the device's side, as after an error that its protocol has no way back from. */
  close(): void {
    const pipe = this.#pipe;
    this.#detach();
    void pipe?.close();
  }

  /** Sends bytes; a line that has gone takes them with it, as on a real device. */
  write(bytes: Uint8Array): void {
    this.#pipe?.write(bytes).catch(() => undefined);
  }
}
