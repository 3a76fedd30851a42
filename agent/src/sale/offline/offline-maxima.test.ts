import { describe, expect, it } from 'vitest';
import type { AcceptedSale } from '../machine/state/facts.js';
import {
  ARQC,
  chipCard,
  FINGERPRINT_KEY,
  OFFLINE_POLICY,
  REQUEST,
  SeededRandom,
  situation,
  taken,
  tappedCard,
} from '../sale.test.support.js';
import { cardFingerprints } from './card-fingerprint.js';
import type { UnforwardedSale } from './offline-exposure.js';
import { OFFLINE_MAXIMA, type OfflinePolicy } from './offline-policy.js';
import { deferredLeft, judgeCard, offlineLeft, offlineReadiness, saleReasons } from './offline-rules.js';

const POLICY: OfflinePolicy = OFFLINE_POLICY.offline;
const HOUR_MS = 3_600_000;
const fingerprint = cardFingerprints(FINGERPRINT_KEY);
const many = (count: number, more: Partial<UnforwardedSale> = {}) =>
  Array.from({ length: count }, () => taken(1, more));

describe('compiled maxima', () => {
  const generous: OfflinePolicy = {
    ...POLICY,
    limits: {
      EUR: { perSaleMinor: 1e12, sumMinor: 1e12, perCardMinor: 1e12 },
      JPY: { perSaleMinor: 1e12, sumMinor: 1e12 },
    },
    maxCount: 1e6,
    maxPerCard: 1e6,
    maxContactAgeMs: 1_000 * HOUR_MS,
    deferred: {
      enabled: true,
      limits: { EUR: { perSaleMinor: 1e12, sumMinor: 1e12, perCardMinor: 1e12 } },
      maxCount: 1e6,
      cards: [{ entryMode: 'NFC_ICC', verification: 'none' }],
    },
  };

  it('are what is left of the most generous configuration', () => {
    const { perSaleUnits, sumUnits, perCardUnits, count, contactAgeMs, deferred, perCard } = OFFLINE_MAXIMA;
    const most: AcceptedSale = { ...REQUEST, minor: perSaleUnits * 100 };
    const policy = generous;
    expect(saleReasons(situation({ policy }), most)).toEqual([]);
    expect(saleReasons(situation({ policy }), { ...most, minor: most.minor + 1 })).toEqual([
      'amount-over-limit',
    ]);
    const yen = { ...REQUEST, currency: 'JPY', minor: perSaleUnits + 1 };
    expect(saleReasons(situation({ policy }), yen)).toEqual(['amount-over-limit']);
    expect(offlineLeft(situation({ policy }), 'EUR')).toEqual({ minor: sumUnits * 100, count });
    expect(deferredLeft(situation({ policy }), 'EUR')).toEqual({
      minor: deferred.sumUnits * 100,
      count: deferred.count,
    });
    expect(offlineReadiness(situation({ policy, contactAgeMs: contactAgeMs + 1 })).reasons).toEqual([
      'contact-too-old',
    ]);
    const own = fingerprint(chipCard().facts);
    const full = { policy, unforwarded: many(perCard, { fingerprint: own }) };
    expect(judgeCard(situation(full), REQUEST, chipCard(), own)).toMatchObject({
      reasons: expect.arrayContaining(['card-count-limit-reached']),
    });
    const heavy = { policy, unforwarded: [taken(perCardUnits * 100, { fingerprint: own })] };
    expect(judgeCard(situation(heavy), REQUEST, chipCard(), own)).toMatchObject({
      reasons: expect.arrayContaining(['card-sum-limit-reached']),
    });
    const tooMuch = { ...REQUEST, minor: deferred.perSaleUnits * 100 + 1 };
    expect(judgeCard(situation({ policy }), tooMuch, tappedCard(), own)).toMatchObject({
      reasons: expect.arrayContaining(['deferral-amount-over-limit']),
    });
  });

  it('hold for any policy: sales one by one stay within them (seeded)', () => {
    for (let seed = 1; seed <= 300; seed += 1) takeAll(new SeededRandom(seed));
  });
});

/** A policy of random, mostly absurd numbers, and sales until it takes no more: what was taken is held against the maxima. */
function takeAll(random: SeededRandom): void {
  const number = () => Math.floor(random.pick([0, 1, 50, 3_000, 200_000, 1e9]) * random.next());
  const limits = () => ({ EUR: { perSaleMinor: number(), sumMinor: number(), perCardMinor: number() } });
  const policy: OfflinePolicy = {
    ...POLICY,
    limits: limits(),
    maxCount: number(),
    maxPerCard: number(),
    deferred: {
      enabled: random.next() < 0.7,
      limits: limits(),
      maxCount: number(),
      cards: [
        { entryMode: 'NFC_ICC', verification: 'none' },
        { entryMode: 'ICC', verification: 'none' },
      ],
    },
  };
  const cards = Array.from({ length: 6 }, (_, index) => {
    const facts = { last4Digits: `000${index}` };
    return random.next() < 0.5
      ? chipCard(ARQC, { facts: { ...facts, entryMode: 'ICC' } })
      : tappedCard({ facts: { ...facts, entryMode: 'NFC_ICC' } });
  });
  const unforwarded: UnforwardedSale[] = [];
  for (let sale = 0; sale < 120; sale += 1) {
    const card = random.pick(cards);
    const terminalId = random.pick(['77', '88']);
    const request = { ...REQUEST, minor: 1 + number() };
    const here = situation({ policy, terminalId, unforwarded });
    if (saleReasons(here, request).length > 0) continue;
    const verdict = judgeCard(here, request, card, fingerprint(card.facts));
    if (verdict.kind === 'refuse') continue;
    const defers = verdict.kind === 'defer' || (verdict.deferIfNot && random.next() < 0.5);
    const approval = defers ? 'deferred' : 'card-approved';
    unforwarded.push(taken(request.minor, { terminalId, approval, fingerprint: fingerprint(card.facts) }));
  }
  expectWithin(policy, unforwarded);
}

function expectWithin(policy: OfflinePolicy, unforwarded: readonly UnforwardedSale[]): void {
  const { deferred, ...general } = OFFLINE_MAXIMA;
  const sum = (sales: readonly UnforwardedSale[]) => sales.reduce((total, { minor }) => total + minor, 0);
  const own = policy.limits.EUR ?? { perSaleMinor: 0, sumMinor: 0, perCardMinor: 0 };
  const ownDeferred = policy.deferred.limits.EUR ?? own;
  for (const terminalId of ['77', '88']) {
    const here = unforwarded.filter((each) => each.terminalId === terminalId);
    const later = here.filter(({ approval }) => approval === 'deferred');
    expect(sum(here)).toBeLessThanOrEqual(Math.min(own.sumMinor, general.sumUnits * 100));
    expect(here.length).toBeLessThanOrEqual(Math.min(policy.maxCount, general.count));
    expect(sum(later)).toBeLessThanOrEqual(Math.min(ownDeferred.sumMinor, deferred.sumUnits * 100));
    expect(later.length).toBeLessThanOrEqual(Math.min(policy.deferred.maxCount, deferred.count));
  }
  for (const card of new Set(unforwarded.map((each) => each.fingerprint))) {
    const its = unforwarded.filter((each) => each.fingerprint === card);
    expect(its.length).toBeLessThanOrEqual(Math.min(policy.maxPerCard, general.perCard));
    expect(sum(its)).toBeLessThanOrEqual(Math.min(own.perCardMinor ?? 0, general.perCardUnits * 100));
  }
}
