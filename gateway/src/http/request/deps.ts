import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Logger } from 'pino';
import type { AcquirerRecord, BalanceInquiries, TransactionRecord } from '../../acquirers/acquirer.js';
import type { Alerts } from '../../alerts/alerts.js';
import type { Checkouts } from '../../checkouts/checkouts.js';
import type { DemoShop } from '../../demo/demo-shop.js';
import type { EntityEvents } from '../../events/entity-events.js';
import type { Owner } from '../../nodes/node-lease.js';
import type { PaymentLinks } from '../../pay-by-link/payment-links.js';
import type { SimulatedChargebacks } from '../../payments/chargebacks/simulated-chargebacks.js';
import type { BinTable } from '../../payments/decide/bin-table.js';
import type { PaymentService } from '../../payments/payment-service.js';
import type { Registrations } from '../../registrations/registrations.js';
import type { ReviewWork } from '../../risk/reviews.js';
import type { RiskCheckParts } from '../../risk/risk-check.js';
import type { Schedules } from '../../schedules/schedules.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import type { ShopperAddresses } from '../../security/tokens/shopper-addresses.js';
import type { SettlementParts } from '../../settlement/settlement-service.js';
import type { CheckoutRow, ScheduleRow } from '../../store/rows.js';
import type { ThreeDSecureService } from '../../three-d-secure/service.js';
import type { WebhookParts } from '../../webhooks/webhook-parts.js';
import type { WidgetBuilds } from '../../widget/builds.js';
import type { ClaimLoop } from '../../workers/claim-loop.js';
import type { AuthenticationDeps } from './authenticate.js';
import type { EnvelopeSources } from './envelope.js';

/** What the REST side of the gateway works with. */
export interface HttpDeps extends AuthenticationDeps, EnvelopeSources {
  readonly clock: Clock;
  /** This node among those on the database; absent: there is no other one. */
  readonly node?: Owner;
  readonly service: PaymentService;
  readonly checkouts: Checkouts;
  readonly registrations: Registrations;
  /** Keyed hashes of what card numbers are among. */
  readonly fingerprint: Fingerprint;
  readonly webhooks: WebhookParts;
  readonly schedules: Schedules;
  /** Calls a shop at once, in test mode. */
  readonly resultCallLoop: Pick<ClaimLoop<CheckoutRow>, 'take'>;
  /** Makes a run at once, in test mode. */
  readonly scheduleLoop: Pick<ClaimLoop<ScheduleRow>, 'take'>;
  /** Tells merchants of what happens. */
  readonly events: EntityEvents;
  /** `live`: nothing of the test mode is there, and whoever asks for it is refused. */
  readonly mode: 'test' | 'live';
  /** The simulated bank, which has the sheets of simulated wallets; test mode only. */
  readonly simulatedBankUrl?: string;
  /** The acquirer simulator's own record; test mode only. */
  readonly record?: TransactionRecord & Pick<AcquirerRecord, 'entry'>;
  /** Tells what is left on gift cards; absent: no issuer of them can be asked. */
  readonly balances?: BalanceInquiries;
  /** Makes chargebacks happen; test mode only. */
  readonly chargebacks?: SimulatedChargebacks;
  /** What settlement works with. */
  readonly settlement: SettlementParts;
  /** Our own pages for shoppers; absent: there are none. */
  readonly shopper?: ShopperAddresses;
  /** Card ranges and their issuers; absent: the table that ships. */
  readonly binTable?: BinTable;
  /** Is 3D Secure configured and active for the entity? Absent: for none. */
  readonly threeDSecureActive?: (entityId: string) => Promise<boolean>;
  /** Authentications of cardholders; absent: there are none. */
  readonly threeDSecure?: ThreeDSecureService;
  /** A shop to try the payment form in; absent: there is none. */
  readonly demo?: DemoShop;
  /** Links that merchants send to their shoppers. */
  readonly links: PaymentLinks;
  /** The builds of the payment form. */
  readonly widget: WidgetBuilds;
  /** What carries out the words of persons on payments. */
  readonly reviews: ReviewWork;
  /** What a risk check without a payment is made with. */
  readonly risk: RiskCheckParts;
  /** Raised for what an operator has to look at. */
  readonly alerts: Pick<Alerts, 'raise'>;
  /** Masks what it writes. */
  readonly logger: Logger;
}
