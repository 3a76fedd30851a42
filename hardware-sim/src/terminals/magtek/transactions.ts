import type { ResumeParameters } from '@tillbridge/protocol/terminals/magtek/resume-transaction.js';
import type { StartParameters } from '@tillbridge/protocol/terminals/magtek/start-transaction.js';
import type { Presentation } from '../core/terminal-ui.js';
import type { TransactionEnd } from './failure-outcomes.js';
import { IssuerWait } from './issuer-wait.js';
import { keyIn } from './manual-entry.js';
import { patienceMs, Transaction } from './transaction.js';
import type { TransactionParts } from './transaction-parts.js';

/** The transactions of the device, one at a time: up to the ARQC, the wait for the issuer, and the end. */
export class Transactions {
  readonly #parts: TransactionParts;
  readonly #wait: IssuerWait;
  /** The chip that was used last: while it sits in the slot, its holder is waited for. */
  #used: Presentation | undefined;
  /** The card of the cardholder who touched the button; the host may start its manual entry. */
  #atButton: Presentation | undefined;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.#wait = new IssuerWait(parts.clock);
  }

  /** The device waits for the issuer's answer. */
  get waitsForIssuer(): boolean {
    return this.#wait.waiting;
  }

  /** Whether the device waits for the cardholder or the issuer: only then can the host cancel. */
  get canBeCancelled(): boolean {
    const { want } = this.#parts.ui;
    return want !== 'nothing' || this.#wait.waiting;
  }

  /** Gives the issuer's answer to the transaction that waits for it. */
  resume(parameters: ResumeParameters): void {
    this.#wait.answer(parameters);
  }

  /** Whatever transaction ran is over; a chip in the slot has to leave. */
  end(): void {
    this.#used = this.#parts.ui.inserted;
    this.#parts.core.forget();
    this.#parts.ui.setState('idle');
  }

  /** Waits for the removal of a used card and notifies the host. @throws WaitAborted */
  async watchSlot(signal: AbortSignal): Promise<void> {
    if (!this.#removalDue) return;
    await this.#parts.ui.waitForRemoval(signal);
    this.#parts.tell('contact', 'removed');
    this.#parts.ui.setState('idle');
  }

  /** Runs a transaction to its end, or until the button beside the readers is touched. @throws WaitAborted; StateError */
  async run(start: StartParameters, signal: AbortSignal): Promise<TransactionEnd | 'right-button'> {
    const by = this.#atButton;
    this.#atButton = undefined;
    if (start.manual) return keyIn(this.#parts, start, by, patienceMs(start), signal);
    const leave = (given: Presentation | undefined) => this.#leave(given, signal);
    const end = await new Transaction(this.#parts, this.#wait, start, leave).run(signal);
    if (!('kind' in end)) return end;
    this.#atButton = end.by;
    return 'right-button';
  }

  get #removalDue(): boolean {
    const { inserted } = this.#parts.ui;
    return inserted !== undefined && inserted === this.#used;
  }

  /** A chip that was used, or one that could not be read, leaves the slot first. */
  async #leave(unread: Presentation | undefined, signal: AbortSignal): Promise<void> {
    const { ui, tell } = this.#parts;
    if (!this.#removalDue && (unread === undefined || ui.inserted !== unread)) return;
    await ui.waitForRemoval(signal);
    tell('contact', 'removed');
  }
}
