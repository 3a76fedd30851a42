import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { StartRequest } from '../core/driver.js';
import type { CommandHooks } from '../core/maker-session.js';
import type { SdiLink } from './link.js';
import type { TransactionRequest } from './transaction-request.js';

/** What a sale works with. */
export interface SaleContext {
  readonly link: SdiLink;
  readonly clock: Clock;
  readonly request: StartRequest;
  readonly hooks: CommandHooks;
}

/** What a card is read with. */
export interface ReadContext extends SaleContext {
  readonly built: TransactionRequest;
}
