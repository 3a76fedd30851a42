import type { SaleOn } from '../core/maker-session.js';
import type { SdiLink } from './link.js';
import type { TransactionRequest } from './transaction-request.js';

/** What a sale works with. */
export type SaleContext = SaleOn<SdiLink>;

/** What a card is read with. */
export interface ReadContext extends SaleContext {
  readonly built: TransactionRequest;
}
