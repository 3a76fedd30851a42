import { BasePipe } from './base-pipe.js';
import { PipeClosedError } from './byte-pipe.js';

/** A pipe to a device; an error of what carries the bytes ends it. */
export abstract class PortPipe extends BasePipe {
  /** Hands bytes to what carries them. @throws its own error */
  protected abstract transmit(bytes: Uint8Array): Promise<void>;

  /** @throws PipeClosedError; the pipe has ended then */
  async write(bytes: Uint8Array): Promise<void> {
    this.requireOpen();
    try {
      await this.transmit(bytes);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.end(reason);
      throw new PipeClosedError(`${this.name}: ${reason}`);
    }
  }
}

/** Waits for a callback that reports an error or none. */
export function called(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
