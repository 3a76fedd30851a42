import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { MAX_COMMAND_BYTES } from '@tillbridge/protocol/terminals/verifone/frame-b.js';
import {
  awaitsConfirmation,
  expectsBytes,
  type LinkEffect,
  type LinkEvent,
  type LinkState,
  newLink,
  stepLink,
} from '@tillbridge/protocol/terminals/verifone/link.js';
import { ACK_TIMEOUT_MS, SILENCE_MS } from '@tillbridge/protocol/terminals/verifone/link-limits.js';
import { HostLine } from '../core/host-line.js';

/** What a device does with its line. */
export interface DeviceLineHooks {
  readonly onMessage: (message: Buffer) => void;
  /** The line was connected anew or went away. */
  readonly onChange: () => void;
}

/** The link machine at the device's end, with its timers. What the host does not confirm is not sent again unasked. */
export class DeviceLine {
  readonly #clock: Clock;
  readonly #type: 'A' | 'B';
  readonly #hooks: DeviceLineHooks;
  readonly #line: HostLine;
  #state: LinkState;
  #ackTimer: Timer | undefined;
  #silenceTimer: Timer | undefined;

  constructor(clock: Clock, type: 'A' | 'B', hooks: DeviceLineHooks) {
    this.#clock = clock;
    this.#type = type;
    this.#hooks = hooks;
    this.#state = newLink(type, MAX_COMMAND_BYTES);
    this.#line = new HostLine({
      onBytes: (bytes) => this.#step({ kind: 'bytes', bytes }),
      onChange: () => {
        this.reset();
        hooks.onChange();
      },
    });
  }

  attach(pipe: BytePipe): void {
    this.#line.attach(pipe);
  }

  /** Sends a message. @throws TerminalFormatError for one that no frame can hold */
  send(message: Uint8Array): void {
    this.#step({ kind: 'send', message });
  }

  /** Forgets half a frame and what waits to be confirmed. */
  reset(): void {
    this.#ackTimer?.cancel();
    this.#silenceTimer?.cancel();
    this.#state = newLink(this.#type, MAX_COMMAND_BYTES);
  }

  #step(event: LinkEvent): void {
    const { state, effects } = stepLink(this.#state, event);
    this.#state = state;
    const sent = effects.some((effect) => effect.kind === 'write' && effect.confirmable);
    if (sent || !awaitsConfirmation(state)) this.#ackTimer?.cancel();
    if (sent) this.#ackTimer = this.#clock.setTimer(ACK_TIMEOUT_MS, () => this.#step({ kind: 'ack-late' }));
    if (event.kind === 'bytes') {
      this.#silenceTimer?.cancel();
      if (expectsBytes(state))
        this.#silenceTimer = this.#clock.setTimer(SILENCE_MS, () => this.#step({ kind: 'silence' }));
    }
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: LinkEffect): void {
    if (effect.kind === 'write') this.#line.write(effect.bytes);
    else if (effect.kind === 'message') this.#hooks.onMessage(effect.message);
    else if (effect.kind === 'broken') this.#line.close();
  }
}
