import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeCardStatus } from '@tillbridge/wire/terminals/miura/card-status.js';
import type { CommandName } from '@tillbridge/wire/terminals/miura/commands.js';
import { encodeCardReport, encodeStatusReport } from '@tillbridge/wire/terminals/miura/reports.js';
import {
  DEVICE_STATUS,
  KEYS,
  ONLINE_PIN_ENDS,
  TAGS,
  TEMPLATES,
} from '@tillbridge/wire/terminals/miura/tags.js';
import type { PresentMode } from '../../cards/catalogue.js';
import type { CardAccount } from '../core/card-account.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import {
  type CardRead,
  MagstripeUnreadable,
  NO_SALE,
  type PaymentCore,
  type SaleInputs,
} from '../core/payment-core.js';
import { ENTER_PIN, PinEntryEnded } from '../core/pin-pad.js';
import { amountText, issuerOutcome } from '../core/sale-inputs.js';
import type { Presentation, TerminalUi } from '../core/terminal-ui.js';
import { StatusError } from './status-error.js';
import {
  decisionObjects,
  finalObjects,
  magstripeSredObjects,
  maskedObjects,
  pinObjects,
  saleInputs,
  sredObjects,
  tapVerification,
} from './transaction-output.js';

/** What transactions work with. */
interface TransactionDeps {
  readonly ui: TerminalUi;
  readonly core: PaymentCore;
  readonly dataKey: DukptDevice;
  /** Sends a message that the host did not ask for. */
  readonly tell: (report: Buffer) => void;
  /** Sends how slot and magstripe stand. */
  readonly tellSlot: () => void;
}

const EVERY_WAY: ReadonlySet<PresentMode> = new Set(['insert', 'tap', 'swipe']);
const WITHOUT_TAP: ReadonlySet<PresentMode> = new Set(['insert', 'swipe']);
/** How long the antenna waits as the device is configured (START CONTACTLESS TRANSACTION). */
const TAP_TIMEOUT_MS = 120_000;
const ENTER_PIN_TEXT = 'ENTER PIN';
/** Values of DFA101 and DFA102 when an entry begins. */
const NO_DIGITS = Buffer.of(0x00);
const PIN_ENTRY = Buffer.of(0x01);
const DECISIONS = {
  TC: TEMPLATES.approved,
  ARQC: TEMPLATES.onlineRequired,
  AAC: TEMPLATES.declined,
} as const;

/** The transaction commands, and the watch over the slot between them. */
export class Transactions {
  readonly #deps: TransactionDeps;
  #open: 'contact' | 'tap' | undefined;
  #online = false;
  /** A magstripe was read since the last transaction ended. */
  #swiped = false;

  constructor(deps: TransactionDeps) {
    this.#deps = deps;
  }

  /** Whatever transaction runs is over. */
  end(): void {
    this.#swiped = false;
    this.abort();
  }

  /**
   * The host ends the transaction. A magstripe that was swiped in it stays until the next end, because its PIN may follow;
   * that ABORT leaves it be is from public sources incomplete.
   */
  abort(): void {
    this.#open = undefined;
    this.#online = false;
    this.#deps.ui.markUsed();
    if (!this.#swiped) this.#deps.core.forget();
    this.#swiped = false;
  }

  /** A card in the slot is the host's to start with, however long that takes: the terminal does not rest. */
  get #waitsForStart(): boolean {
    const { inserted, removalDue } = this.#deps.ui;
    return inserted !== undefined && !removalDue && !this.#online;
  }

  /** The wait for the slot has ended: the terminal UI shows the state of the transaction, or idle. */
  rest(): void {
    this.#deps.ui.setState(this.#online ? 'online' : 'idle');
  }

