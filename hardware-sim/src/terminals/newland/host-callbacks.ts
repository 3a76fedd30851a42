import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Callback, CallbackAnswer } from '@tillbridge/wire/terminals/newland/callbacks.js';
import { HostAnswer } from '../core/interruptible.js';
import { L3Error } from './l3-error.js';

/** How long the pad waits for the host's answer to a callback. */
const CALLBACK_PATIENCE_MS = 10_000;

type Sent = Exclude<Callback, { kind: 'other' }>;

/** The questions of the pad to its host while a transaction runs; one at a time. */
export class HostCallbacks extends HostAnswer<CallbackAnswer> {
  /** Sends the host a callback. */
  readonly tell: (callback: Sent) => void;

  constructor(clock: Clock, send: (callback: Sent) => void) {
    super(clock);
    this.tell = send;
  }

  /** Sends a callback and waits for its answer. @throws L3Error timeout, WaitAborted */
  async ask(callback: Exclude<Sent, { kind: 'ui-event' }>, signal: AbortSignal): Promise<CallbackAnswer> {
    const coming = this.next(CALLBACK_PATIENCE_MS, signal);
    this.tell(callback);
    const answer = await coming;
    if (answer === 'timeout') throw new L3Error('timeout');
    return answer;
  }
}
