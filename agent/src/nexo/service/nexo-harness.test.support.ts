import { pino } from 'pino';
import { DEFAULT_STORE } from '../../sale/receipts/store.js';
import { type HarnessOptions, SaleHarness } from '../../sale/sale-harness.test.support.js';
import { EVERY_TILL } from '../keys/caller.js';
import { sentMessage } from '../messages/message.js';
import { TillRequests } from '../requests/till-requests.js';
import { NexoService } from './nexo-service.js';
import { Sessions } from './sessions.js';
import { Terminals } from './terminals.js';

/** Any part of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at what is there
export type Answer = any;

const SALE_TIME = '2026-11-23T08:00:00Z';

/** An agent whose tills speak nexo: the real sale service on a memory disk and a virtual clock. */
export class NexoHarness {
  readonly sale: SaleHarness;
  service: NexoService;
  /** Whose key messages are enciphered under. */
  caller = EVERY_TILL;
  /** What the service has logged. */
  readonly logged: string[] = [];

  constructor(options?: HarnessOptions) {
    this.sale = new SaleHarness(options);
    this.service = this.#newService();
  }

  async boot(): Promise<this> {
    await this.sale.boot();
    this.service = this.#newService();
    return this;
  }

  /** `kill -9`, then a new process on the same disk. */
  async crash(): Promise<void> {
    await this.sale.crash();
    this.service = this.#newService();
  }

  /** Sends a message; its answer without the outer object, `undefined` for an empty one. */
  async send(category: string, body: object, header: object = {}): Promise<Answer> {
    const isEvent = category === 'Event';
    const message = {
      MessageHeader: {
        ProtocolVersion: '3.0',
        MessageClass: isEvent ? 'Event' : 'Service',
        MessageCategory: category,
        MessageType: isEvent ? 'Notification' : 'Request',
        ServiceID: '1',
        SaleID: 'till-1',
        POIID: '11',
        ...header,
      },
      [isEvent ? 'EventNotification' : `${category}Request`]: body,
    };
    const answer = await this.service.answer(sentMessage(plain({ SaleToPOIRequest: message })), this.caller);
    return answer && Object.values(plain(answer.message))[0];
  }

  /** Sends a message and lets time go on until its answer is there. */
  during(category: string, body: object, header: object = {}): Promise<Answer> {
    return this.sale.during(this.send(category, body, header));
  }

  async pay(serviceId: string, amount = 12.34, more: object = {}): Promise<Answer> {
    const answer = await this.during('Payment', paymentBody(`t-${serviceId}`, amount, more), {
      ServiceID: serviceId,
    });
    return answer.PaymentResponse;
  }

  async statusOf(serviceId: string, more: object = {}, header: object = {}): Promise<Answer> {
    const body = { MessageReference: { ServiceID: serviceId }, ...more };
    return (await this.during('TransactionStatus', body, { ServiceID: `s${serviceId}`, ...header }))
      .TransactionStatusResponse;
  }

  #newService(): NexoService {
    const { clock, journal, runner } = this.sale;
    const { service: sales } = runner;
    return new NexoService({
      sales,
      requests: new TillRequests(journal, clock),
      sessions: new Sessions(),
      terminals: new Terminals(sales),
      works: new Map(),
      reversals: new Map(),
      begins: new Map(),
      merchantId: 'SHOP',
      currency: 'EUR',
      store: { ...DEFAULT_STORE, name: 'Shop' },
      version: '1',
      clock,
      log: pino({ level: 'trace' }, { write: (line) => void this.logged.push(line) }),
    });
  }
}

/** A `PaymentRequest`. */
export function paymentBody(
  transactionId: string,
  amount: number,
  more: object = {},
  timeStamp = SALE_TIME,
): object {
  return {
    SaleData: { SaleTransactionID: { TransactionID: transactionId, TimeStamp: timeStamp } },
    PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: amount } },
    ...more,
  };
}

/** As it comes over the line. */
function plain<T>(value: T): Answer {
  return JSON.parse(JSON.stringify(value));
}
