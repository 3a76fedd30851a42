import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { describe, expect, it } from 'vitest';
import type { OfflineWindowRow } from '../../../kernel/store/rows.js';
import type { OfflineDecision } from '../rules/requests.js';
import { intoWindow } from './offline-window.js';
import { NO_POLICY } from './store-policy.js';

const NOW_MS = 1_700_000_000_000;
const limit = (perSaleMinor: number, sumMinor: number) => ({ perSaleMinor, sumMinor });
const POLICY: StorePolicy = {
  version: 1,
  offline: {
    limits: { EUR: limit(100, 250), USD: limit(100, 1_000) },
    maxCount: 4,
    deferred: { limits: { EUR: limit(100, 150), USD: limit(100, 150) }, maxCount: 2 },
    maxAgeMs: 1,
  },
};

interface Sale {
  readonly kind?: OfflineDecision['kind'];
  readonly minor?: number;
  readonly currency?: string;
  /** Seconds from {@link NOW_MS}. */
  readonly decidedAt: number;
  readonly arrivesAt?: number;
  /** When the session that brings it was proven; absent: the one of the first moment. */
  readonly provenAt?: number;
  /** What the agent states as the moment of its decision, where its clock is wrong: seconds from {@link NOW_MS}. */
  readonly stated?: number;
  /** The agent does not state its own age. */
  readonly ageless?: true;
}

/** What becomes of records that arrive one after the other. */
function arrivals(sales: readonly Sale[], policy: StorePolicy = POLICY): readonly string[] {
  let window: OfflineWindowRow | undefined;
  return sales.map(
    ({
      kind = 'card-approved',
      minor = 50,
      currency = 'EUR',
      decidedAt,
      arrivesAt = 0,
      provenAt = 0,
      stated = decidedAt,
      ageless,
    }) => {
      const nowMs = NOW_MS + arrivesAt * 1_000;
      const arrival = { nowMs, provenAtMs: NOW_MS + provenAt * 1_000 };
      const decidedAtMs = NOW_MS + stated * 1_000;
      const ageMs = nowMs - (NOW_MS + decidedAt * 1_000);
      const decision = { kind, decidedAtMs, ...(!ageless && { ageMs }) };
      const verdict = intoWindow(window, decision, { minor, currency }, arrival, policy);
      if (verdict.kind === 'broken') return verdict.limit;
      window = { agentId: 'a', terminalId: '1', version: 1, ...verdict.window };
      return 'counted';
    },
  );
}

const three = (sale: Sale) => [1, 2, 3].map(() => sale);
const four = (sale: Sale) => [1, 2, 3, 4].map(() => sale);
const COUNTED = ['counted', 'counted', 'counted', 'counted'];
const COUNT = 'offline sales of one terminal that wait together are at most 4';
const SUM = 'offline sales of one terminal that wait together come to at most 2.50 EUR';

