import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import type { OfflineBounds, StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OfflineWindowRow } from '../../../kernel/store/rows.js';
import { AGE_TOLERANCE_MS, brokenLimit, judgeAge } from './offline-limits.js';
import { intoWindow, WINDOW_LIMITS } from './offline-window.js';

const NOW_MS = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const UNITS = { JPY: 1, EUR: 100, KWD: 1_000, CLF: 10_000 } as const;
type Code = keyof typeof UNITS;
const CODES = Object.keys(UNITS) as Code[];

const limit = fc.record({ perSaleMinor: fc.nat({ max: 900 }), sumMinor: fc.nat({ max: 2_000 }) });
const limits = fc.dictionary(fc.constantFrom<string>(...CODES), limit);
const bounds = { limits, maxCount: fc.nat({ max: 7 }) };
const policy = fc.option(
  fc.record({ ...bounds, deferred: fc.record(bounds), maxAgeMs: fc.integer({ min: 1, max: 100 * HOUR_MS }) }),
);

/** A record that arrives: its arrival is timed by the gateway's clock alone, and the agent may state any age. */
const arrival = fc.record({
  afterMs: fc.oneof(fc.nat({ max: 8 * MINUTE_MS }), fc.constantFrom(0, 5 * MINUTE_MS, HOUR_MS, -HOUR_MS)),
  /** The agent has proved itself since the last record, so long before this one arrives. */
  provenBeforeMs: fc.option(fc.nat({ max: 3 * MINUTE_MS })),
  isDeferred: fc.boolean(),
  currency: fc.constantFrom(...CODES),
  minor: fc.integer({ min: 1, max: 900 }),
  statedAgeMs: fc.oneof(fc.constant(0), fc.integer({ min: -HOUR_MS, max: 3 * HOUR_MS })),
  countedAgeMs: fc.option(fc.integer({ min: 0, max: 3 * HOUR_MS }), { nil: undefined }),
});

interface Counted {
  readonly currency: Code;
  readonly minor: number;
  readonly isDeferred: boolean;
}

/** What waits together by the gateway's clock: a list of records, and when the first and the last of them arrived. */
interface Together {
  sinceMs: number;
  latestMs: number;
  records: Counted[];
}

const most = (value: number | undefined, maximum: number): number => Math.min(value ?? 0, maximum);

/** Whether records may stand together: how many there are, and what they come to in the currency of the last one. */
function fits(records: readonly Counted[], { offline }: StorePolicy): boolean {
  const last = records.at(-1);
  if (!last) return true;
  const unit = UNITS[last.currency];
  const isWithin = (
    some: readonly Counted[],
    own: OfflineBounds | undefined,
    maxima: { readonly count: number; readonly sumUnits: number },
  ) => {
    const count = own ? Math.min(own.maxCount, maxima.count) : maxima.count;
    const sum = own
      ? most(own.limits[last.currency]?.sumMinor, maxima.sumUnits * unit)
      : maxima.sumUnits * unit;
    const inCurrency = some.filter(({ currency }) => currency === last.currency);
    return some.length <= count && inCurrency.reduce((total, { minor }) => total + minor, 0) <= sum;
  };
  if (!isWithin(records, offline, OFFLINE_LIMIT_MAXIMA)) return false;
  const deferred = records.filter(({ isDeferred }) => isDeferred);
  return !last.isDeferred || isWithin(deferred, offline?.deferred, OFFLINE_LIMIT_MAXIMA.deferred);
}