  /**
   * A command failed: a chip that could not be read leaves the slot, and its magstripe may be swiped. One that was given in
   * place of a tap stays for START TRANSACTION.
   */
  failed(name: CommandName): void {
    const { ui } = this.#deps;
    this.#open = undefined;
    this.#online = false;
    if (name !== 'startContactless') ui.markUsed();
    ui.clear();
    ui.setState(this.#waitsForStart ? 'reading' : 'idle');
  }

  /** Carries out a transaction command. @throws StatusError and whatever `statusOfFailure` knows */
  run(name: CommandName, objects: readonly TlvNode[], signal: AbortSignal): Promise<Buffer> {
    switch (name) {
      case 'startContactless':
        return this.#startContactless(saleInputs(objects), signal);
      case 'start':
        return this.#start(saleInputs(objects), signal);
      case 'continue':
        return this.#continue(objects);
      case 'onlinePin':
        return this.#onlinePin(signal);
      default:
        throw new StatusError('unknownCommand');
    }
  }

  /** Notifies the host of inserted and removed cards, of swipes and of keys, until aborted. */
  async watchCards(signal: AbortSignal, key: (code: number) => void): Promise<void> {
    const { ui } = this.#deps;
    for (;;) {
      if (this.#waitsForStart) ui.setState('reading');
      await this.watchSlot(signal);
      const given = await ui.waitForCard(WITHOUT_TAP, undefined, signal, 'held');
      ui.setState('idle');
      if (given === 'cancel-key') key(KEYS.cancel);
      else if (given !== 'timeout' && given.how === 'swipe') await this.#tellMagstripe(given);
      else this.#deps.tellSlot();
    }
  }

  /** Notifies the host when the slot becomes empty. */
  async watchSlot(signal: AbortSignal): Promise<void> {
    const { ui } = this.#deps;
    if (!ui.inserted) return;
    // The UI prompts for the removal of a used card only; an unused card may be removed as well.
    if (ui.removalDue) await ui.waitForRemoval(signal);
    else await ui.slotEmptied(signal);
    this.rest();
    this.#deps.tellSlot();
  }

  async #startContactless(sale: SaleInputs, signal: AbortSignal): Promise<Buffer> {
    const { ui, core } = this.#deps;
    if (ui.removalDue) await this.#leave(signal);
    ui.show([amountText(sale), 'PRESENT CARD']);
    const given = await core.awaitCard(EVERY_WAY, TAP_TIMEOUT_MS, signal);
    ui.clear();
    if (given === 'timeout') throw new StatusError('tapTimeout');
    if (given === 'cancel-key') throw new StatusError('cancelled');
    if (given.how === 'insert') {
      this.#deps.tellSlot();
      throw new StatusError('tapInserted');
    }
    if (given.how === 'swipe') {
      await this.#tellMagstripe(given);
      throw new StatusError('tapSwiped');
    }
    return this.#tapped(given, sale, signal);
  }

  /** A card of the sale before is still in the slot: it goes first. */
  async #leave(signal: AbortSignal): Promise<void> {
    await this.#deps.ui.waitForRemoval(signal);
    this.#deps.tellSlot();
  }

