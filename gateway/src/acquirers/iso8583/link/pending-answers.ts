import type { ExchangeMessage } from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { HostLine } from './host-line.js';

/** Messages that wait for their answers at once; more are not sent. */
export const MAX_PENDING_MESSAGES = 1_000;

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

  /** No other message may be sent now. */
  get isFull(): boolean {
    return this.#pending.size >= MAX_PENDING_MESSAGES;
  }

  /** The answer to a message; undefined when none came in time, or the line ended. To be called before its bytes leave. */
  wait(
    message: ExchangeMessage,
    line: HostLine,
    timeoutMs: number,
  ): { readonly answer: Promise<ExchangeMessage | undefined>; readonly giveUp: () => void } {
    const key = keyOf(message);
    let giveUp = (): void => undefined;
    const answer = new Promise<ExchangeMessage | undefined>((resolve) => {
      const settle = (found?: ExchangeMessage): void => {
        this.#pending.delete(key);
        timer.cancel();
        resolve(found);
      };
      const timer = this.#clock.setTimer(timeoutMs, () => settle());
      this.#pending.set(key, { line, settle });
      giveUp = settle;
    });
    return { answer, giveUp };
  }

  /** Gives an answer to whoever waits for it; false when nobody does. */
  take(answer: ExchangeMessage): boolean {
    const pending = this.#pending.get(keyOf(answer));
    pending?.settle(answer);
    return pending !== undefined;
  }

  /** A line has ended: nobody answers what was sent on it. */
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
