import { findTlv } from '@tillbridge/wire/emv/tlv.js';
import {
  DISPLAY_STRINGS,
  type DisplayStringName,
  interfaceText,
} from '@tillbridge/wire/terminals/magtek/display-strings.js';
import type { Technology } from '@tillbridge/wire/terminals/magtek/notifications.js';
import type { ResumeParameters } from '@tillbridge/wire/terminals/magtek/resume-transaction.js';
import type { StartParameters } from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import {
  CARD_TYPES,
  FALLBACK_INDICATORS,
  OBJECT_TAGS,
} from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { KernelError } from '../../kernel/kernel-error.js';
import { ALWAYS_ONLINE } from '../../kernel/terminal-parameters.js';
import { isKeyFailure, statusByFailure } from '../core/failure.js';
import type { HostAnswer } from '../core/interruptible.js';
import {
  type CardDecision,
  type CardRead,
  MagstripeUnreadable,
  TwoCardsInField,
} from '../core/payment-core.js';
import { ENTER_PIN, type PinPrompt } from '../core/pin-pad.js';
import { issuerOutcome } from '../core/sale-inputs.js';
import type { Presentation } from '../core/terminal-ui.js';
import { endOfFailure, FALLBACKS, type TransactionEnd } from './failure-outcomes.js';
import { amountLines, saleInputs, saleObjects } from './sale-inputs.js';
import type { TransactionDeps } from './transaction-deps.js';
import {
  batchObject,
  type CardOutput,
  magstripeCardType,
  outcomeParameters,
  requestObject,
} from './transaction-output.js';

/** How often a chip may fail for technical reasons before its magstripe is read, a tap before the card must be inserted, a swipe. */
const TRIES = { technical: 3, tap: 3, swipe: 3 } as const;
/** Value of a time that stands for the transaction's own, and for no limit. */
const AS_TRANSACTION = 0xff;
const SECOND_MS = 1_000;
/** The device's own answer to the card in the quick chip flow, tag 8A. */
const DEFERRED = 'Z3';

/** The next prompt of the transaction. */
interface Wanted {
  readonly prompt: DisplayStringName;
  readonly accept: ReadonlySet<PresentMode>;
  /** DFDF53 of a magstripe that is read now. */
  readonly fallback: number;
}

/** The button next to the readers ended the transaction: the host decides what comes next. */
interface ButtonTouched {
  readonly kind: 'button';
  /** The card whose number is to be keyed in. */
  readonly by: Presentation;
}

/** A transaction that goes on with another card, or the same in another way. */
type Next =
  | { readonly kind: 'again'; readonly wanted: Wanted }
  | ButtonTouched
  | { readonly kind: 'end'; readonly end: TransactionEnd };

/** One transaction, from the first prompt to its end. */
export class Transaction {
  readonly #deps: TransactionDeps;
  readonly #issuer: HostAnswer<ResumeParameters>;
  readonly #start: StartParameters;
  readonly #leave: (unread: Presentation | undefined) => Promise<void>;
  #unread: Presentation | undefined;
  #chipFailures = 0;
  #tapFailures = 0;
  #swipeFailures = 0;

  constructor(
    deps: TransactionDeps,
    issuer: HostAnswer<ResumeParameters>,
    start: StartParameters,
    leave: (unread: Presentation | undefined) => Promise<void>,
  ) {
    this.#deps = deps;
    this.#issuer = issuer;
    this.#start = start;
    this.#leave = leave;
  }

  async run(signal: AbortSignal): Promise<TransactionEnd | ButtonTouched> {
    let wanted: Wanted = { prompt: 'presentCard', accept: this.#readers, fallback: FALLBACK_INDICATORS.none };
    for (;;) {
      const next = await this.#present(wanted, signal);
      if (next.kind === 'end') return next.end;
      if (next.kind === 'button') return next;
      ({ wanted } = next);
    }
  }

  get #readers(): ReadonlySet<PresentMode> {
    const { contact, contactless, magstripe } = this.#start;
    return new Set<PresentMode>([
      ...(contact ? (['insert'] as const) : []),
      ...(contactless ? (['tap'] as const) : []),
      ...(magstripe ? (['swipe'] as const) : []),
    ]);
  }

  get #patienceMs(): number | undefined {
    return patienceMs(this.#start);
  }

