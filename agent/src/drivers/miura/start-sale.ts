import { findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { CommandName } from '@tillbridge/wire/terminals/miura/commands.js';
import type { DeviceReport } from '@tillbridge/wire/terminals/miura/reports.js';
import { statusOf } from '@tillbridge/wire/terminals/miura/statuses.js';
import { KEYS, TAGS, TAP_CVM, TEMPLATES } from '@tillbridge/wire/terminals/miura/tags.js';
import {
  askUntilDecided,
  CARD_PROMPTS,
  type CardAsk,
  type CardNext,
  firstAsk,
  nextAsk,
  requiresPin,
  swipedAs,
} from '../core/card-attempts.js';
import { DECISIONS, type Decision, type PinEntry, withCard } from '../core/card-data.js';
import type { CardData, EntryMode, StartOutcome } from '../core/driver.js';
import { readTlv } from '../core/emv-data.js';
import type { SaleOn } from '../core/maker-session.js';
import {
  cancelled,
  failed,
  hasEnded,
  isFailed,
  type SaleEnd,
  STOPPED_BY_TILL,
  TIMED_OUT,
} from '../core/result.js';
import { endOfHint } from '../core/status-failures.js';
import { isOfSale, OTHER_SALE } from '../core/transaction-values.js';
import { maskedAccount, readCard } from './card-data.js';
import { type CardReport, type CardWatch, SLOT_SILENT, templateOf } from './card-watch.js';
import { type MiuraDevice, selectCardReports, showText } from './device.js';
import { CARD_HANDLING_MS, COMMAND_TIMEOUT_MS, MAGSTRIPE_TIMEOUT_MS } from './limits.js';
import type { MiuraLink, Reply } from './link.js';
import { askOnlinePin } from './online-pin.js';
import { statusFailure } from './replies.js';
import { type TransactionRequest, transactionRequest } from './transaction-request.js';

/** What a sale works with. */
interface SaleContext extends SaleOn<MiuraLink> {
  readonly clock: Clock;
  readonly device: MiuraDevice;
  readonly watch: CardWatch;
}

/** How a card was given, or why none was. */
type Given =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'tapped'; readonly reply: Reply }
  | { readonly kind: 'swiped'; readonly objects: readonly TlvNode[] }
  | StartOutcome;

/** The device itself prompts for a tap. */
const NO_TAP_PROMPT = CARD_PROMPTS['insert-or-swipe'];
const MAGSTRIPE_MISSING = failed('card-error', 'a card was swiped and its magstripe never came');

const OUTCOMES: Readonly<Record<string, Decision>> = {
  [TEMPLATES.onlineRequired]: DECISIONS.online,
  [TEMPLATES.approved]: DECISIONS.approved,
  [TEMPLATES.declined]: DECISIONS.declined,
};

/** A card up to its first cryptogram. */
export async function startSale(ctx: SaleContext): Promise<StartOutcome> {
  if (ctx.device.keys.data !== 'loaded')
    return failed('key-missing', 'the SRED key is missing: card data could not be enciphered');
  try {
    const sale = new Sale(ctx);
    return await askUntilDecided(ctx.hooks, firstAsk(true), (ask) => sale.run(ask));
  } finally {
    // Cards presented after the sale do not belong to it.
    selectCardReports(ctx.link, 'nothing');
  }
}

class Sale {
  private readonly ctx: SaleContext;
  private readonly built: TransactionRequest;

  constructor(ctx: SaleContext) {
    this.ctx = ctx;
    this.built = transactionRequest(ctx.values);
  }

  /** Prompts for a card once, and reads it. */
  async run(ask: CardAsk): Promise<StartOutcome | CardNext> {
    const given = await this.waitForCard(ask);
    switch (given.kind) {
      case 'inserted':
        return this.runChip(ask);
      case 'tapped':
        this.ctx.hooks.progress({ step: 'reading-card' });
        return this.runTap(given.reply, ask);
      case 'swiped':
        this.ctx.hooks.progress({ step: 'reading-card' });
        return this.runMagstripe(given.objects, ask);
      default:
        return given;
    }
  }

