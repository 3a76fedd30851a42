import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { reversalMessage } from '../rules/decide-exchange.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';
import { dueExchanges, isForwarded } from '../rules/forwarding-order.js';
import type { HostLine } from './host-line.js';
import type { LinePool } from './line-pool.js';
import type { AdviceSeal, CardLookup, LinkObserver } from './link-deps.js';
import { LINK_LIMITS } from './link-limits.js';
import type { OpenExchanges } from './open-exchanges.js';
import type { PendingAnswers } from './pending-answers.js';

/** What the forwarder is made with. */
interface ForwarderOptions {
  readonly clock: Clock;
  readonly observer: Pick<LinkObserver, 'fault' | 'withoutCard'>;
  readonly answerTimeoutMs: number;
  readonly advices?: Pick<AdviceSeal, 'open'>;
  /** Absent: reversals name no card. */
  readonly cardOf?: CardLookup;
}

/** The parts of a link that the forwarder works with. */
interface ForwarderDeps {
  readonly exchanges: OpenExchanges;
  readonly pending: PendingAnswers;
  readonly pool: LinePool;
}

/** Sends the reversals and advices of a link until the host answers them. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #exchanges: OpenExchanges;
  readonly #pending: PendingAnswers;
  readonly #pool: LinePool;
  #isForwarding = false;
  /** Reversals and advices that wait for their answers. */
  #forwarded = 0;
  /** By the monotonic clock. */
  #pausedUntilMs = 0;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: ForwarderOptions, { exchanges, pending, pool }: ForwarderDeps) {
    this.#options = options;
    this.#exchanges = exchanges;
    this.#pending = pending;
    this.#pool = pool;
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Sends the reversals and advices that are due; sets the timer for the next. */
  forward(): void {
    if (this.#isClosed || this.#isForwarding) return;
    const { clock, observer } = this.#options;
    const nowMs = clock.nowMs();
    const { due, nextAtMs } = dueExchanges(this.#exchanges.values(), {
      nowMs,
      // While no host can be reached, or nothing can be journaled, nothing is due.
      notBeforeMs: nowMs + Math.max(this.#pool.brokenForMs, this.#pausedUntilMs - clock.monotonicMs(), 0),
      most: LINK_LIMITS.forwarded - this.#forwarded,
    });
    this.#timer?.cancel();
    if (due.length > 0) {
      this.#isForwarding = true;
      void this.#sendDue(due)
        .catch((error) => {
          this.#pausedUntilMs = clock.monotonicMs() + LINK_LIMITS.pauseMs;
          observer.fault(error);
        })
        .finally(() => {
          this.#isForwarding = false;
          this.forward();
        });
    } else if (nextAtMs !== undefined) {
      this.#timer = clock.setTimer(nextAtMs - nowMs, () => this.forward());
    }
  }

  async #sendDue(due: readonly ExchangeRecord[]): Promise<void> {
    for (const { reference } of due) {
      const line = await this.#pool.take().catch(() => undefined);
      if (!line) return;
      await this.#sendOnce(reference, line);
    }
  }

  async #sendOnce(reference: string, line: HostLine): Promise<void> {
    const { clock, observer, answerTimeoutMs } = this.#options;
    const record = this.#exchanges.get(reference);
    if (!record || !isForwarded(record)) return;
    // That it was sent is journaled first: a repeat without its flag would be a second reversal, or a second advice.
    const kind = record.state === 'advice-pending' ? 'advice-sent' : 'reversal-sent';
    const journaled = await this.#exchanges.happens(reference, { kind, nowMs: clock.nowMs() });
    // Another node may have sent it before, or have received the answer.
    const message = journaled && (await this.#messageOf(journaled).catch((error) => observer.fault(error)));
    if (!message || this.#exchanges.get(reference)?.state !== record.state) return;
    const bytes = await line.sealed(message);
    this.#forwarded += 1;
    this.#pending.wait(message, line, answerTimeoutMs, (answer) => {
      void this.#acknowledged(reference, line, message.isRepeat, answer)
        .catch((error) => observer.fault(error))
        .finally(() => {
          this.#forwarded -= 1;
          this.forward();
        });
    });
    line.write(bytes).catch(() => void line.close());
  }

  async #messageOf(record: ExchangeRecord): Promise<ExchangeMessage | undefined> {
    const { reference, sealed, standIn } = record;
    if (record.state !== 'advice-pending' || !sealed) return this.#reversalOf(record);
    const advice = await this.#options.advices?.open(reference, sealed);
    return advice && { ...advice, isRepeat: standIn !== undefined && standIn.attempts > 1 };
  }

  /** The reversal of an exchange, with its card as the vault has it now: no journal keeps it. */
  async #reversalOf(record: ExchangeRecord): Promise<ExchangeMessage | undefined> {
    const { cardOf, observer } = this.#options;
    const message = reversalMessage(record);
    if (!message || !cardOf) return message;
    const card = await cardOf(record);
    if (!card) observer.withoutCard(record.reference);
    return { ...message, ...card };
  }

  /** Carries out the host's answer to a reversal or an advice; one without an answer is sent again when it is due. */
  async #acknowledged(
    reference: string,
    line: HostLine,
    isRepeat: boolean,
    answer: ExchangeMessage | undefined,
  ): Promise<void> {
    // What a host never answers, however often it is repeated, is no sign that it answers nothing.
    if (answer || !isRepeat) this.#pool.received(line, answer !== undefined);
    if (!answer) return;
    await this.#exchanges.answered(reference, answer);
  }
}