  get #prompt(): PinPrompt {
    return {
      ...ENTER_PIN,
      lines: [...amountLines(this.#start), ...ENTER_PIN.lines],
      timeoutMs: this.#patienceMs ?? AS_TRANSACTION * SECOND_MS,
    };
  }

  async #present(wanted: Wanted, signal: AbortSignal): Promise<Next> {
    const { ui, core, tell } = this.#deps;
    const button = buttonLabel(this.#start);
    const label = button === undefined ? [] : [`[${button}]`];
    ui.show([...amountLines(this.#start), DISPLAY_STRINGS[wanted.prompt].text, ...label]);
    await this.#leave(this.#unread);
    this.#unread = undefined;
    const accept = button === undefined ? wanted.accept : new Set([...wanted.accept, 'manual' as const]);
    const given = await core.awaitCard(accept, this.#patienceMs, signal);
    ui.show([DISPLAY_STRINGS.pleaseWait.text]);
    if (given === 'timeout') return end('none', 'timeout');
    if (given === 'cancel-key') return end('none', 'cancelledByUser');
    switch (given.how) {
      case 'insert':
        tell('contact', 'inserted');
        return this.#chip(given, wanted, signal);
      case 'tap':
        return this.#tap(given, wanted, signal);
      case 'manual':
        return { kind: 'button', by: given };
      default:
        tell('magstripe', 'swiped');
        return this.#swipe(given, wanted, signal);
    }
  }

  #sale() {
    return saleInputs(this.#start, this.#deps.clock.nowMs());
  }

  async #chip(given: Presentation, wanted: Wanted, signal: AbortSignal): Promise<Next> {
    try {
      const read = await this.#deps.core.read(given, this.#sale());
      signal.throwIfAborted();
      if (read.kind !== 'chip') return end('contact', 'failed');
      return await this.#decided(read, CARD_TYPES.contact, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#chipFailed(error, given, wanted);
    }
  }

  #chipFailed(error: unknown, given: Presentation, wanted: Wanted): Next {
    const { ui, tell, output } = this.#deps;
    if (!ui.inserted) tell('contact', 'removed');
    if (isKeyFailure(error)) tell('contact', 'pinEnciphermentError');
    const fallback = statusByFailure(error, FALLBACKS);
    if (!fallback || output.properties.byte('deviceFallback') === 0 || !this.#start.magstripe) {
      return this.#failed(error, 'contact');
    }
    this.#unread = given;
    this.#chipFailures += 1;
    if (fallback === 'technical' && this.#chipFailures < TRIES.technical) {
      const accept = new Set([...wanted.accept].filter((mode) => mode !== 'swipe'));
      return again({ prompt: 'tryAgain', accept, fallback: wanted.fallback });
    }
    return again({
      prompt: 'useMagstripe',
      accept: new Set<PresentMode>(['swipe']),
      fallback: FALLBACK_INDICATORS[fallback],
    });
  }

  #failed(error: unknown, technology: 'contact' | 'contactless'): Next {
    const ended = endOfFailure(error, technology);
    if (!ended) throw error;
    return { kind: 'end', end: ended };
  }

  async #tap(given: Presentation, wanted: Wanted, signal: AbortSignal): Promise<Next> {
    const { core, tell } = this.#deps;
    let read: CardRead;
    try {
      read = await core.read(given, this.#sale());
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#tapFailed(error, wanted);
    }
    signal.throwIfAborted();
    tell('contactless', 'detected');
    try {
      if (read.kind === 'tap-magstripe') return await this.#tapMagstripe(read, signal);
      if (read.kind !== 'chip') return end('contactless', 'failed');
      return await this.#decided(read, CARD_TYPES.contactless, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (isKeyFailure(error)) tell('contactless', 'pinEnciphermentError');
      return this.#failed(error, 'contactless');
    }
  }

  #tapFailed(error: unknown, wanted: Wanted): Next {
    if (error instanceof TwoCardsInField) {
      this.#deps.tell('contactless', 'collision');
      return again({ ...wanted, prompt: 'onlyOneCard' });
    }
    if (!(error instanceof KernelError || error instanceof CardCommunicationError)) throw error;
    this.#tapFailures += 1;
    const accept = new Set([...wanted.accept].filter((mode) => mode !== 'tap'));
    if (accept.size === 0) return end('contactless', 'tryAnotherInterface');
    if (error instanceof KernelError && error.code === 'no-application')
      return again({ ...wanted, prompt: 'insertCard', accept });
    if (this.#tapFailures < TRIES.tap) return again({ ...wanted, prompt: 'tryAgain' });
    return again({ ...wanted, prompt: 'insertCard', accept });
  }

  async #swipe(given: Presentation, wanted: Wanted, signal: AbortSignal): Promise<Next> {
    const { core } = this.#deps;
    let read: CardRead;
    try {
      read = await core.read(given, this.#sale());
    } catch (error) {
      if (!(error instanceof MagstripeUnreadable)) throw error;
      this.#swipeFailures += 1;
      return this.#swipeFailures < TRIES.swipe
        ? again({ ...wanted, prompt: 'tryAgain' })
        : end('magstripe', 'entryError');
    }
    const { account } = read;
    const cardType = magstripeCardType(account);
    const { none } = FALLBACK_INDICATORS;
    if (cardType === CARD_TYPES.magstripeOfChipCard && wanted.fallback === none && this.#start.contact) {
      const accept = new Set([...wanted.accept].filter((mode) => mode !== 'swipe'));
      return again({ ...wanted, prompt: 'useChipReader', accept });
    }
    const card: CardOutput = { cardType, fallback: wanted.fallback, account, sale: this.#saleObjects() };
    return this.#askIssuer(card, 'magstripe', signal);
  }

  #saleObjects() {
    return saleObjects(this.#start, this.#deps.clock.nowMs());
  }

  async #tapMagstripe(
    read: Extract<CardRead, { kind: 'tap-magstripe' }>,
    signal: AbortSignal,
  ): Promise<Next> {
    const card: CardOutput = {
      cardType: CARD_TYPES.contactlessMagstripe,
      fallback: FALLBACK_INDICATORS.none,
      account: read.account,
      data: read.data,
      sale: this.#saleObjects(),
    };
    return this.#askIssuer(card, 'contactless', signal);
  }

  /** The first cryptogram of a chip, and what follows from it. */
  async #decided(
    read: Extract<CardRead, { kind: 'chip' }>,
    cardType: number,
    signal: AbortSignal,
  ): Promise<Next> {
    const { core } = this.#deps;
    const technology = read.face === 'contact' ? 'contact' : 'contactless';
    const decision: CardDecision = await core.decide(
      { risk: ALWAYS_ONLINE, forceOnline: false, prompt: this.#prompt },
      signal,
    );
    signal.throwIfAborted();
    if (technology === 'contactless')
      read.data.set(OBJECT_TAGS.outcomeParameters, outcomeParameters(core.tapDecision.verification));
    const card: CardOutput = {
      cardType,
      fallback: FALLBACK_INDICATORS.none,
      account: read.account,
      data: read.data,
      sale: [],
      ...(decision.pin && { pin: decision.pin }),
    };
    if (decision.cryptogram === 'ARQC') return this.#askIssuer(card, technology, signal);
    const approved = decision.cryptogram === 'TC';
    this.#tellBatch(card, technology, approved);
    return end(technology, approved ? 'offlineApproved' : 'offlineDeclined');
  }

  /** Sends the request, again after a timeout, and completes the transaction with the answer. */
  async #askIssuer(card: CardOutput, technology: Technology, signal: AbortSignal): Promise<Next> {
    const { tell, output, ui } = this.#deps;
    const request = requestObject(output, card);
    if (this.#start.quickChip) {
      tell(technology, 'requestData', request);
      return this.#defer(card, technology);
    }
    let answer: ResumeParameters | 'timeout' = 'timeout';
    for (let left = output.properties.byte('arpcRetries'); left >= 0 && answer === 'timeout'; left -= 1) {
      ui.setState('online');
      tell(technology, 'requestData', request);
      answer = await this.#issuer.next(this.#issuerPatienceMs, signal);
    }
    return this.#complete(card, technology, answer);
  }

  /** Quick chip: the card is done with at once, and the host decides later. */
  async #defer(card: CardOutput, technology: Technology): Promise<Next> {
    await this.#deps.core.complete({ kind: 'declined', responseCode: DEFERRED, issuerObjects: [] });
    this.#tellBatch(card, technology, false);
    return end(technology, 'quickChipDeferred');
  }

