import { findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import {
  INTERFACES,
  PIN_TYPES,
  PRESENT_CARD,
  UI_EVENTS,
} from '@tillbridge/wire/terminals/newland/callbacks.js';
import type {
  CompleteAnswer,
  CompleteRequest,
  PerformAnswer,
  PerformRequest,
} from '@tillbridge/wire/terminals/newland/perform.js';
import { ERRORS, RESULTS } from '@tillbridge/wire/terminals/newland/statuses.js';
import { ENTRY_MODES, KEY_SYSTEMS, TAGS } from '@tillbridge/wire/terminals/newland/tags.js';
import type { HostOutcome } from '../../kernel/contact-transaction.js';
import type { EncipheredOnce } from '../core/dukpt-device.js';
import type { CardDecision, PaymentCore } from '../core/payment-core.js';
import { ENTER_PIN, enterPin, PinEntryEnded, type PinPrompt, type PinTerms } from '../core/pin-pad.js';
import { issuerOutcome } from '../core/sale-inputs.js';
import type { TerminalUi } from '../core/terminal-ui.js';
import { type ReadCard, readCard } from './card-wait.js';
import type { HostCallbacks } from './host-callbacks.js';
import { errorOfFailure, L3Error } from './l3-error.js';
import { riskInputs, type SaleRequest, saleRequest } from './transaction-request.js';

/** What transactions work with. */
interface TransactionDeps {
  readonly ui: TerminalUi;
  readonly core: PaymentCore;
  readonly callbacks: HostCallbacks;
  readonly pinKeySlot: number;
}

/** Service codes that ask for a PIN (ISO/IEC 7813). */
const PIN_CARD = /^..[03567]/;
const RESULT_OF = {
  TC: RESULTS.approved,
  ARQC: RESULTS.online,
  AAC: RESULTS.declined,
  RFU: RESULTS.declined,
} as const;

/** Functions 31 to 33: one transaction at a time, from the wait for a card to its end. */
export class Transactions {
  readonly #deps: TransactionDeps;
  /** A wait that the host may end: for a card by `+++CANCEL`, for a PIN by CANCEL PIN. */
  #wait: { readonly what: 'card' | 'pin'; readonly controller: AbortController } | undefined;
  #online: 'chip' | 'other' | undefined;
  #scriptResults: Uint8Array | undefined;
  #keyedIn = false;

  constructor(deps: TransactionDeps) {
    this.#deps = deps;
  }

  /** The card number of the last transaction was keyed in. */
  get keyedIn(): boolean {
    return this.#keyedIn;
  }

  /** Results of the issuer's scripts, five bytes for each. */
  get scriptResults(): Uint8Array | undefined {
    return this.#scriptResults;
  }

  /** Whatever transaction runs is over (function 33, or a power cycle). */
  end(): void {
    const { core, ui } = this.#deps;
    this.#online = undefined;
    this.#scriptResults = undefined;
    this.#keyedIn = false;
    ui.markUsed();
    core.forget();
    ui.setState('idle');
  }

  /** Ends the wait for a card or a PIN. @returns whether there was one */
  cancel(what: 'card' | 'pin'): boolean {
    if (this.#wait?.what !== what) return false;
    this.#wait.controller.abort();
    return true;
  }

  /** Function 31. Errors of the card and of the cardholder become its answer. */
  async perform(request: PerformRequest, signal: AbortSignal): Promise<PerformAnswer> {
    try {
      this.end();
      return await this.#perform(saleRequest(request), signal);
    } catch (error) {
      const code = errorOfFailure(error);
      if (code === undefined || signal.aborted) throw error;
      this.end();
      return answer(RESULTS.terminated, code);
    }
  }

  /** Function 32. */
  async complete({ online, objects }: CompleteRequest): Promise<CompleteAnswer> {
    const { core, ui } = this.#deps;
    const waits = this.#online;
    this.#online = undefined;
    if (waits !== 'chip') return { result: RESULTS.terminated, error: ERRORS.param.code };
    ui.setState('reading');
    try {
      const { decision, scriptResults } = await core.complete(outcomeOf(online, objects));
      this.#scriptResults = scriptResults;
      ui.markUsed();
      ui.setState('idle');
      return { result: decision === 'approved' ? RESULTS.approved : RESULTS.declined, error: 0 };
    } catch (error) {
      const code = errorOfFailure(error);
      if (code === undefined) throw error;
      ui.setState('idle');
      return { result: RESULTS.terminated, error: code };
    }
  }

  /** The PIN of PIN ENTRY, which belongs to no transaction. @throws L3Error cancel; PinEntryEnded, WaitAborted */
  async enterPin(prompt: PinPrompt, signal: AbortSignal): Promise<Buffer | 'bypass'> {
    const { ui } = this.#deps;
    try {
      return await this.#cancellable('pin', signal, (both) => enterPin(ui, prompt, both, 'issuer'));
    } finally {
      ui.setState('idle');
    }
  }

  async #perform(request: SaleRequest, signal: AbortSignal): Promise<PerformAnswer> {
    const { ui, core } = this.#deps;
    if (ui.removalDue) {
      ui.show(['REMOVE CARD']);
      this.#event(request, UI_EVENTS.presentCard, PRESENT_CARD.presentAgain);
      await this.#cancellable('card', signal, (both) => ui.waitForRemoval(both));
    }
    const card = await readCard(
      {
        ui,
        core,
        event: (event, data) => this.#event(request, event, data),
        cancellable: (outer, wait) => this.#cancellable('card', outer, wait),
      },
      request,
      signal,
    );
    return this.#decide(card, request, signal);
  }

  async #decide(card: ReadCard, request: SaleRequest, signal: AbortSignal): Promise<PerformAnswer> {
    const { core, ui } = this.#deps;
    const { read } = card;
    if (read.kind === 'manual') {
      this.#keyedIn = true;
      this.#online = 'other';
      return this.#ended(card, RESULTS.ok, ERRORS.manual.code);
    }
    if (read.kind === 'tap-magstripe') return this.#goOnline(card, {});
    const prompt = this.#prompt(request, signal);
    if (read.kind === 'magstripe') {
      const needsPin = PIN_CARD.test(read.account.serviceCode ?? '');
      const pin = needsPin
        ? await this.#cancellable('pin', signal, (both) => core.capturePin(prompt, both))
        : 'bypass';
      return this.#goOnline(card, pin === 'bypass' ? {} : { pin });
    }
    const { forceOnline } = request;
    const risk = riskInputs(await this.#afterFinalSelect(card, request, signal));
    const decision = await this.#cancellable('pin', signal, (both) =>
      core.decide({ risk, forceOnline, prompt }, both),
    );
    if (decision.cryptogram === 'ARQC') return this.#goOnline(card, decision);
    ui.markUsed();
    ui.setState('idle');
    return this.#ended(card, RESULT_OF[decision.cryptogram], 0, decision);
  }

  #goOnline(card: ReadCard, decision: Partial<CardDecision>): PerformAnswer {
    const contact = card.read.kind === 'chip' && card.read.face === 'contact';
    this.#online = contact ? 'chip' : 'other';
    this.#deps.ui.setState('online');
    return this.#ended(card, RESULTS.online, 0, decision);
  }

  #ended(card: ReadCard, result: number, error: number, decision: Partial<CardDecision> = {}): PerformAnswer {
    return answer(result, error, [
      tlv('9F39', Buffer.of(entryMode(card))),
      ...(decision.signature ? [tlv(TAGS.signature, Buffer.of(1))] : []),
      ...pinObject(decision.pin),
    ]);
  }

  #event(request: SaleRequest, event: number, data: number): void {
    if (request.wants('notification'))
      this.#deps.callbacks.tell({ kind: 'ui-event', event, data: Buffer.of(data) });
  }

  /**
   * The host may change the configuration for the application that was chosen. The kernel of the simulator has requested
   * processing options by then; no value that a host may set here changes them.
   */
  async #afterFinalSelect(
    { read }: ReadCard,
    request: SaleRequest,
    signal: AbortSignal,
  ): Promise<readonly TlvNode[]> {
    if (read.kind !== 'chip' || !request.wants('afterFinalSelect')) return [];
    const face = read.face === 'contact' ? INTERFACES.contact : INTERFACES.contactless;
    const aid = Buffer.from(read.data.get('84') ?? read.data.get('4F') ?? []);
    const answer = await this.#deps.callbacks.ask({ kind: 'after-final-select', face, aid }, signal);
    return answer.objects;
  }

  #prompt(request: SaleRequest, signal: AbortSignal): PinPrompt {
    return {
      ...ENTER_PIN,
      ...(request.wants('getPin') && {
        askTerms: (verifiedBy) => this.#askTerms(request, verifiedBy, signal),
      }),
    };
  }

  async #askTerms(
    request: SaleRequest,
    verifiedBy: 'issuer' | 'card',
    signal: AbortSignal,
  ): Promise<PinTerms> {
    const pinType = verifiedBy === 'issuer' ? PIN_TYPES.online : PIN_TYPES.offline;
    const { result, objects } = await this.#deps.callbacks.ask({ kind: 'get-pin', pinType }, signal);
    if (result === ERRORS.cancel.code) throw new PinEntryEnded('cancelled');
    if (result === ERRORS.skipPin.code) return { skip: true };
    if (result !== 0) throw new L3Error('fail');
    if (verifiedBy === 'issuer') this.#requireKey(objects);
    this.#event(request, UI_EVENTS.pinStatus, 0);
    const seconds = findTlv(objects, TAGS.pinTimeout)?.[0];
    const lengths = findTlv(objects, TAGS.pinLengths);
    return {
      ...(seconds !== undefined && { timeoutMs: seconds * 1_000 }),
      ...(lengths && { allowBypass: lengths.includes(0) }),
    };
  }

  #requireKey(objects: readonly TlvNode[]): void {
    const [system, slot] = [TAGS.pinKeySystem, TAGS.pinKeySlot].map((tag) => findTlv(objects, tag)?.[0]);
    if (system !== KEY_SYSTEMS.dukpt || slot !== this.#deps.pinKeySlot) throw new L3Error('param');
  }

  async #cancellable<T>(
    what: 'card' | 'pin',
    signal: AbortSignal,
    wait: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    this.#wait = { what, controller };
    try {
      return await wait(AbortSignal.any([signal, controller.signal]));
    } catch (error) {
      if (controller.signal.aborted && !signal.aborted) throw new L3Error('cancel');
      throw error;
    } finally {
      this.#wait = undefined;
    }
  }
}

function answer(result: number, error: number, objects: readonly TlvNode[] = []): PerformAnswer {
  return { result, verification: 0, error, scheme: 0, objects };
}

function pinObject(pin: EncipheredOnce | undefined): TlvNode[] {
  return pin ? [tlv(TAGS.pinBlock, pin.data)] : [];
}

function entryMode({ read }: ReadCard): number {
  switch (read.kind) {
    case 'manual':
      return ENTRY_MODES.manual;
    case 'magstripe':
      return read.fallback ? ENTRY_MODES.fallback : ENTRY_MODES.magstripe;
    case 'tap-magstripe':
      return ENTRY_MODES.contactless;
    case 'chip':
      return read.face === 'contact' ? ENTRY_MODES.chip : ENTRY_MODES.contactless;
  }
}

function outcomeOf(online: boolean, objects: readonly TlvNode[]): HostOutcome {
  if (!online) return { kind: 'unable-to-go-online' };
  const responseCode = Buffer.from(findTlv(objects, '8A') ?? []).toString('latin1');
  return issuerOutcome(responseCode.length === 2 ? responseCode : '05', objects);
}
