import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { StatusError } from './status-error.js';

/** How long the device waits for the host's reply to a request (from public sources incomplete). */
export const REQUEST_TIMEOUT_MS = 30_000;

/** Requests to the host while a command runs (91-01): one at a time, each with its reply before the command may end. */
export class HostRequests {
  readonly #clock: Clock;
  readonly #send: (objects: readonly TlvNode[]) => void;
  /** The request that waits for its reply, and those behind it. */
  #open: (readonly TlvNode[])[] = [];
  #waiting: { readonly settle: (answered: boolean) => void; readonly timer: Timer } | undefined;

  constructor(clock: Clock, send: (objects: readonly TlvNode[]) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Sends a request, once those before it have their replies. */
  ask(objects: readonly TlvNode[]): void {
    this.#open.push(objects);
    if (this.#open.length === 1) this.#send(objects);
  }

  /** Takes the host's reply; one without a request is ignored. */
  reply(): void {
    if (this.#open.shift() === undefined) return;
    const [next] = this.#open;
    if (next) this.#send(next);
    else this.#end(true);
  }

  /** Forgets all requests. */
  reset(): void {
    this.#open = [];
    this.#end(false);
  }

  /** Waits until every request has its reply. @throws StatusError emvAbort when the host stays silent */
  async answered(): Promise<void> {
    if (this.#open.length === 0) return;
    const answered = await new Promise<boolean>((settle) => {
      const timer = this.#clock.setTimer(REQUEST_TIMEOUT_MS, () => this.reset());
      this.#waiting = { settle, timer };
    });
    if (!answered) throw new StatusError('emvAbort');
  }

  #end(answered: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.timer.cancel();
    waiting?.settle(answered);
  }
}
