import type { TillRight } from '../../access/rights.js';
import { actsFor, demandRight, EVERY_TILL, type NexoCaller } from '../keys/caller.js';
import type { CATEGORIES, MessageCategory } from '../messages/categories.js';
import { type MessageHeader, PROTOCOL_VERSION } from '../messages/header.js';
import {
  type NexoRequest,
  REQUEST_NAME,
  readRequest,
  responseMessage,
  type SentMessage,
} from '../messages/message.js';
import { NexoError } from '../messages/nexo-error.js';
import { encodePairs } from '../messages/pairs.js';
import { failure, type NexoResponse } from '../messages/response.js';
import { abort } from './abort.js';
import { cardAcquisition } from './card-acquisition.js';
import { display, print } from './devices.js';
import { diagnosis } from './diagnosis.js';
import { input } from './input.js';
import { login, logout } from './login.js';
import { payment } from './payment.js';
import type { Handler, NexoPorts, TillCall } from './ports.js';
import { refusalBody, refusalOf } from './refusals.js';
import { reversal } from './reversal.js';
import { getTotals, reconciliation } from './totals.js';
import { transactionStatus } from './transaction-status.js';

/** An answer: the whole message, and the header that stands before it in clear. */
export interface NexoAnswer {
  readonly header: MessageHeader;
  readonly message: object;
}

const nothing: Handler = async () => undefined;
/** What answers each category of messages; of all others there is none. */
export const HANDLERS: Readonly<Partial<Record<MessageCategory, Handler>>> = {
  Abort: abort,
  CardAcquisition: cardAcquisition,
  Diagnosis: diagnosis,
  Display: display,
  Event: nothing,
  GetTotals: getTotals,
  Input: input,
  InputUpdate: nothing,
  Login: login,
  Logout: logout,
  Payment: payment,
  Print: print,
  Reconciliation: reconciliation,
  Reversal: reversal,
  TransactionStatus: transactionStatus,
};

/** The rights of which a key needs one; a payment also that of its type. */
const RIGHTS: Readonly<Partial<Record<MessageCategory, readonly TillRight[]>>> = {
  Abort: ['sell', 'refund'],
  CardAcquisition: ['sell', 'refund'],
  Display: ['sell', 'refund'],
  Input: ['sell', 'refund'],
  Print: ['sell', 'refund'],
  Reconciliation: ['report'],
  Reversal: ['refund'],
};

/** Answers what tills ask in nexo Retailer, by the sale service. */
export class NexoService {
  readonly #ports: NexoPorts;

  constructor(ports: NexoPorts) {
    this.#ports = ports;
  }

  /**
   * The answer to a message; `undefined` where the protocol has none. Never rejects for what a till can send.
   * @param caller whom it is from, by its key
   */
  async answer(sent: SentMessage, caller: NexoCaller = EVERY_TILL): Promise<NexoAnswer | undefined> {
    let request: TillCall;
    try {
      request = { ...readRequest(sent), caller };
    } catch (error) {
      if (error instanceof NexoError) return this.#reject(sent.header, error);
      throw error;
    }
    const body = await this.#bodyOf(request).catch((error: unknown) => this.#refuse(request, error));
    if (body instanceof NexoError) return this.#reject(request.header, body);
    const { header } = request;
    return (
      body && { header: { ...header, MessageType: 'Response' }, message: responseMessage(request, body) }
    );
  }

  async #bodyOf(call: TillCall): Promise<object | undefined> {
    const { MessageCategory: category, SaleID: saleId } = call.header;
    if (!actsFor(call.caller, saleId))
      throw new NexoError('not-allowed', 'MessageHeader.SaleID names a till that this key does not act for');
    const needed = RIGHTS[category];
    if (needed) demandRight(call.caller, needed);
    const handler = HANDLERS[category];
    if (handler) return handler(call, this.#ports);
    const response = failure('UnavailableService', `this agent has no ${category}`);
    return refusalBody(call, response);
  }

  /** Refuses in the words of the protocol; what has no response is rejected by an event. */
  #refuse(request: NexoRequest, error: unknown): object | undefined {
    const { MessageCategory: category, SaleID: saleId, ServiceID: serviceId } = request.header;
    const response = refusalOf(error) ?? this.#fault(error);
    const about = { category, saleId, serviceId, condition: response.ErrorCondition };
    this.#ports.log.warn({ ...about, reason: textOf(error) }, 'a request of a till was refused');
    const body = refusalBody(request, response);
    return body ?? (error instanceof NexoError ? error : undefined);
  }

  #fault(error: unknown): NexoResponse {
    this.#ports.log.error({ err: error }, 'a request of a till failed');
    return failure('UnavailableService', 'unforeseen fault of the agent; its log has the details');
  }

  /** What a terminal sends where it cannot respond. */
  #reject(header: unknown, error: NexoError): NexoAnswer {
    this.#ports.log.warn({ code: error.code, reason: error.message }, 'a message of a till was rejected');
    const { SaleID, POIID, ServiceID } = (header ?? {}) as Readonly<Record<string, unknown>>;
    const answered: MessageHeader = {
      ProtocolVersion: PROTOCOL_VERSION,
      MessageClass: 'Event',
      MessageCategory: 'Event' satisfies keyof typeof CATEGORIES,
      MessageType: 'Notification',
      SaleID: echo(SaleID),
      POIID: echo(POIID),
      ...(typeof ServiceID === 'string' && { ServiceID: echo(ServiceID) }),
    };
    const notification = {
      EventToNotify: 'Reject',
      EventDetails: encodePairs({ message: error.message }),
      TimeStamp: new Date(this.#ports.clock.nowMs()).toISOString(),
    };
    const message = { [REQUEST_NAME]: { MessageHeader: answered, EventNotification: notification } };
    return { header: answered, message };
  }
}

function echo(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 64) : '';
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
