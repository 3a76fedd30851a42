import type { Static } from '@tillbridge/platform/schema/type.js';
import type { Feature, Kernel } from '../../core/feature.js';
import { reversePayment } from '../../core/payments/cart/reverse-payment.js';
import type { PaymentService } from '../../core/payments/payment-service.js';
import { findBin } from '../../core/payments/rules/bin-table.js';
import { readHomeTable } from '../../kernel/data-folder/home-table.js';
import type { SCREENING_SECTION } from './configuration.js';
import { reviewSource } from './inbox-source.js';
import { NO_IP_COUNTRIES, readIpCountries } from './ip-countries.js';
import type { RiskCheckDeps } from './risk-check.js';
import { riskGate } from './risk-gate.js';
import { riskRoute } from './routes/check.js';
import { reviewRoutes } from './routes/reviews.js';
import { RISK_RULE_LIMITS } from './rules/risk-rules.js';
import { HttpScreening } from './screening.js';
import { carryOutReviews, type ReviewWork } from './service.js';

/** How often decisions on reviews are looked for, in milliseconds. */
const REVIEW_INTERVAL_MS = 1_000;

/** What of the configuration is of risk. */
interface RiskConfig {
  /** An external service that screens payments. */
  readonly screening?: Readonly<Static<typeof SCREENING_SECTION>>;
}

/** Risk of payments: rules, screening, and the reviews of persons. */
export function register(kernel: Kernel, { screening }: RiskConfig): Feature {
  const { store, clock, fingerprint, binTable, files, egress, onFault } = kernel;
  return riskFeature(kernel, {
    ...{ store, clock, fingerprint },
    countryOf: (bin) => findBin(binTable, bin)?.country,
    countryOfIp: readHomeTable(files.ipCountries, readIpCountries) ?? NO_IP_COUNTRIES,
    ...(screening && {
      screening: {
        service: new HttpScreening({ ...screening, egress, onFault }),
        whenSilent: screening.whenSilent,
      },
    }),
  });
}

/** The same, with what payments are checked with. */
export function riskFeature(kernel: Kernel, risk: RiskCheckDeps): Feature {
  const reviews = reviewWork(kernel);
  return {
    gate: riskGate(risk),
    inbox: [reviewSource(kernel, reviews)],
    routes: (server) => {
      reviewRoutes(server, { ...kernel, reviews });
      riskRoute(server, { ...kernel, risk });
    },
    work: (background) =>
      background.repeat({
        intervalMs: REVIEW_INTERVAL_MS,
        work: () => carryOutReviews(reviews),
        fault: 'reviews were not looked for',
      }),
    retention: { riskAttempts: { index: 'age', keepMs: RISK_RULE_LIMITS.minutes * 60_000 } },
  };
}

/** What carries out the decisions of persons. */
export function reviewWork({
  store,
  alerts,
  fingerprint,
  service,
  onFault,
}: Pick<Kernel, 'store' | 'alerts' | 'fingerprint' | 'service' | 'onFault'>): ReviewWork {
  const followUp: PaymentService['followUp'] = (request) => service.followUp(request);
  return {
    ...{ store, alerts, onFault },
    goOn: (paymentId) => service.continueWaiting(paymentId, 'news'),
    reverse: (paymentId) => reversePayment({ store, fingerprint, followUp }, paymentId),
  };
}