describe('records of a terminal', () => {
  it('are counted together unless they may have been decided apart by the gateway’s own clock', () => {
    fc.assert(
      fc.property(policy, fc.array(arrival, { minLength: 1, maxLength: 25 }), (offline, arrivals) => {
        const store: StorePolicy = { version: 1, ...(offline && { offline }) };
        let row: OfflineWindowRow | undefined;
        let together: Together | undefined;
        let [nowMs, provenAtMs] = [NOW_MS, NOW_MS];
        for (const each of arrivals) {
          nowMs += each.afterMs;
          if (each.provenBeforeMs !== null) provenAtMs = nowMs - each.provenBeforeMs;
          const { currency, minor, isDeferred, statedAgeMs, countedAgeMs } = each;
          const decision = {
            kind: isDeferred ? 'deferred' : 'card-approved',
            decidedAtMs: nowMs - statedAgeMs,
            ...(countedAgeMs !== undefined && { ageMs: countedAgeMs }),
          } as const;
          const verdict = intoWindow(row, decision, { minor, currency }, { nowMs, provenAtMs }, store);
          const record = { currency, minor, isDeferred };
          const next = joined(together, record, { nowMs, provenAtMs, ageMs: countedAgeMs ?? statedAgeMs });
          expect(verdict.kind).toBe(fits(next.records, store) ? 'counted' : 'broken');
          if (verdict.kind === 'broken') continue;
          together = next;
          expect(verdict.window).toMatchObject({ sinceMs: next.sinceMs, latestMs: nowMs });
          row = { agentId: 'a', terminalId: '1', version: 1, ...verdict.window };
        }
      }),
      propertyRuns(300),
    );
  });
});

/** The records that a new one stands together with, and it. */
function joined(
  together: Together | undefined,
  record: Counted,
  {
    nowMs,
    provenAtMs,
    ageMs,
  }: { readonly nowMs: number; readonly provenAtMs: number; readonly ageMs: number },
): Together {
  const alone = { sinceMs: nowMs, latestMs: nowMs, records: [record] };
  if (!together || together.sinceMs > nowMs) return alone;
  const { shortestAbsenceMs, longestMs } = WINDOW_LIMITS;
  const wasAway = provenAtMs >= together.latestMs + shortestAbsenceMs;
  const isLong = nowMs >= together.sinceMs + longestMs;
  const isLater = nowMs - ageMs > together.sinceMs;
  return isLater && (wasAway || isLong)
    ? alone
    : { sinceMs: together.sinceMs, latestMs: nowMs, records: [...together.records, record] };
}

describe('the age of a record', () => {
  it('counts against it only where the gateway’s clock and the agent’s own count both say so', () => {
    const age = fc.integer({ min: 0, max: 120 * HOUR_MS });
    fc.assert(
      fc.property(
        policy,
        age,
        fc.option(age, { nil: undefined }),
        fc.boolean(),
        (offline, here, counted, isAccepted) => {
          const longestMs = Math.min(offline?.maxAgeMs ?? 72 * HOUR_MS, 72 * HOUR_MS) + AGE_TOLERANCE_MS;
          const verdict = judgeAge(
            {
              kind: 'deferred',
              decidedAtMs: NOW_MS - here,
              ...(counted !== undefined && { ageMs: counted }),
              ...(isAccepted && { ageAccepted: true }),
            },
            NOW_MS,
            { version: 1, ...(offline && { offline }) },
          );
          const old = [here, counted ?? here].filter((each) => each > longestMs).length;
          expect(verdict).toBe(isAccepted || old === 0 ? 'young' : old === 2 ? 'too-old' : 'disputed');
        },
      ),
      propertyRuns(300),
    );
  });
});

describe('one record', () => {
  it('is at most what the store and the compiled maxima allow, in the digits of its currency', () => {
    fc.assert(
      fc.property(
        policy,
        fc.constantFrom(...CODES),
        fc.boolean(),
        fc.integer({ min: 1, max: 11_000_000 }),
        (offline, currency, isDeferred, minor) => {
          const unit = UNITS[currency];
          const own = offline?.limits[currency]?.perSaleMinor ?? 0;
          const ownDeferred = offline?.deferred.limits[currency]?.perSaleMinor ?? 0;
          const general = offline ? Math.min(own, 1_000 * unit) : 1_000 * unit;
          const deferred = offline ? Math.min(ownDeferred, 250 * unit) : 250 * unit;
          const highest = isDeferred ? Math.min(general, deferred) : general;
          const kind = isDeferred ? 'deferred' : 'card-approved';
          const broken = brokenLimit(
            { kind, decidedAtMs: NOW_MS },
            { minor, currency },
            { version: 1, ...(offline && { offline }) },
          );
          expect(broken === undefined).toBe(highest > 0 && minor <= highest);
        },
      ),
      propertyRuns(300),
    );
  });
});
