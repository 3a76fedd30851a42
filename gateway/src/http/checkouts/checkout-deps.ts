import type { Checkouts } from '../../checkouts/checkouts.js';
import type { PaymentLinks } from '../../pay-by-link/payment-links.js';
import type { Registrations } from '../../registrations/registrations.js';
import type { ShopperAddresses } from '../../security/tokens/shopper-addresses.js';
import type { CheckoutRow } from '../../store/rows.js';
import type { WidgetBuilds } from '../../widget/builds.js';
import type { ClaimLoop } from '../../workers/claim-loop.js';
import type { PaymentRouteDeps } from '../payments/payment-deps.js';

/** What the routes and pages of checkouts and payment links work with. */
export interface CheckoutRouteDeps extends PaymentRouteDeps {
  readonly checkouts: Checkouts;
  readonly registrations: Registrations;
  /** The builds of the payment form. */
  readonly widget: WidgetBuilds;
  /** Links that merchants send to their shoppers. */
  readonly links: PaymentLinks;
  /** Our own pages for shoppers; absent: there are none. */
  readonly shopper?: ShopperAddresses;
  /** Calls a shop at once, in test mode. */
  readonly resultCallLoop: Pick<ClaimLoop<CheckoutRow>, 'take'>;
  /** The simulated bank, which has the sheets of simulated wallets; test mode only. */
  readonly simulatedBankUrl?: string;
}
