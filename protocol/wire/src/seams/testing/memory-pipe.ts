import { BasePipe, later } from '../base-pipe.js';
import type { BytePipe } from '../byte-pipe.js';

class MemoryEnd extends BasePipe {
  #peer: MemoryEnd | undefined;

  connect(peer: MemoryEnd): void {
    this.#peer = peer;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.requireOpen();
    // A copy: the writer may wipe its buffer before the other side has looked.
    const copy = Uint8Array.from(bytes);
    later(() => this.#peer?.received(copy));
  }

  protected release(): void {
    later(() => this.#peer?.end('closed by the other side'));
  }
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
