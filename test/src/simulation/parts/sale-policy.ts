import { DEFAULT_POLICY, type SalePolicy } from '@tillbridge/agent/sale/machine/state/policy.js';
import type { OfflinePolicy } from '@tillbridge/agent/sale/offline/offline-policy.js';
import type { OfflineBounds, StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import type { SeededRandom } from '../kernel/seeded-random.js';

const DAY_MS = 24 * 3_600_000;

/** Short enough for staff to be called within a simulation. */
const SHORT_OVERDUE_MS = 60_000;

/** Shorter than an outage. */
const SHORT_CONTACT_AGE_MS = 45_000;

/** Limits of sales without the gateway. */
type Limits = Pick<OfflinePolicy, 'maxCount' | 'maxPerCard' | 'limits'> & {
  readonly deferred: Pick<OfflinePolicy['deferred'], 'maxCount' | 'limits'>;
};

/** Hardly ever reached: what is tested is what becomes of sales without the gateway. */
const WIDE: Limits = {
  limits: { EUR: { perSaleMinor: 10_000, sumMinor: 500_000, perCardMinor: 250_000 } },
  maxCount: 100,
  maxPerCard: 100,
  deferred: {
    limits: { EUR: { perSaleMinor: 10_000, sumMinor: 250_000, perCardMinor: 25_000 } },
    maxCount: 100,
  },
};

/** Reached in a short outage: what is tested is how few sales there may be. */
export const NARROW: Limits = {
  limits: { EUR: { perSaleMinor: 9_000, sumMinor: 30_000, perCardMinor: 12_000 } },
  maxCount: 6,
  maxPerCard: 2,
  deferred: {
    limits: { EUR: { perSaleMinor: 7_000, sumMinor: 20_000, perCardMinor: 9_000 } },
    maxCount: 4,
  },
};

/** What a store allows, drawn from the seed. */
export function policyOf(random: SeededRandom): SalePolicy {
  const { offline } = DEFAULT_POLICY;
  const overdue = random.branch('overdue');
  const contact = random.branch('contact');
  const { limits, maxCount, maxPerCard, deferred } = random.branch('limits').pick([WIDE, NARROW]);
  return {
    ...DEFAULT_POLICY,
    cardTimeoutMs: 25_000,
    linkWaitMs: 3_000,
    answerTimeoutMs: 15_000,
    openAnswerWaitMs: 4_000,
    overdueAfterMs: overdue.chance(0.3) ? SHORT_OVERDUE_MS : DEFAULT_POLICY.overdueAfterMs,
    partialApproval: random.pick(['accept', 'reverse'] as const),
    offline: {
      ...offline,
      enabled: true,
      limits,
      maxCount,
      maxPerCard,
      maxContactAgeMs: contact.chance(0.3) ? SHORT_CONTACT_AGE_MS : offline.maxContactAgeMs,
      expiryMs: random.pick([DAY_MS, DAY_MS, 120_000]),
      afterHandOver: random.pick(['decline', 'reverse'] as const),
      risk: { ...offline.risk, floorLimitMinor: random.pick([0, 2_000]) },
      deferred: {
        enabled: random.pick([true, false]),
        ...deferred,
        cards: [
          { entryMode: 'NFC_ICC', verification: 'none' },
          { entryMode: 'ICC', verification: 'none' },
          { entryMode: 'ICC', verification: 'offline-pin' },
        ],
      },
    },
  };
}

/** The policy of every store: in some simulations limits that a short outage reaches. */
export function storePolicyOf(random: SeededRandom): StorePolicy {
  const policy: StorePolicy = { version: 1, unlinkedRefunds: true };
  if (!random.chance(0.2)) return policy;
  const bounds = (sumMinor: number, maxCount: number) => ({
    limits: { EUR: { perSaleMinor: 10_000, sumMinor } },
    maxCount,
  });
  return {
    ...policy,
    offline: { ...bounds(20_000, 3), deferred: bounds(10_000, 2), maxAgeMs: DAY_MS },
  };
}

/** The stricter of what a store is configured with and what the gateway sends it: written a second time, for the checks. */
export function strictest(own: OfflinePolicy, { offline: ofGateway }: StorePolicy): OfflinePolicy {
  if (!ofGateway) return own;
  return {
    ...own,
    ...strictestLimits(own, ofGateway),
    expiryMs: Math.min(own.expiryMs, ofGateway.maxAgeMs),
    deferred: { ...own.deferred, ...strictestLimits(own.deferred, ofGateway.deferred) },
  };
}

function strictestLimits(
  own: Pick<OfflinePolicy, 'limits' | 'maxCount'>,
  ofGateway: OfflineBounds,
): Pick<OfflinePolicy, 'limits' | 'maxCount'> {
  const [mine, theirs] = [own.limits.EUR, ofGateway.limits.EUR];
  const limits = mine && {
    ...mine,
    perSaleMinor: Math.min(mine.perSaleMinor, theirs?.perSaleMinor ?? 0),
    sumMinor: Math.min(mine.sumMinor, theirs?.sumMinor ?? 0),
  };
  return { limits: limits ? { EUR: limits } : {}, maxCount: Math.min(own.maxCount, ofGateway.maxCount) };
}
