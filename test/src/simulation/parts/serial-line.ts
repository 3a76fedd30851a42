import { type BytePipe, PipeClosedError } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import type { LineFaultRates } from '../kernel/fault-rates.js';
import type { SimProcess } from '../kernel/sim-process.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';

/** What a cable runs between. */
interface SerialLineDeps extends SimulationDeps {
  readonly faultRates: () => LineFaultRates;
  /** The device's end of a fresh line. */
  readonly attach: (device: BytePipe) => void;
}

/** Longest a piece is held up. */
const LONGEST_DELAY_MS = 1_500;

/** The cable of one terminal: opened by an agent's process, pulled out and put back, and noisy both ways. */
export class SerialLine {
  readonly #deps: SerialLineDeps;
  #plugged = true;
  #current: BytePipe | undefined;

  constructor(deps: SerialLineDeps) {
    this.#deps = deps;
  }

  set plugged(plugged: boolean) {
    this.#plugged = plugged;
    if (!plugged) void this.#current?.close();
  }

  /** Opens the port for a process. @throws Error when the cable is out */
  async open(process: SimProcess): Promise<BytePipe> {
    if (!process.effect('open port') || !this.#plugged) throw new Error('no such port');
    const [host, device] = memoryPipe();
    this.#current = host;
    process.onDeath(() => void host.close());
    this.#deps.attach(this.#noisy(device, () => true));
    return this.#noisy(host, () => process.effect('serial write'));
  }

  #noisy(pipe: BytePipe, mayWrite: () => boolean): BytePipe {
    let before: Promise<unknown> = Promise.resolve();
    const write = (bytes: Uint8Array): Promise<void> => {
      if (!mayWrite()) return Promise.reject(new PipeClosedError('process gone'));
      const { random, clock, faultRates } = this.#deps;
      const { drop, bend, repeat, split, delay } = faultRates();
      if (drop + bend + repeat + split + delay === 0) return pipe.write(bytes);
      const pieces = this.#strike(Uint8Array.from(bytes));
      const delayMs = random.chance(delay) ? random.whole(1, LONGEST_DELAY_MS) : 0;
      const send = async (): Promise<void> => {
        if (delayMs > 0) await new Promise<void>((resolve) => clock.setTimer(delayMs, resolve));
        for (const piece of pieces) await pipe.write(piece);
      };
      const sent = before.then(send);
      before = sent.catch(() => undefined);
      return sent;
    };
    return {
      name: pipe.name,
      write,
      onData: (listener) => pipe.onData(listener),
      onClose: (listener) => pipe.onClose(listener),
      close: () => pipe.close(),
    };
  }

  #strike(bytes: Uint8Array): Uint8Array[] {
    const { random, faultRates } = this.#deps;
    const { drop, bend, repeat, split } = faultRates();
    if (random.chance(drop)) return [];
    if (random.chance(bend)) {
      const at = random.whole(0, bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.whole(0, 7));
    }
    const pieces = random.chance(repeat) ? [bytes, bytes] : [bytes];
    if (!random.chance(split)) return pieces;
    const at = random.whole(0, bytes.length);
    return pieces.flatMap((piece) => [piece.subarray(0, at), piece.subarray(at)]).filter((p) => p.length > 0);
  }
}
