import { type BytePipe, PipeClosedError } from '@tillbridge/protocol/seams/byte-pipe.js';

/** A pipe to a device, whatever carries it: who listens, and that it ends once. */
export abstract class PortPipe implements BytePipe {
  readonly name: string;
  private readonly dataListeners = new Set<(bytes: Uint8Array) => void>();
  private readonly closeListeners = new Set<(reason: string) => void>();
  private reason: string | undefined;

  /** @param name of the pipe, for errors */
  constructor(name: string) {
    this.name = name;
  }

  /** Hands bytes to what carries them. @throws its own error */
  protected abstract transmit(bytes: Uint8Array): Promise<void>;

  /** Lets go of what carries the bytes; called once. It may be gone already. */
  protected abstract release(): void;

  /** @throws PipeClosedError; the pipe has ended then */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.reason !== undefined) throw this.closedError(this.reason);
    try {
      await this.transmit(bytes);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.end(reason);
      throw this.closedError(reason);
    }
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

  async close(): Promise<void> {
    this.end('closed by this side');
  }

  protected get ended(): boolean {
    return this.reason !== undefined;
  }

  /** Hands bytes that came to the listeners. */
  protected received(bytes: Uint8Array): void {
    if (this.ended) return;
    for (const listener of [...this.dataListeners]) listener(bytes);
  }

  /** Ends the pipe; a second time changes nothing. */
  protected end(reason: string): void {
    if (this.ended) return;
    this.reason = reason;
    const listeners = [...this.closeListeners];
    this.closeListeners.clear();
    this.dataListeners.clear();
    for (const listener of listeners) listener(reason);
    this.release();
  }

  private closedError(reason: string): PipeClosedError {
    return new PipeClosedError(`${this.name}: ${reason}`);
  }
}

/** Waits for a callback that tells of an error or of none. */
export function called(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
