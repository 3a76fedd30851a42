import type { Logger } from 'pino';
import type { TransactionRecord } from '../acquirers/acquirer.js';
import type { PaymentDesk } from '../payments/desk.js';
import type { AuthenticationDeps } from './authenticate.js';
import type { EnvelopeSources } from './envelope.js';

/** What the REST side of the gateway works with. */
export interface HttpDeps extends AuthenticationDeps, EnvelopeSources {
  readonly clock: AuthenticationDeps['clock'] & EnvelopeSources['clock'];
  readonly desk: PaymentDesk;
  /** The acquirer simulator's own record; test mode only. */
  readonly record?: TransactionRecord;
  /** Masks what it writes. */
  readonly logger: Logger;
}
