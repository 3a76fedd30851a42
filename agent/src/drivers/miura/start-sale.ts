import { findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { CommandName } from '@tillbridge/protocol/terminals/miura/commands.js';
import { type StatusHint, statusOf } from '@tillbridge/protocol/terminals/miura/statuses.js';
import { KEYS, TAGS, TAP_CVM, TEMPLATES } from '@tillbridge/protocol/terminals/miura/tags.js';
import type { CardData, EntryMode, StartOutcome, StartRequest } from '../core/driver.js';
import { isTlv, readTlv } from '../core/emv-data.js';
import type { CommandHooks } from '../core/maker-session.js';
import { type Failed, failed, STOPPED_BY_TILL } from '../core/result.js';
import { asksForPin, hasChip } from '../core/service-code.js';
import { cardData, maskedAccount } from './card-data.js';
import { type CardEvent, type CardWatch, templateOf, type WaitEnd } from './card-watch.js';
import { type MiuraDevice, showText, tellCards } from './device.js';
import { CARD_HANDLING_MS, COMMAND_TIMEOUT_MS, MAX_CARD_ATTEMPTS, STRIPE_TIMEOUT_MS } from './limits.js';
import { gone, type MiuraLink, type Reply } from './link.js';
import { askOnlinePin } from './online-pin.js';
import { statusFailure } from './replies.js';
import { type TransactionRequest, transactionRequest } from './transaction-request.js';

/** What a sale works with. */
export interface SaleContext {
  readonly link: MiuraLink;
  readonly clock: Clock;
  readonly device: MiuraDevice;
  readonly watch: CardWatch;
  readonly request: StartRequest;
  readonly hooks: CommandHooks;
}

/** How a card was given, or why none was. */
type Given =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'tapped'; readonly reply: Reply }
  | { readonly kind: 'swiped'; readonly objects: readonly TlvNode[] }
  | StartOutcome;

/** What is asked for next. */
interface Ask {
  readonly attempt: number;
  readonly contactless: boolean;
  /** The chip could not be read: the stripe of a chip card may be used. */
  readonly fallback: boolean;
  /** Shown while the device does not ask by itself. */
  readonly prompt: string;
}

type Again = { readonly kind: 'again'; readonly ask: Ask };

const INSERT_OR_SWIPE = 'INSERT OR SWIPE CARD';
const REMOVE_AND_SWIPE = 'REMOVE CARD AND SWIPE IT';
const INSERT_CHIP = 'INSERT THE CHIP';

const SLOT_SILENT = failed('terminal-silent', 'CARD STATUS: the terminal tells nothing of its slot');
const STRIPE_MISSING = failed('card-error', 'a card was swiped and its stripe never came');

const OUTCOMES: Readonly<Record<string, 'online-required' | 'approved-offline' | 'declined-offline'>> = {
  [TEMPLATES.onlineRequired]: 'online-required',
  [TEMPLATES.approved]: 'approved-offline',
  [TEMPLATES.declined]: 'declined-offline',
};

/** A card up to its first cryptogram. */
export async function startSale(ctx: SaleContext): Promise<StartOutcome> {
  const built = transactionRequest(ctx.request);
  if (built.kind === 'failed') return built;
  if (!ctx.device.sredReady)
    return failed('key-missing', 'the SRED key is missing: card data could not be enciphered');
  try {
    return await new Sale(ctx, built).run();
  } finally {
    // The next customer's card is nothing to this sale.
    await tellCards(ctx.link, 'nothing');
  }
}

class Sale {
  private readonly ctx: SaleContext;
  private readonly built: TransactionRequest;
  private readonly untilMs: number;

  constructor(ctx: SaleContext, built: TransactionRequest) {
    this.ctx = ctx;
    this.built = built;
    this.untilMs = ctx.clock.monotonicMs() + ctx.request.cardTimeoutMs;
  }

  async run(): Promise<StartOutcome> {
    let ask: Ask = { attempt: 1, contactless: true, fallback: false, prompt: INSERT_OR_SWIPE };
    for (;;) {
      const given = await this.waitForCard(ask);
      const end = await this.readCard(given, ask);
      if (end.kind !== 'again') return end;
      if (end.ask.attempt > MAX_CARD_ATTEMPTS)
        return failed('card-error', 'no card could be read in several tries');
      ask = end.ask;
    }
  }

  private get stopped(): boolean {
    return this.ctx.hooks.stopped();
  }

  private leftMs(): number {
    return Math.max(1, this.untilMs - this.ctx.clock.monotonicMs());
  }

