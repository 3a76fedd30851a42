import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';

/** The wait was stopped by the host (CAN, another command) or by a power cycle. */
export class WaitAborted extends Error {
  override readonly name = 'WaitAborted';
}

/** What may end a wait before its time. */
interface Interruption {
  readonly clock: Clock;
  /** No limit when undefined. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Waits until `begin` settles it, for at most that time.
 * @param begin starts the wait; it may settle it at once
 * @param ended called when the wait has ended, however it did
 * @throws WaitAborted
 */
export function interruptible<T>(
  { clock, timeoutMs, signal }: Interruption,
  begin: (settle: (result: T) => void) => void,
  ended: () => void,
): Promise<T | 'timeout'> {
  return new Promise((resolve, reject) => {
    let timer: Timer | undefined;
    const end = (): void => {
      timer?.cancel();
      signal.removeEventListener('abort', abort);
      ended();
    };
    const settle = (result: T | 'timeout'): void => {
      end();
      resolve(result);
    };
    const abort = (): void => {
      end();
      reject(new WaitAborted('the wait was stopped'));
    };
    if (signal.aborted) {
      abort();
      return;
    }
    if (timeoutMs !== undefined) timer = clock.setTimer(timeoutMs, () => settle('timeout'));
    signal.addEventListener('abort', abort, { once: true });
    begin(settle);
  });
}

/** The device's wait for an answer of its host; one at a time. */
export class HostAnswer<T> {
  readonly #clock: Clock;
  #settle: ((answer: T) => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the device waits now. */
  get waiting(): boolean {
    return this.#settle !== undefined;
  }

  /** Takes an answer; ignored where no request waits. */
  take(answer: T): void {
    this.#settle?.(answer);
  }

  /** Waits for the answer. @param timeoutMs no limit when undefined. @throws WaitAborted */
  next(timeoutMs: number | undefined, signal: AbortSignal): Promise<T | 'timeout'> {
    const settleBy = (settle?: (answer: T) => void): void => {
      this.#settle = settle;
    };
    return interruptible<T>({ clock: this.#clock, timeoutMs, signal }, settleBy, () => settleBy());
  }
}