  async #tapped(given: Presentation, sale: SaleInputs, signal: AbortSignal): Promise<Buffer> {
    const { core, dataKey, ui } = this.#deps;
    const read = await core.read(given, sale);
    signal.throwIfAborted();
    this.#open = 'tap';
    ui.setState('online');
    if (read.kind === 'tap-magstripe') {
      const objects = [...maskedObjects(read.account, 'chip'), ...sredObjects(dataKey, read.account)];
      return encodeTlv([tlv(TEMPLATES.onlineRequired, objects)]);
    }
    if (read.kind !== 'chip') throw new StatusError('tapOtherCard');
    const decision = core.tapDecision;
    this.#online = decision.cryptogram === 'ARQC';
    const template = DECISIONS[decision.cryptogram === 'RFU' ? 'AAC' : decision.cryptogram];
    const objects = decisionObjects(read.data, read.account, dataKey, undefined);
    return encodeTlv([tlv(template, [...objects, tapVerification(decision.verification)])]);
  }

  async #start(sale: SaleInputs, signal: AbortSignal): Promise<Buffer> {
    const { ui, core, dataKey } = this.#deps;
    const presentation = ui.inserted;
    if (!presentation || ui.removalDue) throw new StatusError('noCard');
    ui.setState('reading');
    ui.show(['PLEASE WAIT']);
    const read: CardRead = await core.read(presentation, sale);
    signal.throwIfAborted();
    if (read.kind !== 'chip') throw new StatusError('cardErrorNoSwipe');
    const prompt = { ...ENTER_PIN, onAsk: () => this.#tellPin() };
    const decision = await core.decide({ forceOnline: true, prompt }, signal);
    this.#open = 'contact';
    this.#online = decision.cryptogram === 'ARQC';
    if (!this.#online) ui.markUsed();
    const template = DECISIONS[decision.cryptogram === 'RFU' ? 'AAC' : decision.cryptogram];
    const objects = decisionObjects(read.data, read.account, dataKey, decision);
    ui.setState(this.#online ? 'online' : 'idle');
    return encodeTlv([tlv(template, objects)]);
  }

  async #continue(objects: readonly TlvNode[]): Promise<Buffer> {
    const { core, ui } = this.#deps;
    const open = this.#open;
    if (!open || !this.#online) throw new StatusError('notReady');
    const code = findTlv(objects, '8A');
    if (code?.length !== 2) throw new StatusError('dataMissing');
    this.#online = false;
    ui.setState('reading');
    const data = core.data;
    const end = await core.complete(issuerOutcome(Buffer.from(code).toString('latin1'), objects));
    ui.markUsed();
    ui.setState('idle');
    const template = end.decision === 'approved' ? TEMPLATES.approved : TEMPLATES.declined;
    return encodeTlv([tlv(template, data ? finalObjects(data, end.scriptResults) : [])]);
  }

  /** ONLINE PIN: the PIN of the magstripe or tap that was read last. */
  async #onlinePin(signal: AbortSignal): Promise<Buffer> {
    const { core, ui } = this.#deps;
    if (!core.account) throw new StatusError('notReady');
    this.#tellPin();
    try {
      const entry = await core.capturePin(ENTER_PIN, signal);
      ui.setState('online');
      return entry === 'bypass' ? Buffer.of(ONLINE_PIN_ENDS.bypassed) : encodeTlv(pinObjects(entry));
    } catch (error) {
      if (error instanceof PinEntryEnded) return Buffer.of(ONLINE_PIN_ENDS.cancelledOrTimeout);
      throw error;
    }
  }

  #tellPin(): void {
    const entry = [tlv(TAGS.pinDigits, NO_DIGITS), tlv(TAGS.pinEntryStatus, PIN_ENTRY)];
    this.#deps.tell(encodeStatusReport(DEVICE_STATUS.pinEntry, ENTER_PIN_TEXT, entry));
  }

  /** Notifies the host of a swipe, with enciphered and masked tracks if the magstripe could be read. */
  async #tellMagstripe(given: Presentation): Promise<void> {
    const status = tlv(
      TAGS.cardStatus,
      encodeCardStatus({ present: false, emvCompatible: false, magstripe: true }),
    );
    const { account } = await this.#readMagstripe(given);
    this.#swiped = account !== undefined;
    const objects = account ? [...maskedObjects(account, 'magstripe'), ...this.#sred(account)] : [];
    this.#deps.tell(encodeCardReport([status, ...objects]));
  }

  #sred(account: CardAccount): TlvNode[] {
    const { dataKey } = this.#deps;
    return dataKey.condition === 'loaded' ? magstripeSredObjects(dataKey, account) : [];
  }

  async #readMagstripe(given: Presentation): Promise<Partial<CardRead>> {
    try {
      return await this.#deps.core.read(given, NO_SALE);
    } catch (error) {
      if (error instanceof MagstripeUnreadable) return {};
      throw error;
    }
  }
}
