import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { type LinkEffect, SERIAL_LIMITS, SerialLink } from '../serial/serial-link.js';
import { Conversation, type ConversationDeps } from './conversation.js';

/** A till on a serial line, for as long as the port is open. */
export function serveSerialTill(
  pipe: BytePipe,
  clock: Clock,
  deps: Omit<ConversationDeps, 'send' | 'hangUp' | 'clock'>,
): void {
  const line = new SerialTill(pipe, clock, deps);
  pipe.onData((bytes) => line.received(bytes));
  pipe.onClose(() => line.closed());
}

class SerialTill {
  readonly #pipe: BytePipe;
  readonly #clock: Clock;
  readonly #link = new SerialLink();
  readonly #conversation: Conversation;
  #timers: readonly Timer[] = [];

  constructor(pipe: BytePipe, clock: Clock, deps: Omit<ConversationDeps, 'send' | 'hangUp' | 'clock'>) {
    this.#pipe = pipe;
    this.#clock = clock;
    this.#conversation = new Conversation({
      ...deps,
      clock,
      send: (bytes) => this.#carryOut(this.#link.send(bytes)),
      // A cable cannot be hung up: the till requests again what it has missed.
      hangUp: () => undefined,
    });
  }

  received(bytes: Uint8Array): void {
    this.#carryOut(this.#link.received(bytes));
  }

  closed(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#conversation.closed();
  }

  #carryOut(effects: readonly LinkEffect[]): void {
    // Before what was received is worked on, so that an answer finds the timers of its frame.
    this.#arm();
    for (const effect of effects) {
      if (effect.kind === 'write') void this.#pipe.write(effect.bytes).catch(() => undefined);
      else if (effect.kind === 'received') this.#conversation.received(effect.apdu);
    }
  }

  #arm(): void {
    for (const timer of this.#timers) timer.cancel();
    const { acknowledge, pause } = this.#link.timers;
    const timer = (isOn: boolean, ms: number, work: () => readonly LinkEffect[]) =>
      isOn ? [this.#clock.setTimer(ms, () => this.#carryOut(work()))] : [];
    this.#timers = [
      ...timer(acknowledge, SERIAL_LIMITS.acknowledgeMs, () => this.#link.acknowledgeTimeout()),
      ...timer(pause, SERIAL_LIMITS.pauseMs, () => this.#link.pauseTimeout()),
    ];
  }
}
