import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import type { Callback, CallbackAnswer } from '@tillbridge/protocol/terminals/newland/callbacks.js';
import { WaitAborted } from '../core/terminal-ui.js';
import { L3Error } from './l3-error.js';

/** How long the pad waits for the host's answer to a callback. */
export const CALLBACK_PATIENCE_MS = 10_000;

type Sent = Exclude<Callback, { kind: 'other' }>;

/** The questions of the pad to its host while a transaction runs; one at a time. */
export class HostCallbacks {
  readonly #clock: Clock;
  readonly #send: (callback: Sent) => void;
  #waiting: ((answer: CallbackAnswer) => void) | undefined;

  constructor(clock: Clock, send: (callback: Sent) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Sends the host a callback without an answer. */
  tell(callback: Extract<Callback, { kind: 'ui-event' }>): void {
    this.#send(callback);
  }

  /** Takes an answer of the host; one without a callback is ignored. */
  answered(answer: CallbackAnswer): void {
    this.#waiting?.(answer);
  }

  /** Asks the host. @throws L3Error timeout, WaitAborted */
  ask(callback: Exclude<Sent, { kind: 'ui-event' }>, signal: AbortSignal): Promise<CallbackAnswer> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const end = (): void => {
        timer?.cancel();
        signal.removeEventListener('abort', abort);
        this.#waiting = undefined;
      };
      const abort = (): void => {
        end();
        reject(new WaitAborted('the callback was given up'));
      };
      timer = this.#clock.setTimer(CALLBACK_PATIENCE_MS, () => {
        end();
        reject(new L3Error('timeout'));
      });
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting = (answer) => {
        end();
        resolve(answer);
      };
      this.#send(callback);
    });
  }
}
