import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import type { ResumeParameters } from '@tillbridge/protocol/terminals/magtek/resume-transaction.js';
import { WaitAborted } from '../core/terminal-ui.js';

/** The device's wait for RESUME TRANSACTION. */
export class IssuerWait {
  readonly #clock: Clock;
  #settle: ((answer: ResumeParameters | 'timeout') => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the device waits now. */
  get waiting(): boolean {
    return this.#settle !== undefined;
  }

  /** Gives the host's answer to who waits. */
  answer(parameters: ResumeParameters): void {
    this.#settle?.(parameters);
  }

  /** Waits for the answer. @param timeoutMs no limit when undefined. @throws WaitAborted */
  next(timeoutMs: number | undefined, signal: AbortSignal): Promise<ResumeParameters | 'timeout'> {
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const end = (): void => {
        timer?.cancel();
        signal.removeEventListener('abort', abort);
        this.#settle = undefined;
      };
      const abort = (): void => {
        end();
        reject(new WaitAborted('the wait for the issuer was stopped'));
      };
      const settle = (answer: ResumeParameters | 'timeout'): void => {
        end();
        resolve(answer);
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      if (timeoutMs !== undefined) timer = this.#clock.setTimer(timeoutMs, () => settle('timeout'));
      this.#settle = settle;
    });
  }
}
