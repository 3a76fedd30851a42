import { overPipe } from '@tillbridge/wire/seams/base-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { FaultRegistry } from './fault-registry.js';

/** What faults do beyond bending bytes. */
interface FaultActions {
  /** The power fails for a moment. */
  readonly reset: () => void;
  /** The plug is out for so long. */
  readonly unplug: (forMs: number) => void;
  /** A whole unsolicited frame of the terminal; undefined where its protocol has none. */
  readonly unsolicited: () => Uint8Array | undefined;
}

/**
 * A line that does to the terminal's bytes what the registry decides; what the host sends passes untouched. Order is kept:
 * what follows a delayed piece waits behind it.
 */
export function faultPipe(
  line: BytePipe,
  registry: FaultRegistry,
  clock: Clock,
  actions: FaultActions,
): BytePipe {
  const writer = new FaultWriter(line, registry, clock, actions);
  return overPipe(line, {
    write: (bytes) => writer.write(bytes),
    close: () => {
      writer.stop();
      return line.close();
    },
  });
}

/** Writes to a line what the faults leave of it. */
class FaultWriter {
  readonly #line: BytePipe;
  readonly #registry: FaultRegistry;
  readonly #clock: Clock;
  readonly #actions: FaultActions;
  #before: Promise<unknown> = Promise.resolve();
  #held: { readonly bytes: Uint8Array; readonly timer: Timer } | undefined;

  constructor(line: BytePipe, registry: FaultRegistry, clock: Clock, actions: FaultActions) {
    this.#line = line;
    this.#registry = registry;
    this.#clock = clock;
    this.#actions = actions;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#queue(() => this.#send(bytes));
  }

  /** What was held back stays so. */
  stop(): void {
    this.#held?.timer.cancel();
  }

  #queue(send: () => Promise<void>): Promise<void> {
    const sent = this.#before.then(send);
    this.#before = sent.catch(() => undefined);
    return sent;
  }

  async #send(bytes: Uint8Array): Promise<void> {
    const faultAction = this.#registry.strike(bytes);
    if (faultAction.delayMs > 0) await this.#pause(faultAction.delayMs);
    if (faultAction.unsolicited) await this.#unsolicited();
    if (faultAction.glueMs > 0) {
      this.#hold(Buffer.concat(faultAction.pieces), faultAction.glueMs);
      return;
    }
    const [first, ...rest] = faultAction.pieces;
    for (const piece of first ? [this.#withHeld(first), ...rest] : []) {
      if (faultAction.paceMs > 0) await this.#pause(faultAction.paceMs);
      await this.#line.write(piece);
    }
    if (faultAction.reset) this.#actions.reset();
    if (faultAction.unplugMs !== undefined) this.#actions.unplug(faultAction.unplugMs);
  }

  async #unsolicited(): Promise<void> {
    const frame = this.#actions.unsolicited();
    if (frame) await this.#line.write(frame);
  }

  /** Keeps a frame back, to go out in one piece with the next, or alone when none follows. */
  #hold(bytes: Uint8Array, glueMs: number): void {
    const all = this.#withHeld(bytes);
    const timer = this.#clock.setTimer(glueMs, () => {
      const held = this.#held;
      this.#held = undefined;
      if (held) void this.#queue(() => this.#line.write(held.bytes)).catch(() => undefined);
    });
    this.#held = { bytes: all, timer };
  }

  #withHeld(bytes: Uint8Array): Uint8Array {
    const held = this.#held;
    if (!held) return bytes;
    this.#held = undefined;
    held.timer.cancel();
    return Buffer.concat([held.bytes, bytes]);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.setTimer(ms, resolve));
  }
}
