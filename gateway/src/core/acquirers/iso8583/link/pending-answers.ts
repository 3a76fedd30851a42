import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { HostLine } from './host-line.js';

interface Pending {
  readonly line: HostLine;
  readonly settle: (answer?: ExchangeMessage) => void;
}

/** Messages that wait for the host's answers. An answer belongs to its message by kind, terminal, number and time. */
export class PendingAnswers {
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #pending = new Map<string, Pending>();

  constructor(clock: Pick<Clock, 'setTimer'>) {
    this.#clock = clock;
  }

  /**
   * Waits for the answer to a message. To be called before its bytes leave.
   * @param over is called once, as soon as the answer is there, so that later messages are handled after it; without one when none came in time,
   * or the line ended
   * @returns gives it up
   */
  wait(
    message: ExchangeMessage,
    line: HostLine,
    timeoutMs: number,
    over: (answer?: ExchangeMessage) => void,
  ): () => void {
    const key = keyOf(message);
    const settle = (answer?: ExchangeMessage): void => {
      if (this.#pending.get(key)?.settle !== settle) return;
      this.#pending.delete(key);
      timer.cancel();
      over(answer);
    };
    const timer = this.#clock.setTimer(timeoutMs, () => settle());
    this.#pending.get(key)?.settle();
    this.#pending.set(key, { line, settle });
    // It ended while the message was made, and has reported its end already.
    if (line.hasEnded) settle();
    return settle;
  }

  /** Gives an answer to its waiting caller; false when there is none. */
  take(answer: ExchangeMessage): boolean {
    const pending = this.#pending.get(keyOf(answer));
    pending?.settle(answer);
    return pending !== undefined;
  }

  /** A line has ended: no answer comes to what was sent on it. */
  ended(line: HostLine): void {
    for (const pending of [...this.#pending.values()]) if (pending.line === line) pending.settle();
  }
}

/** What ties an answer to its message: kind, terminal, number and time. */
export function keyOf({
  kind,
  terminalId = '',
  stan,
  at,
}: Pick<ExchangeMessage, 'kind' | 'terminalId' | 'stan' | 'at'>): string {
  return `${kind}/${terminalId}/${stan}/${at}`;
}
