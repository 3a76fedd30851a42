import type { Feature, Kernel } from '../../core/feature.js';
import type { RetentionRules } from '../../kernel/workers/retention.js';
import { readDemoCredentials } from './demo/demo-credentials.js';
import { DemoShop } from './demo/demo-shop.js';
import { demoRoutes } from './demo/routes.js';
import { MailedReceipts } from './pay-by-link/mailed-receipts.js';
import { payByLinkPages } from './pay-by-link/pages.js';
import { PaymentLinks } from './pay-by-link/payment-links.js';
import { payByLinkRoutes } from './pay-by-link/routes.js';
import { knowCheckouts } from './routes/known-checkouts.js';
import { resultCallRoute } from './routes/result-call-route.js';
import { checkoutRoutes } from './routes/routes.js';
import { checkoutShopperRoutes } from './routes/shopper-routes.js';
import type { CardTestingLimits } from './rules/checkout-limits.js';
import { Checkouts } from './service.js';
import { takeAppSchemes } from './shopper/app-schemes.js';
import { shopperRoutes } from './shopper/routes.js';
import { WidgetBuilds } from './widget/builds.js';
import { widgetRoutes } from './widget/routes.js';
import { resultCallLoop } from './worker.js';

const DAY_MS = 24 * 3_600_000;

/**
 * A request for a checkout within a week is answered that it has expired; that of a payment link is stored as long as the link is good: for a
 * year at most, and a season more.
 */
export const CHECKOUT_RETENTION: RetentionRules = {
  checkouts: { index: 'kept', keepMs: 0 },
  paymentLinks: { index: 'age', keepMs: 455 * DAY_MS },
};

/** What of the configuration is of checkouts. */
interface CheckoutConfig {
  readonly cardTesting: CardTestingLimits;
  /** The simulated bank, which has the sheets of simulated wallets; test mode only. */
  readonly simulatedBankUrl?: string;
  /** The mail server; without it receipts are printed alone. */
  readonly mail?: object;
}

/** Checkouts: the payment form, payment links, and our pages for shoppers. */
export function register(kernel: Kernel, config: CheckoutConfig): Feature {
  const { store, rowSeal: seal, clock, random, mode, fingerprint, service, shopper } = kernel;
  const { egress, node, files, transport, onFault } = kernel;
  const { cardTesting: limits, simulatedBankUrl, mail } = config;
  const checkouts = new Checkouts({ store, seal, clock, random, mode, limits, fingerprint });
  const loop = resultCallLoop({
    ...{ store, service, checkouts, egress, clock, random, node },
    onFault: (error) => onFault('a shop was not called with a result', error),
  });
  const deps = {
    ...kernel,
    checkouts,
    resultCallLoop: loop,
    links: new PaymentLinks({ store, seal, clock, random, checkouts, service }),
    widget: new WidgetBuilds({ store, clock }),
    ...(simulatedBankUrl !== undefined && { simulatedBankUrl }),
    ...(mail && { receipts: new MailedReceipts({ store, clock, fingerprint }) }),
  };
  const demo = mode === 'test' ? readDemoCredentials(files.credentials) : undefined;
  return {
    credentials: (server, admitStranger) => knowCheckouts(server, deps, admitStranger),
    forms: (server) => takeAppSchemes(server, deps),
    routes: (server) => {
      checkoutRoutes(server, deps);
      checkoutShopperRoutes(server, deps, transport.proxies);
      resultCallRoute(server, deps);
      shopperRoutes(server, deps);
      widgetRoutes(server, deps);
      payByLinkRoutes(server, deps);
      payByLinkPages(server, deps);
      demoRoutes(server, demo && new DemoShop(demo, () => shopper.origin));
    },
    work: (background) => background.run(loop),
    retention: CHECKOUT_RETENTION,
  };
}
