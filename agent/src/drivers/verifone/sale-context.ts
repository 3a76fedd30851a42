import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { StartRequest } from '../core/driver.js';
import type { CommandHooks } from '../core/maker-session.js';
import type { SdiClient } from './sdi-client.js';
import type { TransactionRequest } from './transaction-request.js';

/** What a sale works with. */
export interface SaleContext {
  readonly client: SdiClient;
  readonly clock: Clock;
  readonly request: StartRequest;
  readonly hooks: CommandHooks;
}

/** What a card is read with. */
export interface ReadContext extends SaleContext {
  readonly built: TransactionRequest;
}

/** What is asked for next. */
export interface Ask {
  readonly attempt: number;
  /** Bits of DFA108. */
  readonly technologies: number;
  /** The chip could not be read: the stripe of a chip card may be used. */
  readonly fallback: boolean;
  /** Shown to the cardholder. */
  readonly prompt: string;
}

/** The card is asked for once more. */
export interface Again {
  readonly kind: 'again';
  readonly ask: Ask;
}

/** The next question, changed. */
export function again(ask: Ask, change: Partial<Ask>): Again {
  return { kind: 'again', ask: { ...ask, ...change, attempt: ask.attempt + 1 } };
}