  get #issuerPatienceMs(): number | undefined {
    const seconds = this.#deps.output.properties.byte('arpcTimeout');
    if (seconds === AS_TRANSACTION) return this.#patienceMs;
    return seconds === 0 ? undefined : seconds * SECOND_MS;
  }

  async #complete(
    card: CardOutput,
    technology: Technology,
    answer: ResumeParameters | 'timeout',
  ): Promise<Next> {
    const { core, ui } = this.#deps;
    ui.setState('reading');
    const done = await core.complete(
      answer === 'timeout' ? { kind: 'unable-to-go-online' } : issuerOutcome(codeOf(answer), answer.objects),
    );
    if (card.data && done.scriptResults.length > 0) card.data.set('9F5B', done.scriptResults);
    const approved = done.decision === 'approved';
    this.#tellBatch(card, technology, approved);
    return end(technology, approved ? 'approved' : 'declined');
  }

  #tellBatch({ pin, ...card }: CardOutput, technology: Technology, approved: boolean): void {
    const { tell, output } = this.#deps;
    tell(technology, 'batchData', batchObject(output, card, approved));
  }
}

/** How long the device waits for the cardholder; no limit when undefined. */
export function patienceMs({ timeoutSeconds }: StartParameters): number | undefined {
  return timeoutSeconds === 0 ? undefined : timeoutSeconds * SECOND_MS;
}

/** The label of the button next to the readers; undefined where there is none. */
function buttonLabel({ rightButton }: StartParameters): string | undefined {
  return rightButton === undefined ? undefined : interfaceText(rightButton);
}

function codeOf({ objects }: ResumeParameters): string {
  return Buffer.from(findTlv(objects, '8A') ?? []).toString('latin1');
}

function again(wanted: Wanted): Next {
  return { kind: 'again', wanted };
}

function end(technology: Technology, outcome: TransactionEnd['outcome']): Next {
  return { kind: 'end', end: { technology, outcome } };
}
