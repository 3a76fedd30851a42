import type { HttpDeps } from '../../kernel/http/request/deps.js';
import type {
  AcquirerRecord,
  BalanceInquiries,
  ChargebackSimulator,
  TransactionRecord,
} from '../acquirers/acquirer.js';
import type { PaymentService } from '../payments/payment-service.js';
import type { BinTable } from '../payments/rules/bin-table.js';

/** What routes that make or show payments work with. */
export interface PaymentRouteDeps extends HttpDeps {
  readonly service: PaymentService;
  /** Card ranges and their issuers; absent: the table that ships. */
  readonly binTable?: BinTable;
  /** Is 3D Secure configured and active for the entity? Absent: for none. */
  readonly threeDSecureActive?: (entityId: string) => Promise<boolean>;
  /** The acquirer simulator's own record; test mode only. */
  readonly record?: TransactionRecord & Pick<AcquirerRecord, 'entry'>;
  /** Reads the balance of gift cards; absent: no issuer of them is connected. */
  readonly balances?: BalanceInquiries;
  /** Makes chargebacks and transfers happen; test mode only. */
  readonly simulator?: ChargebackSimulator;
}
