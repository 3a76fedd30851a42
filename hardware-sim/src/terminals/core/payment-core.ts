import type { CryptogramType } from '@tillbridge/wire/emv/cid.js';
import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import { currencyAlpha } from '@tillbridge/wire/payment/currency-codes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import {
  type Completion,
  completeContact,
  decideContact,
  type HostOutcome,
  type OpenTransaction,
  openContact,
  type StartInputs,
} from '../../kernel/contact-transaction.js';
import { readTap, type TapTransaction } from '../../kernel/contactless-transaction.js';
import { allowsMagstripe } from '../../kernel/kernel-error.js';
import type { ApplicationParameters, RiskInputs } from '../../kernel/terminal-parameters.js';
import type { DecisionWatcher, TransactionData } from '../../kernel/transaction-data.js';
import type { StateSlot } from '../../state/state-slot.js';
import { type CardAccount, chipAccount, magstripeAccount, printedAccount } from './card-account.js';
import type { DukptDevice, EncipheredOnce } from './dukpt-device.js';
import { enterPin, PinPad, type PinPrompt } from './pin-pad.js';
import {
  TERMINAL_AIDS,
  type TerminalPlace,
  tapCvmLimitMinor,
  terminalApplication,
} from './terminal-applications.js';
import type { Presentation, TerminalUi } from './terminal-ui.js';

/** A magstripe or a keyed-in number is read without a transaction. */
export const NO_SALE: SaleInputs = { amountMinor: 0, transactionType: 0, date: '', time: '' };

/** What a terminal stores on disk in addition to its keys. */
export interface CoreCounters {
  /** Tag 9F41: the last transaction sequence number used. */
  readonly sequence: number;
}

/** Checks what a state file holds. @throws TypeError */
export function parseCoreCounters(json: unknown): CoreCounters {
  const { sequence } = (json ?? {}) as Partial<CoreCounters>;
  if (sequence === undefined || !Number.isInteger(sequence) || sequence < 0) {
    throw new TypeError('sequence must be an integer from 0');
  }
  return { sequence };
}

/** The next tag 9F41, on disk before it is used. @throws StateError */
export function nextSequence(counters: StateSlot<CoreCounters>): number {
  const sequence = (counters.read()?.sequence ?? 0) + 1;
  counters.write({ sequence });
  return sequence;
}

/** What a payment core is made of. */
interface PaymentCoreDeps {
  readonly serial: string;
  /** Tag 9F1C. */
  readonly terminalId: string;
  readonly ui: TerminalUi;
  readonly random: Random;
  readonly pinKey: DukptDevice;
  readonly counters: StateSlot<CoreCounters>;
  readonly place: TerminalPlace;
  /** Receives the kernel's decisions with their reasons. */
  readonly onDecision?: DecisionWatcher | undefined;
}

/** A transaction as the host describes it. */
export interface SaleInputs {
  readonly amountMinor: number;
  readonly cashbackMinor?: number;
  /** Tag 9C. */
  readonly transactionType: number;
  /** `YYMMDD`. */
  readonly date: string;
  /** `HHMMSS`. */
  readonly time: string;
  /** ISO 4217 numeric, three digits; the place's currency where the host names none. */
  readonly currency?: string;
  /** Tag 9F41; the terminal's own counter where the host names none. */
  readonly sequenceNumber?: number;
  /** Other objects of the host. */
  readonly objects?: readonly TlvNode[];
}

/** A card that has been read. `fallback`: a magstripe after a chip that could not be read. */
export type CardRead =
  | {
      readonly kind: 'chip';
      readonly face: 'contact' | 'tap';
      readonly account: CardAccount;
      readonly data: TransactionData;
      readonly label: string;
    }
  | { readonly kind: 'tap-magstripe'; readonly account: CardAccount; readonly data: TransactionData }
  | { readonly kind: 'manual'; readonly account: CardAccount }
  | { readonly kind: 'magstripe'; readonly account: CardAccount; readonly fallback: boolean };

/** What decides up to the first cryptogram. */
interface DecideInputs {
  /** Undefined: no terminal risk management. */
  readonly risk?: RiskInputs;
  /** The host allows no offline approval. */
  readonly forceOnline: boolean;
  readonly prompt: PinPrompt;
}

