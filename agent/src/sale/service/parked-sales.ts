import type { SaleState } from '../machine/state/sale-state.js';

/** A sale that waits for manual resolution. */
export interface ParkedSale {
  readonly reference: string;
  readonly terminalId: string;
  readonly till?: string;
  /** Why, as a code such as `restored-in-doubt`. */
  readonly code: string;
  /** The same as a text. */
  readonly reason: string;
}

/**
 * The sales that are parked by their states, whether or not a message of theirs is in the queue: staff resolves only what is
 * listed. The journal keeps them open for the next boot.
 */
export class ParkedSales {
  readonly #sales = new Map<string, ParkedSale>();

  /** Takes the newest state of a sale into account. */
  look({ phase, reference, terminalId, parked, request: { till } }: SaleState): void {
    if (phase !== 'parked') this.#sales.delete(reference);
    else {
      const { code = 'parked', text = 'the gateway did not take a message of this sale' } = parked ?? {};
      this.#sales.set(reference, {
        reference,
        terminalId,
        ...(till !== undefined && { till }),
        code,
        reason: text,
      });
    }
  }

  /** In the order in which they were parked or found. */
  list(): readonly ParkedSale[] {
    return [...this.#sales.values()];
  }
}