describe('records that waited together', () => {
  it.each<[string, readonly Sale[], string]>([
    ['break the count', [...four({ decidedAt: -9 }), { decidedAt: -9 }], COUNT],
    ['break it in two currencies', [...four({ decidedAt: -9, currency: 'USD' }), { decidedAt: -9 }], COUNT],
    [
      'break the sum',
      [
        { decidedAt: -9, minor: 100 },
        { decidedAt: -9, minor: 100 },
        { decidedAt: -9, minor: 51 },
      ],
      SUM,
    ],
    [
      'break the sum after they came to all of it',
      [
        { decidedAt: -9, minor: 100 },
        { decidedAt: -9, minor: 100 },
        { decidedAt: -9, minor: 50 },
        { decidedAt: -9, minor: 1 },
      ],
      SUM,
    ],
    [
      'count by the age that the agent states, whatever moment it states',
      [...four({ decidedAt: -9 }), { decidedAt: -1, stated: 9_000, provenAt: 4_000, arrivesAt: 4_000 }],
      COUNT,
    ],
    [
      'count by the moment that it states where it states no age, also later',
      [...four({ decidedAt: -9 }), { decidedAt: 0, ageless: true, provenAt: 4_000, arrivesAt: 4_000 }],
      COUNT,
    ],
    [
      'break the count of deferred ones',
      [1, 2, 3].map(() => ({ decidedAt: -9, minor: 10, kind: 'deferred' as const })),
      'deferred authorizations of one terminal that wait together are at most 2',
    ],
    [
      'break the sum of deferred ones, and both kinds count in the other',
      [
        { decidedAt: -9, minor: 80, kind: 'deferred' },
        { decidedAt: -9, minor: 80, kind: 'deferred' },
      ],
      'deferred authorizations of one terminal that wait together come to at most 1.50 EUR',
    ],
    [
      'count by the time that the agent states where it states no age',
      [...four({ decidedAt: -9, ageless: true }), { decidedAt: -1, ageless: true }],
      COUNT,
    ],
    ['count those that arrive later', [...four({ decidedAt: -9 }), { decidedAt: -1, arrivesAt: 600 }], COUNT],
    [
      'count those whose stated decision is just now, all over a session',
      [...four({ decidedAt: -9 }), { decidedAt: 3_599, arrivesAt: 3_599 }],
      COUNT,
    ],
    [
      'count those of an agent that comes back at once and proves it',
      [...four({ decidedAt: 0 }), { decidedAt: 299, provenAt: 299, arrivesAt: 299 }],
      COUNT,
    ],
    [
      'count those of an agent that has been sending until it went',
      [
        ...three({ decidedAt: 0 }),
        { decidedAt: 200, arrivesAt: 200 },
        { decidedAt: 499, provenAt: 499, arrivesAt: 499 },
      ],
      COUNT,
    ],
    [
      'count those that were decided before, also after an absence and after an hour',
      [...four({ decidedAt: -9 }), { decidedAt: -1, provenAt: 3_000, arrivesAt: 4_000 }],
      COUNT,
    ],
  ])('%s', (_what, sales, limit) => {
    const verdicts = arrivals(sales);
    expect(verdicts.at(-1)).toBe(limit);
    expect(new Set(verdicts.slice(0, -1))).toEqual(new Set(['counted']));
  });

  it.each([
    ['the agent was away', { decidedAt: 299, provenAt: 300, arrivesAt: 301 }],
    ['an hour of the session went by', { decidedAt: 3_599, arrivesAt: 3_600 }],
  ])('are not those that were decided since the first of them arrived, once %s', (_what, later) => {
    expect(arrivals([...four({ decidedAt: -9 }), ...four(later)])).toEqual([...COUNTED, ...COUNTED]);
  });

  it('are not those of a window that a clock ahead began', () => {
    const ahead = { decidedAt: 86_000, arrivesAt: 86_400 };
    expect(arrivals([...four(ahead), ...four({ decidedAt: 1, arrivesAt: 2 })])).toEqual([
      ...COUNTED,
      ...COUNTED,
    ]);
  });

  it('come to the compiled maxima at the most where no policy was set', () => {
    const { count } = OFFLINE_LIMIT_MAXIMA;
    const verdicts = arrivals(
      Array.from({ length: count + 1 }, () => ({ decidedAt: -9 })),
      NO_POLICY,
    );
    expect(verdicts.indexOf(`offline sales of one terminal that wait together are at most ${count}`)).toBe(
      count,
    );
    const { count: deferred } = OFFLINE_LIMIT_MAXIMA.deferred;
    const waiting = Array.from({ length: deferred + 1 }, () => ({
      decidedAt: -9,
      kind: 'deferred' as const,
    }));
    expect(
      arrivals(waiting, NO_POLICY).indexOf(
        `deferred authorizations of one terminal that wait together are at most ${deferred}`,
      ),
    ).toBe(deferred);
  });
});