  private get stopped(): boolean {
    return this.ctx.hooks.stopped();
  }

  private async waitForCard(ask: CardAsk): Promise<Given> {
    const { link, watch, hooks } = this.ctx;
    hooks.progress({ step: 'waiting-for-card' });
    // A swipe before the request counts; the device reports the state of its slot again.
    watch.forget((event) => swipe(event) !== undefined);
    const deaf = selectCardReports(link, 'cards');
    if (deaf) return deaf;
    const status = await watch.nextOrEnd(cardStatus, COMMAND_TIMEOUT_MS, SLOT_SILENT);
    if (hasEnded(status)) return status;
    // The till may have stopped the sale while no command was blocking.
    if (this.stopped) return STOPPED_BY_TILL;
    if (status.status.magstripe) return { kind: 'swiped', objects: status.nodes };
    // An unreadable card may stay in the slot until the cardholder swipes it.
    if (status.status.present && !ask.fallback) return { kind: 'inserted' };
    return ask.contactless ? this.waitForTap() : this.waitWithoutTap(ask);
  }

  /** START CONTACTLESS TRANSACTION waits for every way in which a card can be given. */
  private async waitForTap(): Promise<Given> {
    const { link, clock, watch } = this.ctx;
    let late = false;
    const leftMs = this.ctx.hooks.leftMs();
    const timer = clock.setTimer(leftMs, () => {
      late = true;
      void link.abort();
    });
    const command = { command: 'startContactless', p1: 0, p2: 0, data: this.built.contactless } as const;
    // The device reports a swipe just before the antenna is on, but the swipe does not end this wait.
    let ending: Promise<unknown> | undefined;
    const endForMagstripe = (event: DeviceReport): void => {
      if (swipe(event)) ending ??= link.abort();
    };
    watch.onArrival = endForMagstripe;
    const running = link.execute(command, leftMs + CARD_HANDLING_MS);
    if (watch.has((event) => swipe(event) !== undefined)) ending ??= link.abort();
    const reply = await running;
    watch.onArrival = undefined;
    timer.cancel();
    await ending;
    if (isFailed(reply)) return reply;
    if (watch.has((event) => swipe(event) !== undefined)) return this.takeMagstripe();
    switch (statusOf(reply.sw).hint) {
      case 'inserted':
        return { kind: 'inserted' };
      case 'swiped':
        return this.takeMagstripe();
      case 'timed-out':
        return TIMED_OUT;
      case 'cancelled':
        return late ? TIMED_OUT : cancelled(this.stopped);
      default:
        return { kind: 'tapped', reply };
    }
  }

  private async takeMagstripe(): Promise<Given> {
    const event = await this.ctx.watch.nextOrEnd(swipe, MAGSTRIPE_TIMEOUT_MS, MAGSTRIPE_MISSING);
    return hasEnded(event) ? event : { kind: 'swiped', objects: event.nodes };
  }

  private async waitWithoutTap({ prompt, fallback }: CardAsk): Promise<Given> {
    const { link, watch } = this.ctx;
    const hidden = await showText(link, prompt === 'present' ? NO_TAP_PROMPT : CARD_PROMPTS[prompt]);
    if (hidden) return hidden;
    const { leftMs } = this.ctx.hooks;
    const event = await watch.nextOrEnd((report) => wanted(report, fallback), leftMs(), TIMED_OUT);
    if (hasEnded(event)) return event;
    if (event.kind === 'key') return cancelled(false);
    return event.status.magstripe ? { kind: 'swiped', objects: event.nodes } : { kind: 'inserted' };
  }

  private async runChip(ask: CardAsk): Promise<StartOutcome | CardNext> {
    if (this.stopped) return STOPPED_BY_TILL;
    this.ctx.hooks.progress({ step: 'reading-card' });
    const command = { command: 'start', p1: 0, p2: 0, data: this.built.contact } as const;
    const reply = await this.ctx.link.execute(command, CARD_HANDLING_MS);
    if (isFailed(reply)) return reply;
    const { sw, data } = reply;
    const { hint } = statusOf(sw);
    if (hint === 'swipe-allowed') return nextAsk(ask, 'chip-unreadable');
    if (hint !== 'ok') return this.ended('start', sw);
    return this.decided(data, 'ICC');
  }

