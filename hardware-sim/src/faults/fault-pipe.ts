import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Fault } from './fault.js';
import { seededRandom } from './seeded-random.js';

const ACK = 0x06;
const SYN = 0x16;

interface Laid {
  readonly fault: Fault;
  skip: number;
  left: number;
}

/** What becomes of one piece. */
interface Fate {
  readonly pieces: readonly Uint8Array[];
  readonly delayMs: number;
  readonly reset: boolean;
}

/** The faults laid on a terminal; they outlive the line that they act on. */
export class FaultDesk {
  #laid: Laid[] = [];

  /** Replaces all faults. */
  lay(faults: readonly Fault[]): void {
    this.#laid = faults.map((fault) => ({ fault, skip: fault.skip, left: fault.times }));
  }

  /** The faults that still wait for something to hit. */
  get pending(): readonly Fault[] {
    return this.#laid.map(({ fault, skip, left }) => ({ ...fault, skip, times: left }));
  }

  /** Decides what becomes of a piece that the terminal sends. */
  strike(bytes: Uint8Array): Fate {
    let fate: Fate = { pieces: [bytes], delayMs: 0, reset: false };
    for (const laid of this.#laid) {
      if (!concerns(laid.fault, bytes)) continue;
      if (laid.skip > 0) laid.skip -= 1;
      else if (laid.left > 0) {
        laid.left -= 1;
        fate = apply(laid.fault, fate);
      }
    }
    this.#laid = this.#laid.filter(({ left }) => left > 0);
    return fate;
  }
}

function concerns({ name }: Fault, bytes: Uint8Array): boolean {
  return name === 'drop-ack' ? bytes.length === 1 && bytes[0] === ACK : bytes[0] === SYN;
}

function apply(fault: Fault, fate: Fate): Fate {
  switch (fault.name) {
    case 'drop-ack':
      return { ...fate, pieces: [] };
    case 'corrupt-crc':
      return { ...fate, pieces: fate.pieces.map(withBentEnd) };
    case 'delay':
      return { ...fate, delayMs: fate.delayMs + fault.delayMs };
    case 'split':
      return { ...fate, pieces: fate.pieces.flatMap((piece) => cut(piece, fault.seed)) };
    case 'repeat':
      return { ...fate, pieces: [...fate.pieces, ...fate.pieces] };
    case 'reset':
      return { ...fate, pieces: [], reset: true };
  }
}

function withBentEnd(piece: Uint8Array): Uint8Array {
  const bent = Uint8Array.from(piece);
  const last = bent.length - 1;
  bent[last] = (bent[last] ?? 0) ^ 0xff;
  return bent;
}

/** Pieces of one to eight bytes. */
function cut(piece: Uint8Array, seed: number): Uint8Array[] {
  const random = seededRandom(seed);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < piece.length; ) {
    const length = ((random.bytes(1)[0] ?? 0) % 8) + 1;
    pieces.push(piece.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

/**
 * A line that does to the terminal's bytes what the desk decides; what the host sends passes untouched. Order is kept:
 * what follows a delayed piece waits behind it.
 * @param onReset called when a `reset` strikes
 */
export function faultPipe(line: BytePipe, desk: FaultDesk, clock: Clock, onReset: () => void): BytePipe {
  let before: Promise<unknown> = Promise.resolve();
  const send = async (bytes: Uint8Array): Promise<void> => {
    const { pieces, delayMs, reset } = desk.strike(bytes);
    if (delayMs > 0) await new Promise<void>((resolve) => clock.setTimer(delayMs, resolve));
    for (const piece of pieces) await line.write(piece);
    if (reset) onReset();
  };
  return {
    name: line.name,
    write(bytes) {
      const sent = before.then(() => send(bytes));
      before = sent.catch(() => undefined);
      return sent;
    },
    onData: (listener) => line.onData(listener),
    onClose: (listener) => line.onClose(listener),
    close: () => line.close(),
  };
}
