import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { isNearDay } from '../rules/host-movements.js';
import type { LinkObserver } from './link-deps.js';

/** Network messages of a host that need nothing but an answer. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['echo', 'cut-over']);

/** What the requests of a host lead to. */
export interface HostRequestsOptions {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly observer: Pick<LinkObserver, 'bad' | 'fault'>;
  /** Takes a key that the host brings; gives the values of our answer. */
  readonly takeKey: (message: ExchangeMessage) => Promise<Partial<ExchangeMessage>>;
  /** Called with a new settlement day, `yyyyMMdd`, that the host announces. */
  readonly onCutOver?: (settlementDate: string) => Promise<void>;
}

/** Answers the requests of an acquirer's host. */
export class HostRequests {
  readonly #options: HostRequestsOptions;

  constructor(options: HostRequestsOptions) {
    this.#options = options;
  }

  /** The answer to a request: the host may send a key, announce a new settlement day, or test the line. */
  async answer(request: ExchangeMessage): Promise<ExchangeMessage> {
    if (request.kind === 'network' && request.network === 'key-exchange')
      return answerTo(request, await this.#options.takeKey(request));
    const isTaken = request.kind === 'network' && TAKEN.has(request.network);
    if (!isTaken) this.#options.observer.bad('a request that the gateway does not carry out');
    const { onCutOver, observer } = this.#options;
    const { settlementDate } = this.nearDays(request);
    if (isTaken && settlementDate !== undefined)
      void onCutOver?.(settlementDate).catch((error) => observer.fault(error));
    return answerTo(request, { responseCode: isTaken ? '00' : '12' });
  }

  /** The message without a settlement day that cannot be one. */
  nearDays(message: ExchangeMessage): ExchangeMessage {
    const { settlementDate, ...others } = message;
    const { clock, observer } = this.#options;
    if (settlementDate === undefined || isNearDay(settlementDate, clock.nowMs())) return message;
    observer.bad('a settlement day that is far away');
    return others;
  }
}