  private async runTap(reply: Reply, ask: CardAsk): Promise<StartOutcome | CardNext> {
    if (isFailed(reply)) return reply;
    const { sw, data } = reply;
    const { hint } = statusOf(sw);
    if (hint === 'insert-or-swipe') return nextAsk(ask, 'tap-refused');
    if (hint === 'other-card') return nextAsk(ask, 'several-cards');
    if (hint !== 'ok') return this.ended('startContactless', sw);
    return this.decided(data, 'NFC_ICC');
  }

  private async runMagstripe(objects: readonly TlvNode[], ask: CardAsk): Promise<StartOutcome | CardNext> {
    const { serviceCode } = maskedAccount(objects);
    const entryMode = swipedAs(serviceCode, ask.fallback);
    if (!entryMode) return nextAsk(ask, 'chip-first');
    const wantsPin = requiresPin(serviceCode) && this.ctx.device.keys.pin === 'loaded';
    const pin = wantsPin ? await this.askPin(objects) : undefined;
    if (pin && hasEnded(pin)) return pin;
    // It was swiped, and a till that stopped the sale meanwhile finds it so.
    return withCard('online-required', readCard(objects, entryMode, pin?.pin), false);
  }

  private askPin(objects: readonly TlvNode[]): Promise<PinEntry> {
    this.ctx.hooks.progress({ step: 'pin-entry' });
    return askOnlinePin(this.ctx.link, this.ctx.values, objects, () => this.stopped);
  }

  /** A transaction command that gave no decision. */
  private ended(command: CommandName, sw: number): StartOutcome {
    return endOfHint(statusOf(sw).hint, this.stopped, () => statusFailure(command, sw));
  }

  private async decided(data: Buffer, way: 'ICC' | 'NFC_ICC'): Promise<StartOutcome> {
    const nodes = readTlv('the transaction', data);
    if (isFailed(nodes)) return nodes;
    const template = templateOf(nodes);
    const kind = OUTCOMES[template?.tag ?? ''];
    if (!template || !kind) return failed('protocol-error', 'the terminal answered with no known decision');
    // MPI has no message numbers: amount and time show whether an answer is late.
    if (!isOfSale(this.ctx.values, template.objects)) return OTHER_SALE;
    const card = await this.cardOf(template.objects, way, kind === 'online-required');
    return hasEnded(card) ? card : withCard(kind, card, this.stopped);
  }

  private async cardOf(
    objects: readonly TlvNode[],
    way: 'ICC' | 'NFC_ICC',
    online: boolean,
  ): Promise<CardData | SaleEnd> {
    if (way === 'ICC') return readCard(objects, way);
    const entryMode: EntryMode = findTlv(objects, '9F26') ? 'NFC_ICC' : 'NFC_MAGSTRIPE';
    const wantsPin = online && findTlv(objects, TAGS.cardholderVerification)?.[0] === TAP_CVM.onlinePin;
    if (!wantsPin) return readCard(objects, entryMode);
    const pin = await this.askPin(objects);
    return hasEnded(pin) ? pin : readCard(objects, entryMode, pin.pin);
  }
}

function cardStatus(event: DeviceReport): CardReport | undefined {
  return event.kind === 'card' ? event : undefined;
}

function swipe(event: DeviceReport): CardReport | undefined {
  return event.kind === 'card' && event.status.magstripe ? event : undefined;
}

/** What ends a wait without the antenna: a card, a swipe, the cancel key. For a fallback the slot does not count. */
function wanted(
  event: DeviceReport,
  fallback: boolean,
): Extract<DeviceReport, { kind: 'card' | 'key' }> | undefined {
  if (event.kind === 'key') return event.code === KEYS.cancel ? event : undefined;
  if (event.kind === 'pin') return undefined;
  return event.status.magstripe || (event.status.present && !fallback) ? event : undefined;
}