  private async waitForCard(ask: Ask): Promise<Given> {
    const { link, watch, hooks } = this.ctx;
    if (this.stopped) return STOPPED_BY_TILL;
    hooks.progress({ step: 'waiting-for-card' });
    // A stripe may be swiped before it is asked for; how the slot stood is told anew.
    watch.forget(swipe);
    const deaf = await tellCards(link, 'cards');
    if (deaf) return deaf;
    const status = await watch.next(cardStatus, COMMAND_TIMEOUT_MS);
    if (typeof status === 'string') return endOf(status, SLOT_SILENT);
    // It told how the slot stands, and nothing blocked that a till could have ended.
    if (this.stopped) return STOPPED_BY_TILL;
    if (status.status.stripe) return { kind: 'swiped', objects: status.nodes };
    // A card that was not read stays in the slot until its holder has swiped it.
    if (status.status.present && !ask.fallback) return { kind: 'inserted' };
    return ask.contactless ? this.waitForTap() : this.waitWithoutTap(ask);
  }

  /** START CONTACTLESS TRANSACTION waits for every way in which a card can be given. */
  private async waitForTap(): Promise<Given> {
    const { link, clock, watch } = this.ctx;
    let late = false;
    const leftMs = this.leftMs();
    const timer = clock.setTimer(leftMs, () => {
      late = true;
      void link.abort();
    });
    const command = { command: 'startContactless', p1: 0, p2: 0, data: this.built.contactless } as const;
    // A stripe that was swiped in the moment before the antenna was on is told, and does not end the wait.
    let ending: Promise<unknown> | undefined;
    const endForStripe = (event: CardEvent): void => {
      if (swipe(event)) ending ??= link.abort();
    };
    watch.onArrival = endForStripe;
    const running = link.execute(command, leftMs + CARD_HANDLING_MS);
    if (watch.has(swipe)) ending ??= link.abort();
    const reply = await running;
    watch.onArrival = undefined;
    timer.cancel();
    await ending;
    if (reply.kind === 'failed') return reply;
    if (watch.has(swipe)) return this.takeStripe();
    switch (statusOf(reply.response.sw).hint) {
      case 'inserted':
        return { kind: 'inserted' };
      case 'swiped':
        return this.takeStripe();
      case 'timed-out':
        return { kind: 'cancelled', by: 'timeout' };
      case 'cancelled':
        if (late) return { kind: 'cancelled', by: 'timeout' };
        return this.stopped ? STOPPED_BY_TILL : { kind: 'cancelled', by: 'cardholder' };
      default:
        return { kind: 'tapped', reply };
    }
  }

  private async takeStripe(): Promise<Given> {
    const event = await this.ctx.watch.next(swipe, STRIPE_TIMEOUT_MS);
    if (typeof event === 'string') return endOf(event, STRIPE_MISSING);
    return { kind: 'swiped', objects: event.nodes };
  }

  private async waitWithoutTap({ prompt, fallback }: Ask): Promise<Given> {
    const { link, watch } = this.ctx;
    const hidden = await showText(link, prompt);
    if (hidden) return hidden;
    const event = await watch.next((told) => wanted(told, fallback), this.leftMs());
    if (typeof event === 'string') return endOf(event, { kind: 'cancelled', by: 'timeout' });
    if (event.kind === 'key') return { kind: 'cancelled', by: 'cardholder' };
    return event.status.stripe ? { kind: 'swiped', objects: event.nodes } : { kind: 'inserted' };
  }

  private async readCard(given: Given, ask: Ask): Promise<StartOutcome | Again> {
    switch (given.kind) {
      case 'inserted':
        return this.runChip(ask);
      case 'tapped':
        this.ctx.hooks.progress({ step: 'reading-card' });
        return this.runTap(given.reply, ask);
      case 'swiped':
        this.ctx.hooks.progress({ step: 'reading-card' });
        return this.runStripe(given.objects, ask);
      default:
        return given;
    }
  }

  private async runChip(ask: Ask): Promise<StartOutcome | Again> {
    if (this.stopped) return STOPPED_BY_TILL;
    this.ctx.hooks.progress({ step: 'reading-card' });
    const command = { command: 'start', p1: 0, p2: 0, data: this.built.contact } as const;
    const reply = await this.ctx.link.execute(command, CARD_HANDLING_MS);
    if (reply.kind === 'failed') return reply;
    const { sw, data } = reply.response;
    const { hint } = statusOf(sw);
    if (hint === 'swipe-allowed') {
      return again(ask, { contactless: false, fallback: true, prompt: REMOVE_AND_SWIPE });
    }
    if (hint !== 'ok') return this.ended('start', sw, hint);
    return this.decided(data, 'ICC');
  }

