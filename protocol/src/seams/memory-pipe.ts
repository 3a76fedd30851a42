import { type BytePipe, PipeClosedError } from './byte-pipe.js';

class MemoryEnd implements BytePipe {
  readonly name: string;
  private peer: MemoryEnd | undefined;
  private closedReason: string | undefined;
  private readonly dataListeners = new Set<(bytes: Uint8Array) => void>();
  private readonly closeListeners = new Set<(reason: string) => void>();

  constructor(name: string) {
    this.name = name;
  }

  connect(peer: MemoryEnd): void {
    this.peer = peer;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.closedReason !== undefined) throw new PipeClosedError(`${this.name}: ${this.closedReason}`);
    // A copy: the writer may wipe its buffer before the other side has looked.
    const copy = Uint8Array.from(bytes);
    later(() => this.peer?.deliver(copy));
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.dataListeners.add(listener);
    return () => this.dataListeners.delete(listener);
  }

  onClose(listener: (reason: string) => void): () => void {
    if (this.closedReason !== undefined) {
      const reason = this.closedReason;
      later(() => listener(reason));
      return () => {};
    }
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.end('closed by this side');
    const { peer } = this;
    later(() => peer?.end('closed by the other side'));
  }

  private deliver(bytes: Uint8Array): void {
    if (this.closedReason !== undefined) return;
    for (const listener of [...this.dataListeners]) listener(bytes);
  }

  private end(reason: string): void {
    if (this.closedReason !== undefined) return;
    this.closedReason = reason;
    this.dataListeners.clear();
    for (const listener of [...this.closeListeners]) listener(reason);
    this.closeListeners.clear();
  }
}

/** In a later microtask; a promise's job costs less than `queueMicrotask`, which carries an asynchronous context. */
function later(work: () => void): void {
  void Promise.resolve().then(work);
}

/**
 * Two ends of a pipe in memory: what one writes arrives at the other in a later microtask, in order.
 * Closing either end closes both; bytes that have not arrived by then are lost, as on a real line.
 */
export function memoryPipe(name = 'memory'): readonly [host: BytePipe, device: BytePipe] {
  const host = new MemoryEnd(`${name}:host`);
  const device = new MemoryEnd(`${name}:device`);
  host.connect(device);
  device.connect(host);
  return [host, device];
}
