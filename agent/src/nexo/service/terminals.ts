import type { SaleService, TerminalView } from '../../sale/service/sale-service.js';
import { NexoError } from '../messages/nexo-error.js';

/** Finds terminals by what tills call them. */
export class Terminals {
  readonly #sales: Pick<SaleService, 'terminals'>;

  constructor(sales: Pick<SaleService, 'terminals'>) {
    this.#sales = sales;
  }

  /**
   * The terminal of a POIID: its id, or `model-` and its id or the maker's serial.
   * @throws NexoError `bad-field`
   */
  of(poiId: string): TerminalView {
    const terminals = this.#sales.terminals();
    const end = poiId.slice(poiId.lastIndexOf('-') + 1);
    const found =
      terminals.find(({ id }) => id === poiId) ??
      terminals.find(({ id, identity }) => poiId.includes('-') && (id === end || identity?.serial === end));
    if (found) return found;
    const known = terminals.map(({ id }) => id).join(', ') || 'none';
    throw new NexoError('bad-field', `POIID names no terminal of this agent; there are ${known}`);
  }
}
