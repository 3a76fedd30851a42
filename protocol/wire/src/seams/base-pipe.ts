import { type BytePipe, PipeClosedError } from './byte-pipe.js';
import { Listeners } from './listeners.js';

/** A pipe, whatever carries its bytes: who listens, and that it ends once. */
export abstract class BasePipe implements BytePipe {
  readonly name: string;
  readonly #data = new Listeners<[bytes: Uint8Array]>();
  readonly #closing = new Listeners<[reason: string]>();
  #reason: string | undefined;

  /** @param name of the pipe, for errors */
  constructor(name: string) {
    this.name = name;
  }

  abstract write(bytes: Uint8Array): Promise<void>;

  /** Lets go of what carries the bytes; called once. It may be gone already. */
  protected abstract release(): void;

  onData(listener: (bytes: Uint8Array) => void): () => void {
    return this.#data.add(listener);
  }

  onClose(listener: (reason: string) => void): () => void {
    const reason = this.#reason;
    if (reason === undefined) return this.#closing.add(listener);
    later(() => listener(reason));
    return () => {};
  }

  async close(): Promise<void> {
    this.end('closed by this side');
  }

  protected get ended(): boolean {
    return this.#reason !== undefined;
  }

  /** @throws PipeClosedError when the pipe has ended */
  protected requireOpen(): void {
    if (this.#reason !== undefined) throw new PipeClosedError(`${this.name}: ${this.#reason}`);
  }

  /** Hands bytes that came to the listeners. */
  protected received(bytes: Uint8Array): void {
    if (!this.ended) this.#data.tell(bytes);
  }

  /** Ends the pipe; a second time changes nothing. */
  protected end(reason: string): void {
    if (this.ended) return;
    this.#reason = reason;
    this.#data.clear();
    this.#closing.tell(reason);
    this.#closing.clear();
    this.release();
  }
}

/** In a later microtask; a promise's job costs less than `queueMicrotask`, which carries an asynchronous context. */
export function later(work: () => void): void {
  void Promise.resolve().then(work);
}

/** A pipe over another: what `changes` does not name is the other's own. */
export function overPipe(pipe: BytePipe, changes: Partial<BytePipe>): BytePipe {
  return {
    name: pipe.name,
    write: (bytes) => pipe.write(bytes),
    onData: (listener) => pipe.onData(listener),
    onClose: (listener) => pipe.onClose(listener),
    close: () => pipe.close(),
    ...changes,
  };
}