/** The first cryptogram. */
export interface CardDecision {
  readonly cryptogram: CryptogramType;
  readonly signature: boolean;
  /** The PIN for the issuer, when one was entered. */
  readonly pin?: EncipheredOnce;
  readonly pinVerifiedOffline: boolean;
  /** The cardholder skipped a requested PIN. */
  readonly pinBypassed: boolean;
}

/** Two cards were in the field at once. */
export class TwoCardsInField extends NamedError {}

/** No account could be read from the magstripe. */
export class MagstripeUnreadable extends NamedError {}

type Chip =
  | { readonly face: 'contact'; readonly open: OpenTransaction; readonly parameters: ApplicationParameters }
  | { readonly face: 'tap'; readonly open: TapTransaction };

/**
 * What every terminal does with a card, whatever the host's protocol: wait for it, read it, verify its holder, get the
 * first cryptogram, and the second. One transaction at a time; a maker's simulated device puts its protocol around it.
 */
export class PaymentCore {
  readonly #deps: PaymentCoreDeps;
  #chip: Chip | undefined;
  #account: CardAccount | undefined;
  #forceOnline = false;
  #chipFailed = false;

  constructor(deps: PaymentCoreDeps) {
    this.#deps = deps;
  }

  /** The account of the card that was read last; undefined before and after. */
  get account(): CardAccount | undefined {
    return this.#account;
  }

  /** Every object of the running chip transaction. */
  get data(): TransactionData | undefined {
    return this.#chip?.open.data;
  }

