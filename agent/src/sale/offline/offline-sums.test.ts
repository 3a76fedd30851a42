import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  chipCard,
  FINGERPRINT_KEY,
  OFFLINE_POLICY,
  REQUEST,
  situation,
  taken,
} from '../sale.test.support.js';
import { cardFingerprints } from './card-fingerprint.js';
import type { OfflineReason } from './offline-reasons.js';
import { judgeCard, offlineLeft, saleReasons } from './offline-rules.js';

const UNITS = { JPY: 1, EUR: 100, KWD: 1_000, CLF: 10_000 } as const;
type Code = keyof typeof UNITS;
const CODES = Object.keys(UNITS) as Code[];
const HOUR_MS = 3_600_000;
const fingerprint = cardFingerprints(FINGERPRINT_KEY);
const CARD = chipCard();
const OWN = fingerprint(CARD.facts);
const OTHER = fingerprint({ entryMode: 'ICC', paymentAccountReference: 'another' });

const minor = fc.integer({ min: 0, max: 90 });
const code = fc.constantFrom(...CODES);
/** Some far above the compiled maxima. */
const limit = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constant(1e12));
const limits = fc.record(
  { perSaleMinor: limit, sumMinor: limit, perCardMinor: limit },
  { requiredKeys: ['perSaleMinor', 'sumMinor'] },
);
const waiting = fc.record({
  terminalId: fc.constantFrom('77', '88'),
  currency: code,
  minor: fc.oneof(minor, fc.constantFrom(24_999, 2_499_999)),
  approval: fc.constantFrom('card-approved' as const, 'deferred' as const),
  state: fc.constantFrom('deciding' as const, 'waiting' as const, 'parked' as const, 'lost' as const),
  fingerprint: fc.constantFrom(OWN, OTHER, undefined),
});
const shop = fc.record({
  limits: fc.dictionary(code as fc.Arbitrary<string>, limits),
  deferredLimits: fc.dictionary(code as fc.Arbitrary<string>, limits),
  maxCount: fc.nat({ max: 6 }),
  maxPerCard: fc.nat({ max: 4 }),
  deferredMaxCount: fc.nat({ max: 4 }),
  maxContactAgeMs: fc.integer({ min: 0, max: 100 * HOUR_MS }),
  contactAgeMs: fc.option(fc.integer({ min: 0, max: 100 * HOUR_MS }), { nil: undefined }),
  waiting: fc.array(waiting, { maxLength: 8 }),
  currency: code,
  minor,
});
type Shop = typeof shop extends fc.Arbitrary<infer T> ? T : never;
type Waiting = Shop['waiting'][number];

function situationOf({ waiting: all, contactAgeMs, ...about }: Shop) {
  const { maxCount, maxPerCard, maxContactAgeMs } = about;
  const policy = {
    ...OFFLINE_POLICY.offline,
    ...{ maxCount, maxPerCard, maxContactAgeMs, limits: about.limits },
    deferred: {
      enabled: true,
      limits: about.deferredLimits,
      maxCount: about.deferredMaxCount,
      cards: [{ entryMode: 'ICC', verification: 'none' } as const],
    },
  };
  const unforwarded = all.map(({ fingerprint: card, ...each }) => {
    const { fingerprint: _, ...sale } = taken(each.minor, each);
    return card ? { ...sale, fingerprint: card } : sale;
  });
  return situation({ policy, contactAgeMs, unforwarded });
}

const sum = (all: readonly Waiting[]): number => all.reduce((total, each) => total + each.minor, 0);

/** What is wrong with a sale, by sums on paper: only what weighs on terminal 77, and on the card. */
function faultsOf({ waiting: all, currency, minor: wanted, ...shopOf }: Shop) {
  const unit = UNITS[currency];
  const own = shopOf.limits[currency];
  const later = shopOf.deferredLimits[currency];
  const here = all.filter(({ terminalId, state }) => terminalId === '77' && state !== 'lost');
  const inCurrency = (some: readonly Waiting[]) => some.filter((each) => each.currency === currency);
  const withCard = all.filter((each) => each.fingerprint === OWN || each.fingerprint === undefined);
  const deferred = (some: readonly Waiting[]) => some.filter(({ approval }) => approval === 'deferred');
  const perCard = own ? Math.min(own.perCardMinor ?? own.perSaleMinor, 2_500 * unit) : 0;
  const left = own ? Math.max(0, Math.min(own.sumMinor, 25_000 * unit) - sum(inCurrency(here))) : 0;
  const age = shopOf.contactAgeMs;
  const general: Partial<Record<OfflineReason, boolean>> = {
    'currency-not-allowed': !own,
    'amount-over-limit': own !== undefined && wanted > Math.min(own.perSaleMinor, 1_000 * unit),
    'sum-limit-reached': own !== undefined && wanted > left,
    'count-limit-reached': here.length >= shopOf.maxCount,
    'never-in-contact': age === undefined,
    'contact-too-old': age !== undefined && age > Math.min(shopOf.maxContactAgeMs, 72 * HOUR_MS),
  };
  const card: Partial<Record<OfflineReason, boolean>> = {
    'card-lost-before': withCard.some(({ state }) => state === 'lost'),
    'card-count-limit-reached': withCard.length >= shopOf.maxPerCard,
    'card-sum-limit-reached': sum(inCurrency(withCard)) + wanted > perCard,
  };
  const deferral: Partial<Record<OfflineReason, boolean>> = {
    'deferral-currency-not-allowed': !later,
    ...(later && {
      'deferral-amount-over-limit': wanted > Math.min(later.perSaleMinor, 250 * unit),
      'deferral-sum-limit-reached':
        sum(inCurrency(deferred(here))) + wanted > Math.min(later.sumMinor, 2_500 * unit),
      'deferral-count-limit-reached': deferred(here).length >= shopOf.deferredMaxCount,
      'deferral-card-sum-limit-reached':
        sum(inCurrency(deferred(withCard))) + wanted >
        Math.min(later.perCardMinor ?? later.perSaleMinor, 250 * unit),
    }),
  };
  const named = (reasons: object): string[] =>
    Object.entries(reasons).flatMap(([reason, isSo]) => (isSo ? reason : []));
  return { general: named(general), card: named(card), deferral: named(deferral), left };
}

it('takes without the gateway what the sums on paper leave, and names each limit that is reached', () => {
  fc.assert(
    fc.property(shop, (each) => {
      const here = situationOf(each);
      const sale = { ...REQUEST, minor: each.minor, currency: each.currency };
      const faults = faultsOf(each);
      expect(saleReasons(here, sale).sort()).toEqual(faults.general.sort());
      expect(offlineLeft(here, each.currency).minor).toBe(faults.left);
      const verdict = judgeCard(here, sale, CARD, OWN);
      const mayDefer = faults.card.length === 0 && faults.deferral.length === 0;
      if (faults.card.length === 0) expect(verdict).toEqual({ kind: 'ask-card', deferIfNot: mayDefer });
      else
        expect(verdict).toEqual({
          kind: 'refuse',
          reasons: expect.arrayContaining([...faults.card, ...faults.deferral]),
        });
      if (verdict.kind === 'refuse')
        expect(verdict.reasons).toHaveLength(faults.card.length + faults.deferral.length);
    }),
    propertyRuns(400),
  );
});
