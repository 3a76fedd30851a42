import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { MAX_RESPONSE_BYTES } from '@tillbridge/protocol/terminals/verifone/frame-b.js';
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

/** Protocol type A confirms every frame (serial); type B trusts its stream (TCP). */
export type FrameType = 'A' | 'B';

/** What a line tells. */
export interface SdiLineHooks {
  readonly onMessage: (message: Buffer) => void;
  readonly onDamaged: () => void;
  /** What was sent last did not arrive, as far as anybody knows. */
  readonly onUnsent: (reason: string) => void;
  /** The line has ended; it never comes back. */
  readonly onEnd: (reason: string) => void;
}

/** The link machine over a pipe, with its timers. */
export class SdiLine {
  private readonly pipe: BytePipe;
  private readonly clock: Clock;
  private readonly type: FrameType;
  private readonly hooks: SdiLineHooks;
  private state: LinkState;
  private ackTimer: Timer | undefined;
  private silenceTimer: Timer | undefined;
  private ended = false;

  constructor(pipe: BytePipe, clock: Clock, type: FrameType, hooks: SdiLineHooks) {
    this.pipe = pipe;
    this.clock = clock;
    this.type = type;
    this.hooks = hooks;
    this.state = newLink(type, MAX_RESPONSE_BYTES);
    pipe.onData((bytes) => this.step({ kind: 'bytes', bytes }));
    pipe.onClose(() => this.end('the port closed'));
  }

  /** Sends a message when those before it are confirmed. @throws TerminalFormatError for one that no frame can hold */
  send(message: Uint8Array): void {
    this.step({ kind: 'send', message });
  }

  /** Forgets half a frame, and what waits to be confirmed: the beginning of a new session. */
  reset(): void {
    this.ackTimer?.cancel();
    this.silenceTimer?.cancel();
    // A stream that was broken stays so: only its end can tell what comes behind.
    if (this.type === 'A') this.state = newLink(this.type, MAX_RESPONSE_BYTES);
  }

  private step(event: LinkEvent): void {
    if (this.ended) return;
    const { state, effects } = stepLink(this.state, event);
    this.state = state;
    this.setTimers(event, effects);
    for (const effect of effects) this.perform(effect);
  }

  private setTimers(event: LinkEvent, effects: readonly LinkEffect[]): void {
    const sent = effects.some((effect) => effect.kind === 'write' && effect.confirmable);
    if (sent || !awaitsConfirmation(this.state)) this.ackTimer?.cancel();
    if (sent) this.ackTimer = this.clock.setTimer(ACK_TIMEOUT_MS, () => this.step({ kind: 'ack-late' }));
    if (event.kind !== 'bytes') return;
    this.silenceTimer?.cancel();
    if (expectsBytes(this.state)) {
      this.silenceTimer = this.clock.setTimer(SILENCE_MS, () => this.step({ kind: 'silence' }));
    }
  }

  private perform(effect: LinkEffect): void {
    switch (effect.kind) {
      case 'write':
        // A write that fails means the pipe is gone; its close event may come later or not at all.
        this.pipe.write(effect.bytes).catch(() => this.end('the port closed'));
        break;
      case 'message':
        this.hooks.onMessage(effect.message);
        break;
      case 'damaged':
        this.hooks.onDamaged();
        break;
      case 'unsent':
        this.hooks.onUnsent(UNSENT[effect.reason]);
        break;
      case 'broken':
        this.end(effect.reason);
        void this.pipe.close();
    }
  }

  private end(reason: string): void {
    if (this.ended) return;
    this.ended = true;
    this.ackTimer?.cancel();
    this.silenceTimer?.cancel();
    this.hooks.onEnd(reason);
  }
}

const UNSENT = {
  refused: 'the terminal refused a frame again and again',
  unconfirmed: 'the terminal did not confirm a frame',
  'queue-full': 'too many frames wait for the terminal',
} as const;
