import type { Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { HostLine } from './host-line.js';

interface Pending {
  readonly message: Pick<ExchangeMessage, 'at'>;
  readonly line: HostLine;
  readonly settle: (answer?: ExchangeMessage) => void;
}

/** Messages that wait for the host's answers. An answer belongs to its message by its kind, and by fields that the dialect names. */
export class PendingAnswers {
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #matchedBy: Dialect['matchedBy'];
  readonly #pending = new Map<string, Pending>();

  constructor(clock: Pick<Clock, 'setTimer'>, { matchedBy }: Pick<Dialect, 'matchedBy'>) {
    this.#clock = clock;
    this.#matchedBy = matchedBy;
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
    const key = keyOf(message, this.#matchedBy);
    const settle = (answer?: ExchangeMessage): void => {
      if (this.#pending.get(key)?.settle !== settle) return;
      this.#pending.delete(key);
      timer.cancel();
      over(answer);
    };
    const timer = this.#clock.setTimer(timeoutMs, () => settle());
    this.#pending.get(key)?.settle();
    this.#pending.set(key, { message, line, settle });
    // It ended while the message was made, and has reported its end already.
    if (line.hasEnded) settle();
    return settle;
  }

  /** Gives an answer to its waiting caller; false when there is none. */
  take(answer: ExchangeMessage): boolean {
    const pending = this.#pending.get(keyOf(answer, this.#matchedBy));
    // A host may leave the time out, or have its own.
    pending?.settle({ ...answer, at: pending.message.at });
    return pending !== undefined;
  }

  /** A line has ended: no answer comes to what was sent on it. */
  ended(line: HostLine): void {
    for (const pending of [...this.#pending.values()]) if (pending.line === line) pending.settle();
  }
}

/** Values of fields that may tie an answer to its message. */
const MATCHED = {
  7: ({ at }) => at,
  11: ({ stan }) => stan,
  37: ({ rrn = '' }) => rrn,
  41: ({ terminalId = '' }) => terminalId,
} as const satisfies Record<number, (message: MatchedMessage) => string>;

/** What of a message may tie an answer to it. */
type MatchedMessage = Pick<ExchangeMessage, 'kind' | 'terminalId' | 'stan' | 'at' | 'rrn'>;

/** What ties an answer to its message: the kind, and the fields of the dialect. */
export function keyOf(message: MatchedMessage, matchedBy: Dialect['matchedBy']): string {
  const values = matchedBy.map((field) => MATCHED[field as keyof typeof MATCHED](message));
  return [message.kind, ...values].join('/');
}
