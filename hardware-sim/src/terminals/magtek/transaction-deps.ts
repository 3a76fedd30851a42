import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Technology, UpdateName } from '@tillbridge/wire/terminals/magtek/notifications.js';
import type { PaymentCore } from '../core/payment-core.js';
import type { TerminalUi } from '../core/terminal-ui.js';
import type { OutputDeps } from './transaction-output.js';

/** What transactions work with. */
export interface TransactionDeps {
  readonly ui: TerminalUi;
  readonly core: PaymentCore;
  readonly clock: Clock;
  readonly output: OutputDeps;
  /** Sends a transaction update. */
  readonly tell: (technology: Technology, what: UpdateName, object?: Uint8Array) => void;
}
