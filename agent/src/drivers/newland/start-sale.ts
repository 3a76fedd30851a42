import {
  type Callback,
  type CallbackAnswer,
  decodeCallback,
  encodeCallbackAnswer,
  PIN_TYPES,
  UI_EVENTS,
} from '@tillbridge/wire/terminals/newland/callbacks.js';
import { decodePerformAnswer, type PerformAnswer } from '@tillbridge/wire/terminals/newland/perform.js';
import { ERRORS, errorOf, type ResultName, resultName } from '@tillbridge/wire/terminals/newland/statuses.js';
import { DECISIONS, type Decision, withCard } from '../core/card-data.js';
import type { StartOutcome } from '../core/driver.js';
import { readTlv } from '../core/emv-data.js';
import { CANCEL_TIMEOUT_MS } from '../core/limits.js';
import type { SaleHooks, SaleOn } from '../core/maker-session.js';
import { attempt, failed, isFailed, type Result, STOPPED_BY_TILL } from '../core/result.js';
import { isOfSale, OTHER_SALE } from '../core/transaction-values.js';
import { readCardData } from './card-data.js';
import { nextKey } from './device.js';
import { CARD_GRACE_MS, CARD_HANDLING_MS, FIRST_SIGN_MS, MAX_CARD_PROMPTS } from './limits.js';
import { command, level3, type NewlandLink } from './link.js';
import { ask, undecided } from './replies.js';
import { performData, pinTerms, riskTerms } from './transaction-request.js';

/** What the pad waits for, by its callbacks. */
type Stage = 'card' | 'reading' | 'pin';

const OUTCOMES: Partial<Readonly<Record<ResultName, Decision>>> = DECISIONS;
const WHAT = 'PERFORM TRANSACTION';

/** A sale from the wait for a card to the first cryptogram: one command of the pad, and its questions on the way. */
export class StartSale {
  private readonly sale: SaleOn<NewlandLink>;
  private readonly link: NewlandLink;
  private readonly hooks: SaleHooks;
  private stage: Stage = 'reading';
  private pinReady = false;
  private hasReported = false;

  constructor(sale: SaleOn<NewlandLink>) {
    this.sale = sale;
    this.link = sale.link;
    this.hooks = sale.hooks;
  }

  /** Runs the sale. */
  async run(): Promise<StartOutcome> {
    const keys = await this.advanceKeys();
    if (keys) return keys;
    if (this.hooks.stopped()) return STOPPED_BY_TILL;
    const answer = await this.perform();
    if (isFailed(answer)) return answer;
    return this.decided(answer);
  }

  /**
   * Ends what the pad waits for; reading a card continues to its end. The published host ends a separate PIN entry by
   * CANCEL PIN; whether that also ends the PIN entry of a transaction is from public sources incomplete. A cancel of the wait
   * for a card has no answer: a transaction that does not go on or end in time ends as silent.
   */
  async interrupt(): Promise<void> {
    this.link.hurry(CANCEL_TIMEOUT_MS);
    if (this.stage === 'card') this.link.cancelCardWait();
    else if (this.stage === 'pin') await this.link.overtake(command('cancelPin'));
  }

  /** Each sale has its own keys: the pad uses a key until its host advances it. */
  private async advanceKeys(): Promise<Result<undefined>> {
    const data = await nextKey(this.link, 'data');
    if (isFailed(data)) return data;
    if (!data) return failed('key-missing', 'the terminal’s data key is missing or used up');
    const pin = await nextKey(this.link, 'pin');
    if (isFailed(pin)) return pin;
    this.pinReady = pin;
    return undefined;
  }

  private async perform(): Promise<Result<PerformAnswer>> {
    this.link.onCallback = (data) => this.callback(data);
    // The pad reports the request for a card at once; a pad without power never answers.
    const request = level3('perform', performData(this.sale));
    const answer = await ask(this.link, request, decodePerformAnswer, FIRST_SIGN_MS, this.longestMs);
    this.link.onCallback = undefined;
    this.stage = 'reading';
    return answer;
  }

  private callback(data: Buffer): void {
    const callback = attempt('CALLBACK', () => decodeCallback(data));
    switch (callback.kind) {
      case 'ui-event':
        this.event(callback);
        break;
      case 'get-pin':
        this.answer(this.pin(callback.pinType));
        break;
      case 'after-final-select':
        this.answer(riskTerms(this.sale.request.risk));
        break;
      default:
      // The other callbacks need no answer from here: the pad goes on by itself.
    }
  }

  private get cardMs(): number {
    return this.sale.request.cardTimeoutMs + CARD_GRACE_MS;
  }

  private get longestMs(): number {
    return MAX_CARD_PROMPTS * this.cardMs + CARD_HANDLING_MS;
  }

  private become(stage: Stage): void {
    this.stage = stage;
    const waitMs = stage === 'card' ? this.cardMs : CARD_HANDLING_MS;
    this.link.continueFor(this.hooks.stopped() ? CANCEL_TIMEOUT_MS : waitMs);
  }

  private answer(answer: CallbackAnswer): void {
    this.link.answerCallback(encodeCallbackAnswer(answer));
  }

  private pin(pinType: number): CallbackAnswer {
    if (this.hooks.stopped()) return { result: ERRORS.cancel.code, objects: [] };
    this.become('pin');
    this.hooks.progress({ step: 'pin-entry' });
    return pinTerms(pinType === PIN_TYPES.online, this.pinReady);
  }

  private event({ event }: Extract<Callback, { kind: 'ui-event' }>): void {
    if (event === UI_EVENTS.presentCard) {
      this.become('card');
      this.hooks.progress({ step: 'waiting-for-card' });
      // The till stopped while nothing could be ended.
      if (this.hooks.stopped()) this.link.cancelCardWait();
    } else if (event === UI_EVENTS.processing) {
      this.become('reading');
      this.tellReading();
    }
  }

  private tellReading(): void {
    this.hasReported = true;
    this.hooks.progress({ step: 'reading-card' });
  }

  private async decided(answer: PerformAnswer): Promise<StartOutcome> {
    const keyedIn = errorOf(answer.error).hint === 'manual';
    const kind = keyedIn ? 'online-required' : OUTCOMES[resultName(answer.result) ?? 'terminated'];
    if (!kind) return undecided(WHAT, answer.error, this.hooks.stopped());
    if (!this.hasReported) this.tellReading();
    const card = await readCardData(this.link, answer);
    if (isFailed(card)) return card;
    const nodes = readTlv('EMV data', card.iccData);
    if (isFailed(nodes) || !isOfSale(this.sale.values, nodes)) return OTHER_SALE;
    return withCard(kind, card, this.hooks.stopped());
  }
}
