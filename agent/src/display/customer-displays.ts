import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { SaleAnswer } from '../sale/machine/state/answer.js';
import type { SaleService, TerminalView, TillEvent } from '../sale/service/sale-service.js';
import { type CustomerDisplay, displayOf, isOver, type ShownSale } from './customer-display.js';

/** What a display's stream sends. */
export interface DisplayEvent {
  readonly type: 'display';
  readonly atMs: number;
  readonly display: CustomerDisplay;
}

/**
 * What customers see, by terminal: the sale that runs there, then its end. Follow-ups of earlier sales are not for them. In memory: after a restart
 * a display is idle, as the terminal is.
 */
export class CustomerDisplays {
  readonly #clock: Clock;
  readonly #shown = new Map<string, ShownSale>();
  readonly #terminals: Map<string, TerminalView>;
  readonly #unsubscribe: () => void;

  /** Follows the events from now on: before any stream, so that a stream sends what an event has changed. */
  constructor(service: SaleService, clock: Clock) {
    this.#clock = clock;
    this.#terminals = new Map(service.terminals().map((terminal) => [terminal.id, terminal]));
    this.#unsubscribe = service.onEvent((event) => this.#happened(event));
  }

  close(): void {
    this.#unsubscribe();
  }

  /** What the display of a terminal shows now. */
  view(terminalId: string): CustomerDisplay {
    const shown = this.#shown.get(terminalId);
    const isBusy = this.#terminals.get(terminalId)?.state === 'busy';
    const isCardIn = shown?.endedAtMs !== undefined && isBusy && shown.sale.card?.entryMode === 'ICC';
    return displayOf(terminalId, shown && { ...shown, isCardIn }, this.#clock.monotonicMs());
  }

  /** What a display receives of an event; undefined for one of another terminal. */
  eventFor(terminalId: string, event: TillEvent): DisplayEvent | undefined {
    if (terminalOf(event) !== terminalId) return undefined;
    return { type: 'display', atMs: event.atMs, display: this.view(terminalId) };
  }

  #happened(event: TillEvent): void {
    if ('sale' in event) this.#saleChanged(event.sale);
    else if (event.type === 'progress') this.#progressed(event);
    else if (event.type === 'terminal') this.#terminalChanged(event.terminal);
  }

  #terminalChanged(terminal: TerminalView): void {
    this.#terminals.set(terminal.id, terminal);
    // The card was taken out.
    if (terminal.state === 'ready') this.#change(terminal.id, ({ progress: _progress, ...rest }) => rest);
  }

  #saleChanged(sale: SaleAnswer): void {
    const { terminalId, reference } = sale;
    const known = this.#shown.get(terminalId);
    const isSame = known?.sale.reference === reference;
    if (!isSame && sale.state !== 'accepted') return;
    // What becomes of it after its end is a follow-up.
    if (isSame && known.endedAtMs !== undefined) return;
    this.#shown.set(terminalId, {
      ...(isSame && known),
      sale,
      ...(isOver(sale) && { endedAtMs: this.#clock.monotonicMs() }),
    });
  }

  #progressed({ terminalId, reference, step }: Extract<TillEvent, { readonly type: 'progress' }>): void {
    if (step === 'message') return;
    this.#change(terminalId, (shown) =>
      shown.sale.reference === reference ? { ...shown, progress: step } : shown,
    );
  }

  #change(terminalId: string, next: (shown: ShownSale) => ShownSale): void {
    const shown = this.#shown.get(terminalId);
    if (shown) this.#shown.set(terminalId, next(shown));
  }
}

function terminalOf(event: TillEvent): string | undefined {
  if ('sale' in event) return event.sale.terminalId;
  if (event.type === 'progress') return event.terminalId;
  return event.type === 'terminal' ? event.terminal.id : undefined;
}
