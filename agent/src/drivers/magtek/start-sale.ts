import type { HintOf } from '@tillbridge/wire/terminals/code-table.js';
import { OUTCOMES, type OutcomeName } from '@tillbridge/wire/terminals/magtek/notifications.js';
import type { STATUSES } from '@tillbridge/wire/terminals/magtek/statuses.js';
import { withCard } from '../core/card-data.js';
import type { DriverFailure, StartOutcome } from '../core/driver.js';
import { endOfWait } from '../core/event-queue.js';
import type { SaleOn } from '../core/maker-session.js';
import { cancelled, failed, hasEnded, isFailed, STOPPED_BY_TILL, TIMED_OUT } from '../core/result.js';
import { type DeviceObject, readCard, readObject } from './card-data.js';
import { noticeProblem } from './complete-sale.js';
import { type OpenedDevice, stopTransaction } from './device.js';
import { CARD_GRACE_MS, CARD_HANDLING_MS, MANUAL_ENTRY_PAGE_COUNT } from './limits.js';
import type { MmsLink } from './link.js';
import { nextNotice } from './liveness.js';
import type { Notice, Notices } from './notices.js';
import { hintOf, parametersOf } from './replies.js';
import { type StartForms, startForms } from './start-parameters.js';

/** What a sale works with. */
interface SaleContext extends SaleOn<MmsLink> {
  readonly notices: Notices;
  readonly device: Pick<OpenedDevice, 'keyedIn' | 'pinFormat'>;
}

const CARD_SILENT = failed('terminal-silent', 'the terminal reports nothing of its card any more');
/** The device knows no such button: an older firmware. */
const NO_BUTTON: HintOf<typeof STATUSES> = 'host-error';

/** How reading a card ended; `request`: the authorization request whose answer the device waits for, absent for a card that was keyed in. */
export interface StartedSale {
  readonly outcome: StartOutcome;
  readonly request?: DeviceObject;
}

/** A card up to its first cryptogram, or a card number that was keyed in. */
export async function startSale(context: SaleContext): Promise<StartedSale> {
  const { keyedIn, pinFormat } = context.device;
  const sale = new CardRead(context, startForms(context, pinFormat));
  const outcome = (await sale.ask(keyedIn ? 'readersOrButton' : 'readers')) ?? (await sale.run());
  return { outcome, ...(sale.request && { request: sale.request }) };
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

type Ask = keyof StartForms;

class CardRead {
  /** The request whose answer the device waits for. */
  request: DeviceObject | undefined;
  private readonly context: SaleContext;
  private readonly forms: StartForms;
  private wanted: Ask = 'readers';
  private waiting = true;
  private removed = false;
  private keyFailed = false;
  private batch: Extract<Notice, { kind: 'update' }> | undefined;

  constructor(context: SaleContext, forms: StartForms) {
    this.context = context;
    this.forms = forms;
  }

  /** Prompts for a card in one way. @returns how the sale ended, when it did */
  async ask(wanted: Ask): Promise<StartOutcome | undefined> {
    const { link, notices, hooks } = this.context;
    if (hooks.stopped()) return STOPPED_BY_TILL;
    this.wanted = wanted;
    // Notices before the response belong to an earlier transaction.
    const reply = await link.request('startTransaction', this.forms[wanted], () => notices.forget());
    if (wanted === 'readersOrButton' && hintOf(reply) === NO_BUTTON) return this.ask('readers');
    const started = parametersOf('startTransaction', reply);
    if (isFailed(started)) return started;
    hooks.progress({ step: 'waiting-for-card' });
    // The till may have stopped the sale before the transaction began.
    if (hooks.stopped()) await stopTransaction(link);
    return undefined;
  }

  async run(): Promise<StartOutcome> {
    for (;;) {
      const { link, notices } = this.context;
      const notice = await nextNotice(link, notices, this.patienceMs);
      if (typeof notice === 'string') return endOfWait(notice, CARD_SILENT);
      const end = hasEnded(notice) ? notice : await this.take(notice);
      if (end) return end;
    }
  }

  /** The device ends every wait for a card; reading one may include several tries at a PIN. */
  private get patienceMs(): number {
    const { cardTimeoutMs } = this.context.request;
    if (this.wanted === 'keyedIn') return cardTimeoutMs * MANUAL_ENTRY_PAGE_COUNT + CARD_GRACE_MS;
    return (this.waiting ? cardTimeoutMs : Math.max(cardTimeoutMs, CARD_HANDLING_MS)) + CARD_GRACE_MS;
  }

  private async take(notice: Notice): Promise<StartOutcome | undefined> {
    switch (notice.kind) {
      case 'update':
        return this.update(notice);
      case 'complete':
        if (this.isOverAnyway(notice)) return undefined;
        return this.completed(notice);
      case 'right-button':
        return this.wanted === 'readersOrButton' ? this.keyIn() : undefined;
      default:
        return noticeProblem(notice);
    }
  }

  /**
   * The cardholder or cashier keys the number in. Whether the transaction of the readers still runs then is from
   * public sources incomplete: it is stopped where it does.
   */
  private async keyIn(): Promise<StartOutcome | undefined> {
    const stuck = await stopTransaction(this.context.link);
    return stuck ?? this.ask('keyedIn');
  }

  /** A late end of the transaction that {@link keyIn} stopped. */
  private isOverAnyway({ outcome: { outcome } }: Extract<Notice, { kind: 'complete' }>): boolean {
    return this.wanted === 'keyedIn' && outcome === 'cancelledByHost' && !this.context.hooks.stopped();
  }

  private async update(notice: Extract<Notice, { kind: 'update' }>): Promise<StartOutcome | undefined> {
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
        return this.requested(notice);
      case 'batchData':
        if (this.waiting) this.read();
        this.batch = notice;
        return undefined;
      default:
        return undefined;
    }
  }

  /** A card is there, by its notice or, when that was lost, by its data. */
  private read(): void {
    this.waiting = false;
    this.removed = false;
    this.context.hooks.progress({ step: 'reading-card' });
  }

  private async requested({ object, update }: Extract<Notice, { kind: 'update' }>): Promise<StartOutcome> {
    const { link, hooks } = this.context;
    const request = readObject(object);
    if (isFailed(request)) return request;
    if (hooks.stopped()) return (await stopTransaction(link)) ?? STOPPED_BY_TILL;
    const outcome = withCard('online-required', readCard(request, update.technology), false);
    if (!isFailed(outcome) && this.wanted !== 'keyedIn') this.request = request;
    return outcome;
  }

  private completed({
    outcome: { outcome, technology },
  }: Extract<Notice, { kind: 'complete' }>): StartOutcome {
    const { hooks } = this.context;
    switch (outcome) {
      case 'timeout':
        return TIMED_OUT;
      case 'cancelledByHost':
        return STOPPED_BY_TILL;
      case 'cancelledByUser':
      case 'cancelled':
        return cancelled(hooks.stopped());
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
    if (isFailed(read)) return read;
    return withCard(kind, readCard(read, batch?.update.technology ?? 'none'), false);
  }
}
