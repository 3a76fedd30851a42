import type { LimitedLog } from '../../log/limited-log.js';
import type { SaleService } from '../../sale/service/sale-service.js';
import type { KeyRing } from '../keys/key-ring.js';
import { type MessageHeader, PROTOCOL_VERSION } from '../messages/header.js';
import { REQUEST_NAME } from '../messages/message.js';
import type { MessageCipher } from '../messages/message-cipher.js';
import { encodePairs } from '../messages/pairs.js';
import type { TillRequest, TillRequests } from '../requests/till-requests.js';
import { DisplayEvents, type DisplayNotification } from './display-events.js';

/** Limits of the notifications to tills. */
export const DISPLAY_LIMITS = {
  /** Messages that may wait for one till; the oldest is dropped beyond. */
  maxWaiting: 100,
  /** How long a till may take to answer, in milliseconds. */
  timeoutMs: 3_000,
} as const;

/** What the notifier works with. */
interface DisplayDeps {
  readonly sales: Pick<SaleService, 'onEvent'>;
  readonly requests: Pick<TillRequests, 'ofSale'>;
  readonly keys: Pick<KeyRing, 'cipherOf'>;
  /** The tills' addresses for notifications, by SaleID. */
  readonly urls: ReadonlyMap<string, string>;
  /** Posts a text; rejects where it does not arrive. */
  readonly post: (url: string, body: string, timeoutMs: number) => Promise<void>;
  readonly log: Pick<LimitedLog, 'warn'>;
}

interface Waiting {
  readonly bodies: string[];
  isSending: boolean;
}

/** Sends the display texts of a terminal to the till it sells for, where the till has an address. A lost message is not repeated: the answer counts. */
export class DisplayNotifier {
  readonly #deps: DisplayDeps;
  readonly #events = new DisplayEvents();
  readonly #waiting = new Map<string, Waiting>();
  readonly #unsubscribe: () => void;
  #sent = 0;

  constructor(deps: DisplayDeps) {
    this.#deps = deps;
    this.#unsubscribe = deps.sales.onEvent((event) => {
      for (const notification of this.#events.of(event)) this.#tell(notification);
    });
  }

  /** Sends nothing more. */
  close(): void {
    this.#unsubscribe();
    for (const { bodies } of this.#waiting.values()) bodies.length = 0;
  }

  #tell(notification: DisplayNotification): void {
    const request = this.#deps.requests.ofSale(notification.reference);
    const url = request && this.#deps.urls.get(request.saleId);
    const cipher = request && this.#deps.keys.cipherOf(request.saleId);
    if (!request || !cipher || url === undefined) return;
    const waiting = this.#waiting.get(url) ?? { bodies: [], isSending: false };
    this.#waiting.set(url, waiting);
    if (waiting.bodies.length >= DISPLAY_LIMITS.maxWaiting) waiting.bodies.shift();
    waiting.bodies.push(this.#message(cipher, request, notification));
    if (!waiting.isSending) void this.#send(url, waiting);
  }

  /** One after the other, so that the till reads them in their order. */
  async #send(url: string, waiting: Waiting): Promise<void> {
    waiting.isSending = true;
    for (let body = waiting.bodies.shift(); body !== undefined; body = waiting.bodies.shift()) {
      try {
        await this.#deps.post(url, body, DISPLAY_LIMITS.timeoutMs);
      } catch (error) {
        this.#deps.log.warn({ err: error, url }, 'a display text did not reach the till');
      }
    }
    waiting.isSending = false;
  }

  #message(
    cipher: MessageCipher,
    request: TillRequest,
    { reference, event, atMs }: DisplayNotification,
  ): string {
    this.#sent += 1;
    const header: MessageHeader = {
      ProtocolVersion: PROTOCOL_VERSION,
      MessageClass: 'Device',
      MessageCategory: 'Display',
      MessageType: 'Request',
      ServiceID: request.serviceId,
      DeviceID: String(this.#sent % 10 ** 10),
      SaleID: request.saleId,
      POIID: request.poiId,
    };
    const ReferenceID = encodePairs({
      TransactionID: reference,
      TimeStamp: new Date(atMs).toISOString(),
      event,
    });
    const DisplayOutput = [
      {
        Device: 'CashierDisplay',
        InfoQualify: 'Status',
        ResponseRequiredFlag: false,
        OutputContent: { OutputFormat: 'MessageRef', PredefinedContent: { ReferenceID } },
      },
    ];
    const message = { [REQUEST_NAME]: { MessageHeader: header, DisplayRequest: { DisplayOutput } } };
    return JSON.stringify({ [REQUEST_NAME]: cipher.seal(header, message) });
  }
}

/** Posts by HTTP; the message is enciphered on any line. */
export async function postDisplay(url: string, body: string, timeoutMs: number): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the till answered ${response.status}`);
}
