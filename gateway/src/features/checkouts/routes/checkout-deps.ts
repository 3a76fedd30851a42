import type { Registrations } from '../../../core/registrations/registrations.js';
import type { CheckoutRow } from '../../../kernel/store/rows.js';
import type { ClaimLoop } from '../../../kernel/workers/claim-loop.js';
import type { Checkouts } from '../service.js';
import type { ShopperRouteDeps } from '../shopper/routes.js';

/** What the routes and pages of checkouts work with. */
export interface CheckoutRouteDeps extends ShopperRouteDeps {
  readonly checkouts: Checkouts;
  readonly registrations: Registrations;
  /** Calls a shop at once, in test mode. */
  readonly resultCallLoop: Pick<ClaimLoop<CheckoutRow>, 'take'>;
  /** The simulated bank, which has the sheets of simulated wallets; test mode only. */
  readonly simulatedBankUrl?: string;
}