  /** What a tap in EMV mode decided when it was read, before any PIN entry. @throws RangeError */
  get tapDecision(): Pick<TapTransaction, 'cryptogram' | 'verification'> {
    if (this.#chip?.face !== 'tap') throw new RangeError('no card was tapped');
    return this.#chip.open;
  }

  /** Forgets the running transaction, and that a chip could not be read: the next customer's turn. */
  forget(): void {
    this.#chip = undefined;
    this.#account = undefined;
    this.#forceOnline = false;
    this.#chipFailed = false;
  }

  /** Waits for a card. @throws WaitAborted */
  async awaitCard(
    accept: ReadonlySet<PresentMode>,
    timeoutMs: number | undefined,
    signal: AbortSignal,
  ): Promise<Presentation | 'timeout' | 'cancel-key'> {
    const given = await this.#deps.ui.waitForCard(accept, timeoutMs, signal);
    if (typeof given !== 'string') this.#deps.ui.setState('reading');
    return given;
  }

  /**
   * Reads a card as it was given.
   * @throws KernelError, CardCommunicationError; MagstripeUnreadable, TwoCardsInField
   */
  async read(presentation: Presentation, sale: SaleInputs): Promise<CardRead> {
    this.#chip = undefined;
    this.#account = undefined;
    try {
      const read = await this.#readFace(presentation, sale);
      this.#account = read.account;
      this.#chipFailed = false;
      return read;
    } catch (error) {
      const unread = error instanceof CardCommunicationError || allowsMagstripe(error);
      if (presentation.how === 'insert' && unread) this.#chipFailed = true;
      throw error;
    }
  }

  /**
   * Risk, cardholder and the first cryptogram of a chip that was read; a tap has decided already.
   * @throws KernelError, CardCommunicationError; PinEntryEnded, WaitAborted; CryptoError counterExhausted
   */
  async decide(inputs: DecideInputs, signal: AbortSignal): Promise<CardDecision> {
    const chip = this.#chip;
    if (!chip) throw new RangeError('no chip was read');
    this.#forceOnline = inputs.forceOnline;
    const entry = new PinPad({
      forCard: () => this.enterPin(inputs.prompt, signal, 'card'),
      forIssuer: () => this.capturePin(inputs.prompt, signal),
    });
    if (chip.face === 'tap') return this.#decideTap(chip.open, entry);
    const { cryptogram, verification } = await decideContact(chip.open, {
      parameters: chip.parameters,
      risk: inputs.risk,
      cardholder: entry,
      onExceptionList: false,
      forceOnline: inputs.forceOnline,
      random: this.#deps.random,
    });
    return {
      cryptogram,
      signature: verification.signature,
      ...(verification.pin === 'captured-online' && entry.captured && { pin: entry.captured }),
      pinVerifiedOffline: verification.pin === 'verified-offline',
      pinBypassed: entry.bypassed,
    };
  }

  /**
   * The issuer's answer or its absence, scripts, the second cryptogram. A tap is over: the host's decision is final.
   * @throws KernelError, CardCommunicationError
   */
  async complete(outcome: HostOutcome): Promise<Completion> {
    const chip = this.#chip;
    if (chip?.face !== 'contact') {
      const approved = outcome.kind === 'approved';
      return { decision: approved ? 'approved' : 'declined', scriptResults: Buffer.alloc(0) };
    }
    return completeContact(chip.open, chip.parameters, outcome, this.#forceOnline);
  }

  /**
   * Prompts for a PIN that the issuer verifies, for the account that was read; for magstripes and for hosts that request the PIN separately.
   * @throws PinEntryEnded, WaitAborted, CardCommunicationError; CryptoError counterExhausted
   */
  async capturePin(prompt: PinPrompt, signal: AbortSignal): Promise<EncipheredOnce | 'bypass'> {
    const account = this.#account;
    if (!account) throw new RangeError('no card was read');
    const digits = await this.enterPin(prompt, signal);
    return digits === 'bypass' ? digits : this.#deps.pinKey.encipherPin(digits, account.pan);
  }

  /**
   * Shows a prompt and waits for digits; the caller wipes them.
   * @throws PinEntryEnded, WaitAborted; CardCommunicationError when the card left the slot
   */
  enterPin(
    prompt: PinPrompt,
    signal: AbortSignal,
    verifiedBy: 'issuer' | 'card' = 'issuer',
  ): Promise<Buffer | 'bypass'> {
    return enterPin(this.#deps.ui, prompt, signal, verifiedBy);
  }

  async #readFace(presentation: Presentation, sale: SaleInputs): Promise<CardRead> {
    if (presentation.how === 'swipe') return this.#readMagstripe(presentation);
    if (presentation.how === 'manual')
      return { kind: 'manual', account: printedAccount(presentation.definition) };
    if (presentation.collision) throw new TwoCardsInField('two cards are in the field');
    const card = this.#deps.ui.chipOf(presentation);
    const inputs = this.#startInputs(sale);
    if (presentation.how === 'insert') {
      const open = await openContact(card, inputs);
      const parameters = inputs.parametersOf(open.application.terminalAid);
      this.#chip = { face: 'contact', open, parameters };
      return chipRead('contact', open);
    }
    const currency = currencyAlpha(sale.currency ?? '') ?? this.#deps.place.currency;
    const open = await readTap(card, inputs, () => ({ cvmLimitMinor: tapCvmLimitMinor(currency) }));
    if (open.mode === 'magstripe') {
      return { kind: 'tap-magstripe', account: chipAccount(open.data), data: open.data };
    }
    this.#chip = { face: 'tap', open };
    return chipRead('tap', open);
  }

  #readMagstripe({ card }: Presentation): CardRead {
    const account = card.magstripe && magstripeAccount(card.magstripe);
    if (!account) throw new MagstripeUnreadable('the magstripe could not be read');
    return { kind: 'magstripe', account, fallback: this.#chipFailed };
  }

  #startInputs(sale: SaleInputs): StartInputs {
    const { place, serial, terminalId, random, counters, onDecision } = this.#deps;
    const { sequenceNumber, cashbackMinor = 0, objects = [], ...rest } = sale;
    return {
      transaction: { ...rest, cashbackMinor, sequenceNumber: sequenceNumber ?? nextSequence(counters) },
      aids: TERMINAL_AIDS,
      parametersOf: (aid) => terminalApplication(aid, place, serial, terminalId),
      overrides: objects,
      random,
      onDecision,
    };
  }

  async #decideTap(open: TapTransaction, entry: PinPad): Promise<CardDecision> {
    const needsPin = open.verification === 'online-pin' && open.cryptogram === 'ARQC';
    const captured = needsPin && (await entry.askOnlinePin()) === 'captured';
    return {
      cryptogram: open.cryptogram,
      signature: open.verification === 'signature',
      ...(captured && entry.captured && { pin: entry.captured }),
      pinVerifiedOffline: false,
      pinBypassed: entry.bypassed,
    };
  }
}

function chipRead(face: 'contact' | 'tap', { data, application }: OpenTransaction): CardRead {
  return { kind: 'chip', face, account: chipAccount(data), data, label: application.label };
}
