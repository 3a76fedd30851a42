import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { MAX_COMMAND_BYTES } from '@tillbridge/wire/terminals/verifone/frame-b.js';
import {
  type LinkEvent,
  type LinkState,
  type LinkTimer,
  newLink,
  stepTimedLink,
} from '@tillbridge/wire/terminals/verifone/link.js';
import type { HostLine } from '../core/host-line.js';

/** The link machine at the device's end, with its timers. What the host does not confirm is not sent again without a request. */
export class DeviceLine {
  readonly #clock: Clock;
  readonly #type: 'A' | 'B';
  readonly #line: HostLine;
  readonly #onMessage: (message: Buffer) => void;
  readonly #timers = new Map<LinkTimer, Timer>();
  #state: LinkState;

  constructor(clock: Clock, type: 'A' | 'B', line: HostLine, onMessage: (message: Buffer) => void) {
    this.#clock = clock;
    this.#type = type;
    this.#line = line;
    this.#onMessage = onMessage;
    this.#state = newLink(type, MAX_COMMAND_BYTES);
  }

  /** Forgets half a frame and what waits to be confirmed. */
  reset(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#state = newLink(this.#type, MAX_COMMAND_BYTES);
  }

  /** Lets the link take an event. @throws TerminalFormatError for a message that no frame can hold */
  step(event: LinkEvent): void {
    const { state, effects } = stepTimedLink(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      switch (effect.kind) {
        case 'set-timer':
          this.#timers.get(effect.timer)?.cancel();
          this.#timers.set(
            effect.timer,
            this.#clock.setTimer(effect.ms, () => this.step({ kind: effect.timer })),
          );
          break;
        case 'stop-timer':
          this.#timers.get(effect.timer)?.cancel();
          break;
        case 'write':
          this.#line.write(effect.bytes);
          break;
        case 'message':
          this.#onMessage(effect.message);
          break;
        case 'broken':
          this.#line.close();
      }
    }
  }
}
