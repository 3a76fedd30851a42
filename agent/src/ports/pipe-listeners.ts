import { PipeClosedError } from '@tillbridge/protocol/seams/byte-pipe.js';

/** Who listens to a pipe, and how it ended: the part that pipes of every transport share. */
export class PipeListeners {
  private readonly name: string;
  private readonly dataListeners = new Set<(bytes: Uint8Array) => void>();
  private readonly closeListeners = new Set<(reason: string) => void>();
  private reason: string | undefined;

  /** @param name of the pipe, for errors */
  constructor(name: string) {
    this.name = name;
  }

  /** Why the pipe ended; undefined while it is open. */
  get closedReason(): string | undefined {
    return this.reason;
  }

  /** The error of a write on a pipe that ended. */
  closedError(reason = this.reason ?? 'closed'): PipeClosedError {
    return new PipeClosedError(`${this.name}: ${reason}`);
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.dataListeners.add(listener);
    return () => this.dataListeners.delete(listener);
  }

  onClose(listener: (reason: string) => void): () => void {
    const { reason } = this;
    if (reason !== undefined) {
      queueMicrotask(() => listener(reason));
      return () => {};
    }
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  /** Hands bytes to the listeners. */
  data(bytes: Uint8Array): void {
    if (this.reason !== undefined) return;
    for (const listener of [...this.dataListeners]) listener(bytes);
  }

  /** Ends the pipe, once. @returns false when it had ended before */
  end(reason: string): boolean {
    if (this.reason !== undefined) return false;
    this.reason = reason;
    const listeners = [...this.closeListeners];
    this.closeListeners.clear();
    this.dataListeners.clear();
    for (const listener of listeners) listener(reason);
    return true;
  }
}
