import { tlv } from '@tillbridge/protocol/emv/tlv.js';
import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/protocol/payment/money.js';
import { OUTCOMES, type OutcomeName } from '@tillbridge/protocol/terminals/magtek/notifications.js';
import { encodeStart, MAX_TIMEOUT_SECONDS } from '@tillbridge/protocol/terminals/magtek/start-transaction.js';
import type { DriverFailure, StartOutcome, StartRequest } from '../driver.js';
import { type Failed, failed, STOPPED_BY_TILL } from '../failures.js';
import type { CommandHooks } from '../maker-session.js';
import { cardData, type DeviceObject, readObject } from './card-data.js';
import { stopTransaction } from './device.js';
import { CARD_GRACE_MS, CARD_HANDLING_MS } from './limits.js';
import type { MmsLink } from './link.js';
import type { Notice, Notices } from './notices.js';
import { parametersOf } from './replies.js';

/** What a sale works with. */
export interface SaleContext {
  readonly link: MmsLink;
  readonly notices: Notices;
  readonly request: StartRequest;
  readonly hooks: CommandHooks;
}

/** How reading a card ended; `asked`: the request whose answer the device waits for. */
export interface StartedSale {
  readonly outcome: StartOutcome;
  readonly asked?: DeviceObject;
}

/** Longest amount: tag 9F02 has 12 digits. */
const MAX_AMOUNT_MINOR = 999_999_999_999;
/** Tag 9C. */
const TRANSACTION_TYPES: Readonly<Record<StartRequest['kind'], number>> = {
  sale: 0x00,
  preauthorization: 0x00,
  refund: 0x20,
};
const SECOND_MS = 1_000;
/**
 * Format 0 is what the gateway's acquirers take from a TDES key. Chips and taps bring a PIN block; how the device asks for a
 * PIN after a swipe is from public sources incomplete.
 */
const PIN_FORMAT = 0;

/** Parameters of START TRANSACTION; date and time are the device's own. */
function startParameters({ kind, amount, cardTimeoutMs }: StartRequest): Buffer | Failed {
  const number = currencyNumber(amount.currency);
  if (number === undefined) return failed('internal', 'the currency has no ISO 4217 number');
  const { minor } = amount;
  if (!Number.isSafeInteger(minor) || minor < 0 || minor > MAX_AMOUNT_MINOR) {
    return failed('internal', `the amount must be 0 to ${MAX_AMOUNT_MINOR} minor units`);
  }
  const seconds = Math.ceil(cardTimeoutMs / SECOND_MS);
  return encodeStart({
    timeoutSeconds: Math.min(MAX_TIMEOUT_SECONDS, Math.max(1, seconds)),
    stripe: true,
    contact: true,
    contactless: true,
    pinFormat: PIN_FORMAT,
    quickChip: false,
    transaction: [
      tlv('9C', Buffer.of(TRANSACTION_TYPES[kind])),
      tlv('9F02', Buffer.from(String(minor).padStart(12, '0'), 'hex')),
      tlv('9F03', Buffer.alloc(6)),
      tlv('5F2A', Buffer.from(number.padStart(4, '0'), 'hex')),
      tlv('5F36', Buffer.of(minorDigits(amount.currency))),
    ],
  });
}

/** A card up to its first cryptogram. */
export async function startSale(context: SaleContext): Promise<StartedSale> {
  const { link, notices, request, hooks } = context;
  const parameters = startParameters(request);
  if (!Buffer.isBuffer(parameters)) return { outcome: parameters };
  if (hooks.stopped()) return { outcome: STOPPED_BY_TILL };
  // Whatever was told before the device took the command belongs to what went before.
  const reply = await link.request('startTransaction', parameters, () => notices.clear());
  const started = parametersOf('startTransaction', reply);
  if (!Buffer.isBuffer(started)) return { outcome: started };
  hooks.progress({ step: 'waiting-for-card' });
  // The till may have asked to stop before there was something to stop.
  if (hooks.stopped()) await stopTransaction(link);
  return new Sale(context).run();
}

/** Outcomes that are a failure of the sale. */
const FAILURES: Partial<Record<OutcomeName, DriverFailure>> = {
  entryError: 'card-error',
  none: 'card-error',
  tryAnotherInterface: 'application-not-supported',
  offlineFailed: 'card-error',
  offlineNotAccepted: 'application-not-supported',
  failed: 'card-error',
  notAccepted: 'application-not-supported',
  tryAgain: 'card-error',
  endApplication: 'card-blocked',
};

