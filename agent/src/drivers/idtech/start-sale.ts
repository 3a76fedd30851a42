import type { CommandName } from '@tillbridge/wire/terminals/idtech/commands.js';
import { decodeMagstripeData } from '@tillbridge/wire/terminals/idtech/magstripe-data.js';
import { findObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { resultOf, STATUSES, statusOf, tapErrorOf } from '@tillbridge/wire/terminals/idtech/statuses.js';
import { TAGS, TAP_CVM } from '@tillbridge/wire/terminals/idtech/tags.js';
import {
  decodeTransactionAnswer,
  resultCode,
  type TransactionAnswer,
} from '@tillbridge/wire/terminals/idtech/transaction-answer.js';
import { askUntilDecided, type CardAsk, type CardNext, firstAsk, nextAsk } from '../core/card-attempts.js';
import { DECISIONS, type Decision, withCard } from '../core/card-data.js';
import type { CardData, Enciphered, EntryMode, StartOutcome } from '../core/driver.js';
import type { SaleOn } from '../core/maker-session.js';
import {
  failed,
  hasEnded,
  isFailed,
  type Result,
  type SaleEnd,
  STOPPED_BY_TILL,
  TIMED_OUT,
} from '../core/result.js';
import { isOfSale, OTHER_SALE } from '../core/transaction-values.js';
import { chipData, magstripeData, pinOf, plainNodes } from './card-data.js';
import { dataKeyProblem, encipherFailure, type NeoDevice } from './device.js';
import type { NeoDisplay } from './display.js';
import { askKeyedCard, watchCorner } from './keyed-card.js';
import { AUTHENTICATE_TIMEOUT_MS, CARD_HANDLING_MS } from './limits.js';
import type { NeoLink, Reply } from './link.js';
import { askOnlinePin } from './online-pin.js';
import { dataOf, reading, resultEnd, statusFailure } from './replies.js';
import type { RiskLimits } from './risk-limits.js';
import { activateData, authenticateData } from './transaction-request.js';

/** What a sale works with. */
interface SaleContext extends SaleOn<NeoLink> {
  readonly device: NeoDevice;
  readonly display: NeoDisplay;
  readonly limits: RiskLimits;
}

const OUTCOMES: Readonly<Record<string, Decision>> = {
  'go-online': DECISIONS.online,
  'approved-offline': DECISIONS.approved,
  'declined-offline': DECISIONS.declined,
};

/** Statuses whose answers hold a transaction's objects. */
const WITH_OBJECTS: ReadonlySet<string> = new Set(['ok', 'online', 'failed']);

/** A card up to its first cryptogram. */
export async function startSale(ctx: SaleContext): Promise<StartOutcome> {
  return (await dataKeyProblem(ctx.link, ctx.device)) ?? new Sale(ctx).run();
}

class Sale {
  private readonly ctx: SaleContext;
  private forceOnline = true;

  constructor(ctx: SaleContext) {
    this.ctx = ctx;
  }

  async run(): Promise<StartOutcome> {
    const limits = await this.ctx.limits.load(this.ctx.request.risk);
    if (isFailed(limits)) return limits;
    this.forceOnline = limits === 'refused';
    const hidden = await this.ctx.display.showOwn();
    if (hidden) return hidden;
    return askUntilDecided(this.ctx.hooks, firstAsk(true), (ask) => this.askForCard(ask));
  }

  private get stopped(): boolean {
    return this.ctx.hooks.stopped();
  }

  private async askForCard(ask: CardAsk): Promise<StartOutcome | CardNext> {
    const { link, hooks } = this.ctx;
    hooks.progress({ step: 'waiting-for-card' });
    const leftMs = hooks.leftMs();
    const data = activateData(this.ctx.values, ask.contactless, leftMs);
    const corner = watchCorner(link);
    const reply = await link.execute('activate', data, leftMs + CARD_HANDLING_MS);
    corner.end();
    if (reply.kind === 'cancelled' && corner.held) return this.keyedIn(corner.held);
    const answer = await this.answerOf('activate', reply);
    if (hasEnded(answer)) return answer;
    hooks.progress({ step: 'reading-card' });
    switch (answer.attribution.captured) {
      case 'contact':
        // A chip that was read when the corner was held: the cancel has ended its transaction.
        return corner.held ? this.keyedIn(corner.held) : this.chip(answer);
      case 'tap':
        return this.tap(answer, ask);
      case 'tap-magstripe':
        return this.ofCard('online-required', answer, 'NFC_MAGSTRIPE');
      case 'magstripe':
        return this.magstripe(answer);
    }
  }

  /** The objects of an answer, or how the command ended without any. */
  private async answerOf(
    command: CommandName,
    reply: Reply,
  ): Promise<(TransactionAnswer & { readonly status: number }) | SaleEnd> {
    if (isFailed(reply)) return reply;
    if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
    const { status, data } = reply;
    const { hint } = statusOf(status);
    if (hint === 'timed-out') return TIMED_OUT;
    if (status === STATUSES.secureInterface.code) return encipherFailure(this.ctx.link, command, status);
    if (!WITH_OBJECTS.has(hint) || data.length === 0) return statusFailure(command, status);
    const answer = reading(command, () => decodeTransactionAnswer(data));
    return isFailed(answer) ? answer : { ...answer, status };
  }

  private async chip(read: TransactionAnswer): Promise<StartOutcome> {
    const code = resultCode(read);
    if (code === undefined || resultOf(code).hint !== 'started') return this.ended('activate', code);
    if (this.stopped) return STOPPED_BY_TILL;
    const data = authenticateData(this.forceOnline);
    const reply = await this.ctx.link.execute('authenticate', data, AUTHENTICATE_TIMEOUT_MS);
    const answer = await this.answerOf('authenticate', reply);
    if (hasEnded(answer)) return answer;
    const decided = resultCode(answer);
    const kind = decided === undefined ? undefined : OUTCOMES[resultOf(decided).hint];
    if (!kind) return this.ended('authenticate', decided);
    const whole = { ...read, objects: [...read.objects, ...answer.objects] };
    return this.ofCard(kind, whole, 'ICC', pinOf(answer.objects));
  }

  private async tap(
    answer: TransactionAnswer & { status: number },
    ask: CardAsk,
  ): Promise<StartOutcome | CardNext> {
    const { hint } = statusOf(answer.status);
    if (hint === 'failed') return this.tapFailed(answer, ask);
    if (hint === 'ok') return this.ofCard('approved-offline', answer, 'NFC_ICC');
    if (findObject(answer.objects, TAGS.tapVerification)?.[0] !== TAP_CVM.onlinePin) {
      return this.ofCard('online-required', answer, 'NFC_ICC');
    }
    // A corner that was held as the card came: nothing blocks while its cancel is answered, and the till may stop the sale.
    await this.ctx.link.rested();
    if (this.stopped) return STOPPED_BY_TILL;
    this.ctx.hooks.progress({ step: 'pin-entry' });
    const pin = await askOnlinePin(this.ctx.link, () => this.stopped);
    return hasEnded(pin) ? pin : this.ofCard('online-required', answer, 'NFC_ICC', pin.pin);
  }

  private tapFailed(answer: TransactionAnswer, ask: CardAsk): StartOutcome | CardNext {
    const code = findObject(answer.objects, TAGS.tapError)?.[0];
    const error = code === undefined ? undefined : tapErrorOf(code);
    switch (error?.hint) {
      case 'again':
        return nextAsk(ask, 'several-cards');
      case 'other-interface':
        return nextAsk(ask, 'tap-refused');
      case 'declined':
        return this.ofCard('declined-offline', answer, 'NFC_ICC');
      case 'expired':
        return failed('card-expired', 'the terminal refuses the tapped card as expired');
      default:
        return failed('card-error', 'the terminal could not use the tapped card');
    }
  }

  /**
   * The service code of a magstripe is masked (80000502-001): the agent cannot see whether the card wants a PIN, and requests
   * none. The device itself sends a card with a chip to the slot.
   */
  private magstripe(answer: TransactionAnswer): StartOutcome {
    const code = resultCode(answer);
    const kind = code === undefined ? undefined : resultOf(code).hint;
    if (kind !== 'swiped' && kind !== 'fallback-swiped') return this.ended('activate', code);
    const value = findObject(answer.objects, TAGS.magstripeData);
    if (!value) return failed('card-error', 'a card was swiped and its magstripe never came');
    const magstripe = reading('activate', () => decodeMagstripeData(value));
    if (isFailed(magstripe)) return magstripe;
    if (magstripe.source !== 'magstripe')
      return failed('protocol-error', 'a card was swiped, and a number keyed in came');
    const card = magstripeData(magstripe, kind === 'swiped' ? 'MAGSTRIPE' : 'MAGSTRIPE_AS_FALLBACK');
    return this.finished('online-required', card);
  }

  /** The wait for a card was stopped to key a number in; the till may have stopped the sale before the device confirmed it. */
  private async keyedIn(cancelled: Promise<Reply>): Promise<StartOutcome> {
    const done = dataOf('cancel', await cancelled);
    if (isFailed(done)) return done;
    if (this.stopped) return STOPPED_BY_TILL;
    const card = await askKeyedCard(this.ctx.link);
    if (hasEnded(card)) return card;
    this.ctx.hooks.progress({ step: 'reading-card' });
    return this.finished('online-required', card);
  }

  private ended(command: CommandName, code: number | undefined): StartOutcome {
    if (code === undefined) return failed('protocol-error', 'the terminal answered without a result');
    return resultEnd(command, code, this.stopped);
  }

  private ofCard(
    kind: Decision,
    answer: TransactionAnswer,
    entryMode: EntryMode,
    pin?: Enciphered,
  ): StartOutcome {
    const { amount } = this.ctx.values;
    if (!isOfSale({ amount }, plainNodes(answer.objects))) return OTHER_SALE;
    return this.finished(kind, chipData(answer, entryMode, pin));
  }

  private finished(kind: Decision, card: Result<CardData>): StartOutcome {
    return withCard(kind, card, this.stopped);
  }
}