  private async runTap(reply: Reply, ask: Ask): Promise<StartOutcome | Again> {
    if (reply.kind === 'failed') return reply;
    const { sw, data } = reply.response;
    const { hint } = statusOf(sw);
    if (hint === 'insert-or-swipe') return again(ask, { contactless: false, prompt: INSERT_OR_SWIPE });
    if (hint === 'other-card') return again(ask, {});
    if (hint !== 'ok') return this.ended('startContactless', sw, hint);
    return this.decided(data, 'NFC_ICC');
  }

  private async runStripe(objects: readonly TlvNode[], ask: Ask): Promise<StartOutcome | Again> {
    const { serviceCode } = maskedAccount(objects);
    const chipCard = hasChip(serviceCode);
    if (chipCard && !ask.fallback) return again(ask, { contactless: false, prompt: INSERT_CHIP });
    const wantsPin = asksForPin(serviceCode) && this.ctx.device.pinReady;
    const pin = wantsPin ? await this.askPin(objects) : undefined;
    if (pin && pin.kind !== 'pin') return pin;
    const card = cardData(objects, chipCard ? 'MAGSTRIPE_AS_FALLBACK' : 'MAGSTRIPE', pin?.pin);
    return 'kind' in card ? card : { kind: 'online-required', card };
  }

  private askPin(objects: readonly TlvNode[]) {
    this.ctx.hooks.progress({ step: 'pin-entry' });
    return askOnlinePin(this.ctx.link, this.built, objects, () => this.stopped);
  }

  /** A transaction command that gave no decision. */
  private ended(command: CommandName, sw: number, hint: StatusHint): StartOutcome {
    if (hint === 'cancelled') return this.stopped ? STOPPED_BY_TILL : { kind: 'cancelled', by: 'cardholder' };
    if (hint === 'timed-out') return { kind: 'cancelled', by: 'timeout' };
    return statusFailure(command, sw);
  }

  private async decided(data: Buffer, way: 'ICC' | 'NFC_ICC'): Promise<StartOutcome> {
    const nodes = readTlv('the transaction', data);
    if (!isTlv(nodes)) return nodes;
    const template = templateOf(nodes);
    const kind = OUTCOMES[template?.tag ?? ''];
    if (!template || !kind) return failed('protocol-error', 'the terminal answered with no known decision');
    if (!this.isOurs(template.objects)) return failed('protocol-error', 'the answer belongs to another sale');
    const card = await this.cardOf(template.objects, way, kind === 'online-required');
    if ('kind' in card) return card;
    return this.stopped && kind === 'online-required' ? STOPPED_BY_TILL : { kind, card };
  }

  /** MPI numbers nothing: a late answer is told from ours by amount and time. */
  private isOurs(objects: readonly TlvNode[]): boolean {
    const { amount, time } = this.built.mark;
    const [said, at] = [findTlv(objects, '9F02'), findTlv(objects, '9F21')];
    return (!said || amount.equals(said)) && (!at || time.equals(at));
  }

  private async cardOf(
    objects: readonly TlvNode[],
    way: 'ICC' | 'NFC_ICC',
    online: boolean,
  ): Promise<CardData | Exclude<StartOutcome, { card: CardData }> | Failed> {
    if (way === 'ICC') return cardData(objects, way);
    const entryMode: EntryMode = findTlv(objects, '9F26') ? 'NFC_ICC' : 'NFC_MAGSTRIPE';
    const wantsPin = online && findTlv(objects, TAGS.cardholderVerification)?.[0] === TAP_CVM.onlinePin;
    if (!wantsPin) return cardData(objects, entryMode);
    const pin = await this.askPin(objects);
    return pin.kind === 'pin' ? cardData(objects, entryMode, pin.pin) : pin;
  }
}

/** A wait that ended without what it waited for; `late` where its time was over. */
function endOf(end: WaitEnd, late: StartOutcome): StartOutcome {
  if (end === 'timeout') return late;
  return end === 'stopped' ? STOPPED_BY_TILL : gone();
}

function again(ask: Ask, change: Partial<Ask>): Again {
  return { kind: 'again', ask: { ...ask, ...change, attempt: ask.attempt + 1 } };
}

function cardStatus(event: CardEvent): Extract<CardEvent, { kind: 'card' }> | undefined {
  return event.kind === 'card' ? event : undefined;
}

function swipe(event: CardEvent): Extract<CardEvent, { kind: 'card' }> | undefined {
  return event.kind === 'card' && event.status.stripe ? event : undefined;
}

/** What ends a wait without the antenna: a card, a swipe, the cancel key. For a fallback the slot does not count. */
function wanted(
  event: CardEvent,
  fallback: boolean,
): Extract<CardEvent, { kind: 'card' | 'key' }> | undefined {
  if (event.kind === 'key') return event.code === KEYS.cancel ? event : undefined;
  if (event.kind === 'pin') return undefined;
  return event.status.stripe || (event.status.present && !fallback) ? event : undefined;
}
