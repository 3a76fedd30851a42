import type { EntryMode } from '../../drivers/core/driver.js';
import type { TillEvent } from '../../sale/service/sale-service.js';

/** Events of a running sale, by their names in this family of terminals. */
type DisplayEvent =
  | 'TENDER_CREATED'
  | 'CARD_INSERTED'
  | 'CARD_PRESENTED'
  | 'CARD_SWIPED'
  | 'WAIT_FOR_PIN'
  | 'PIN_ENTERED'
  | 'CARD_REMOVED'
  | 'TENDER_FINAL';

/** A display event of a sale. */
export interface DisplayNotification {
  readonly reference: string;
  readonly event: DisplayEvent;
  readonly atMs: number;
}

const CARD_EVENTS: Readonly<Partial<Record<EntryMode, DisplayEvent>>> = {
  ICC: 'CARD_INSERTED',
  NFC_ICC: 'CARD_PRESENTED',
  NFC_MAGSTRIPE: 'CARD_PRESENTED',
  MAGSTRIPE: 'CARD_SWIPED',
  MAGSTRIPE_AS_FALLBACK: 'CARD_SWIPED',
};

/** What is known of the sale on a terminal. */
interface Running {
  readonly reference: string;
  readonly waitsForPin: boolean;
  /** How its card came, once the till was notified of it. */
  readonly card: DisplayEvent | undefined;
  readonly isFinal: boolean;
}

/** The display events that the agent's events stand for: one sale a terminal. */
export class DisplayEvents {
  readonly #running = new Map<string, Running>();

  /** @returns the notifications, in their order */
  of(event: TillEvent): readonly DisplayNotification[] {
    if (event.type === 'terminal') return this.#terminal(event);
    if (event.type === 'progress') return event.step === 'pin-entry' ? this.#pinRequested(event) : [];
    return event.type === 'sale' ? this.#sale(event) : [];
  }

  #sale({ sale, atMs, step }: Extract<TillEvent, { type: 'sale' }>): readonly DisplayNotification[] {
    const { reference, terminalId, card, state } = sale;
    const events: DisplayEvent[] = [];
    if (step === 'accepted') {
      this.#running.set(terminalId, { reference, waitsForPin: false, card: undefined, isFinal: false });
      events.push('TENDER_CREATED');
    }
    let running = this.#running.get(terminalId);
    if (running?.reference !== reference || running.isFinal) return [];
    const came = card && CARD_EVENTS[card.entryMode];
    if (came && !running.card) {
      events.push(came);
      running = { ...running, card: came };
    }
    if (running.waitsForPin && card) {
      events.push('PIN_ENTERED');
      running = { ...running, waitsForPin: false };
    }
    const isFinal = state === 'done' || state === 'parked';
    // For a card in the slot the end is notified when the card has left.
    if (isFinal && running.card !== 'CARD_INSERTED') {
      events.push('TENDER_FINAL');
      this.#running.delete(terminalId);
    } else {
      this.#running.set(terminalId, { ...running, isFinal });
    }
    return events.map((event) => ({ reference, event, atMs }));
  }

  /** Almost every PIN is entered with the card in the slot. */
  #pinRequested({
    terminalId,
    reference,
    atMs,
  }: Extract<TillEvent, { type: 'progress' }>): readonly DisplayNotification[] {
    const running = this.#running.get(terminalId);
    if (running?.reference !== reference) return [];
    const events: DisplayEvent[] = running.card ? ['WAIT_FOR_PIN'] : ['CARD_INSERTED', 'WAIT_FOR_PIN'];
    this.#running.set(terminalId, { ...running, waitsForPin: true, card: running.card ?? 'CARD_INSERTED' });
    return events.map((event) => ({ reference, event, atMs }));
  }

  /** A terminal that is ready again has seen its card leave. */
  #terminal({ terminal, atMs }: Extract<TillEvent, { type: 'terminal' }>): readonly DisplayNotification[] {
    const running = this.#running.get(terminal.id);
    if (!running?.isFinal || terminal.state === 'busy') return [];
    this.#running.delete(terminal.id);
    const { reference } = running;
    const events: DisplayEvent[] =
      terminal.state === 'ready' ? ['CARD_REMOVED', 'TENDER_FINAL'] : ['TENDER_FINAL'];
    return events.map((event) => ({ reference, event, atMs }));
  }
}
