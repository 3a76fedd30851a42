import { DEFAULT_POLICY, type SalePolicy } from '@tillbridge/agent/sale/machine/state/policy.js';
import type { StorePolicy } from '@tillbridge/protocol/payment/store-policy.js';
import type { SeededRandom } from '../kernel/seeded-random.js';

const DAY_MS = 24 * 3_600_000;

/** Short enough for staff to be called within a simulation. */
const SHORT_OVERDUE_MS = 60_000;

/** Generous limits: what is tested is what becomes of sales without the gateway, not how few there may be. */
export function policyOf(random: SeededRandom): SalePolicy {
  const { offline } = DEFAULT_POLICY;
  const overdue = random.branch('overdue');
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
      limits: { EUR: { perSaleMinor: 10_000, sumMinor: 500_000, perCardMinor: 250_000 } },
      maxCount: 100,
      maxPerCard: 100,
      expiryMs: random.pick([DAY_MS, DAY_MS, 120_000]),
      afterHandOver: random.pick(['decline', 'reverse'] as const),
      risk: { ...offline.risk, floorLimitMinor: random.pick([0, 2_000]) },
      deferred: {
        enabled: random.pick([true, false]),
        limits: { EUR: { perSaleMinor: 10_000, sumMinor: 250_000, perCardMinor: 25_000 } },
        maxCount: 100,
        cards: [
          { entryMode: 'NFC_ICC', verification: 'none' },
          { entryMode: 'ICC', verification: 'none' },
          { entryMode: 'ICC', verification: 'offline-pin' },
        ],
      },
    },
  };
}

/** What the gateway says of every store: in some simulations limits that a short outage reaches. */
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
