import type { ResumeParameters } from '@tillbridge/wire/terminals/magtek/resume-transaction.js';
import type { StartParameters } from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import { HostAnswer } from '../core/interruptible.js';
import type { Presentation } from '../core/terminal-ui.js';
import type { TransactionEnd } from './failure-outcomes.js';
import { keyIn } from './manual-entry.js';
import { patienceMs, Transaction } from './transaction.js';
import type { TransactionDeps } from './transaction-deps.js';

/** The transactions of the device, one at a time: up to the ARQC, the wait for the issuer, and the end. */
export class Transactions {
  readonly #deps: TransactionDeps;
  readonly #issuer: HostAnswer<ResumeParameters>;
  /** The card of the cardholder who touched the button; the host may start its manual entry. */
  #atButton: Presentation | undefined;

  constructor(deps: TransactionDeps) {
    this.#deps = deps;
    this.#issuer = new HostAnswer(deps.clock);
  }

  /** The device waits for the issuer's answer. */
  get waitsForIssuer(): boolean {
    return this.#issuer.waiting;
  }

  /** Whether the device waits for the cardholder or the issuer: only then can the host cancel. */
  get canBeCancelled(): boolean {
    const { want } = this.#deps.ui;
    return want !== 'nothing' || this.#issuer.waiting;
  }

  /** Gives the issuer's answer to the transaction that waits for it. */
  resume(parameters: ResumeParameters): void {
    this.#issuer.take(parameters);
  }

  /** Whatever transaction ran is over; a chip in the slot has to leave. */
  end(): void {
    this.#deps.ui.markUsed();
    this.#deps.core.forget();
    this.#deps.ui.setState('idle');
  }

  /** Waits for the removal of a used card and notifies the host. @throws WaitAborted */
  async watchSlot(signal: AbortSignal): Promise<void> {
    if (!this.#deps.ui.removalDue) return;
    await this.#leave(undefined, signal);
    this.#deps.ui.setState('idle');
  }

  /** Runs a transaction to its end, or until the button next to the readers is touched. @throws WaitAborted; StateError */
  async run(start: StartParameters, signal: AbortSignal): Promise<TransactionEnd | 'right-button'> {
    const by = this.#atButton;
    this.#atButton = undefined;
    if (start.manual) return keyIn(this.#deps, start, by, patienceMs(start), signal);
    const leave = (given: Presentation | undefined) => this.#leave(given, signal);
    const end = await new Transaction(this.#deps, this.#issuer, start, leave).run(signal);
    if (!('kind' in end)) return end;
    this.#atButton = end.by;
    return 'right-button';
  }

  /** A chip that was used, or one that could not be read, leaves the slot first. */
  async #leave(unread: Presentation | undefined, signal: AbortSignal): Promise<void> {
    const { ui, tell } = this.#deps;
    if (!ui.removalDue && (unread === undefined || ui.inserted !== unread)) return;
    await ui.waitForRemoval(signal);
    tell('contact', 'removed');
  }
}