class Sale {
  private readonly context: SaleContext;
  private waiting = true;
  private removed = false;
  private keyFailed = false;
  private batch: Extract<Notice, { kind: 'update' }> | undefined;

  constructor(context: SaleContext) {
    this.context = context;
  }

  async run(): Promise<StartedSale> {
    for (;;) {
      const notice = await this.context.notices.next(this.patienceMs);
      if (notice === 'timeout' || notice === 'stopped')
        return ended(failed('terminal-silent', 'the terminal tells nothing of its card any more'));
      const end = await this.take(notice);
      if (end) return end;
    }
  }

  /** The device ends every wait for a card by itself; reading one may take several tries at a PIN. */
  private get patienceMs(): number {
    const { cardTimeoutMs } = this.context.request;
    return (this.waiting ? cardTimeoutMs : Math.max(cardTimeoutMs, CARD_HANDLING_MS)) + CARD_GRACE_MS;
  }

  private async take(notice: Notice): Promise<StartedSale | undefined> {
    switch (notice.kind) {
      case 'update':
        return this.update(notice);
      case 'complete':
        return ended(this.completed(notice));
      case 'unknown-end':
        return ended(failed('internal', `the transaction ended as ${notice.detail}, which is not listed`));
      case 'reset':
        return ended(failed('terminal-gone', 'the terminal was reset'));
      case 'damaged':
        return ended(failed('protocol-error', 'what the terminal sent came damaged'));
      case 'gone':
        return ended(failed('terminal-gone', 'the port closed'));
      default:
        return undefined;
    }
  }

  private async update(notice: Extract<Notice, { kind: 'update' }>): Promise<StartedSale | undefined> {
    switch (notice.update.what) {
      case 'inserted':
      case 'swiped':
      case 'detected':
        this.read();
        return undefined;
      case 'removed':
        this.removed = true;
        this.waiting = true;
        return undefined;
      case 'pinPadError':
      case 'pinEnciphermentError':
        this.keyFailed = true;
        return undefined;
      case 'requestData':
        if (this.waiting) this.read();
        return this.asked(notice);
      case 'batchData':
        if (this.waiting) this.read();
        this.batch = notice;
        return undefined;
      default:
        return undefined;
    }
  }

  /** A card is there: told by itself, or to be seen from what it gave when the telling was lost. */
  private read(): void {
    this.waiting = false;
    this.removed = false;
    this.context.hooks.progress({ step: 'reading-card' });
  }

  private async asked({ object, update }: Extract<Notice, { kind: 'update' }>): Promise<StartedSale> {
    const { link, hooks } = this.context;
    const asked = readObject(object);
    if (asked.kind === 'failed') return ended(asked);
    if (hooks.stopped()) {
      const stuck = await stopTransaction(link);
      return ended(stuck ?? STOPPED_BY_TILL);
    }
    const card = cardData(asked, update.technology);
    if ('kind' in card) return ended(card);
    return { outcome: { kind: 'online-required', card }, asked };
  }

  private completed({
    outcome: { outcome, technology },
  }: Extract<Notice, { kind: 'complete' }>): StartOutcome {
    const { hooks } = this.context;
    switch (outcome) {
      case 'timeout':
        return { kind: 'cancelled', by: 'timeout' };
      case 'cancelledByHost':
        return STOPPED_BY_TILL;
      case 'cancelledByUser':
      case 'cancelled':
        return hooks.stopped() ? STOPPED_BY_TILL : { kind: 'cancelled', by: 'cardholder' };
      case 'offlineApproved':
        return this.offline('approved-offline');
      case 'offlineDeclined':
      case 'declined':
      case 'completedDeclined':
        return this.offline('declined-offline');
      default: {
        if (this.removed && technology === 'contact') return failed('card-removed', 'the card was removed');
        if (this.keyFailed) return failed('key-missing', 'the PIN could not be enciphered');
        return failed(
          FAILURES[outcome] ?? 'protocol-error',
          `the transaction ended: ${OUTCOMES[outcome].meaning}`,
        );
      }
    }
  }

  private offline(kind: 'approved-offline' | 'declined-offline'): StartOutcome {
    const { batch } = this;
    const read = readObject(batch?.object);
    if (read.kind === 'failed') return read;
    const card = cardData(read, batch?.update.technology ?? 'none');
    return 'kind' in card ? card : { kind, card };
  }
}

function ended(outcome: StartOutcome): StartedSale {
  return { outcome };
}
