import { describe, expect, it } from 'vitest';
import type { CardData, EntryMode } from '../../drivers/core/driver.js';
import type { AcceptedSale } from '../machine/state/facts.js';
import {
  ARQC,
  chipCard,
  DEFERRING,
  FINGERPRINT_KEY,
  iccData,
  OFFLINE_POLICY,
  REQUEST,
  situation,
  taken,
  tappedCard,
} from '../sale.test.support.js';
import { cardFingerprints } from './card-fingerprint.js';
import type { UnforwardedSale } from './offline-exposure.js';
import {
  type CardRule,
  cardRule,
  DEFERRED_CARDS,
  OFFLINE_OFF,
  type OfflinePolicy,
} from './offline-policy.js';
import { becauseText, OFFLINE_REASONS } from './offline-reasons.js';
import {
  deferredLeft,
  judgeCard,
  type OfflineSituation,
  type OfflineVerdict,
  offlineLeft,
  offlineReadiness,
  saleReasons,
  tcReasons,
} from './offline-rules.js';

const POLICY: OfflinePolicy = OFFLINE_POLICY.offline;
const HOUR_MS = 3_600_000;
const fingerprint = cardFingerprints(FINGERPRINT_KEY);
const OTHER_CARD = fingerprint({ entryMode: 'ICC', paymentAccountReference: 'another' });

const many = (count: number, more: Partial<UnforwardedSale> = {}) =>
  Array.from({ length: count }, () => taken(1, more));

const judge = (
  more: Partial<OfflineSituation>,
  card: CardData = chipCard(),
  sale: AcceptedSale = REQUEST,
): OfflineVerdict => judgeCard(situation(more), sale, card, fingerprint(card.facts));
const refused = (...reasons: string[]) => ({ kind: 'refuse', reasons });

describe('offline readiness', () => {
  it('is off by default', () => {
    expect(offlineReadiness(situation({ policy: OFFLINE_OFF }))).toEqual({
      ready: false,
      reasons: ['switched-off'],
      because: 'offline sales are switched off',
    });
    expect(offlineReadiness(situation())).toEqual({ ready: true, reasons: [], deferred: false });
    expect(offlineReadiness(situation({ policy: DEFERRING.offline }))).toMatchObject({ deferred: true });
  });

  it.each([
    ['journal-unavailable', { journalReady: false }],
    ['clock-behind', { clockBehind: true }],
    ['never-in-contact', { contactAgeMs: undefined }],
    ['contact-too-old', { contactAgeMs: 24 * HOUR_MS + 1 }],
    ['count-limit-reached', { unforwarded: many(60) }],
    ['sum-limit-reached', { unforwarded: [taken(15_000)] }],
    // Parked money is no surer than waiting money; what is being decided may be taken any moment.
    [
      'sum-limit-reached',
      { unforwarded: [taken(9_000, { state: 'parked' }), taken(6_000, { state: 'deciding' })] },
    ],
  ] as const)('gives the reason %s', (reason, more) => {
    expect(offlineReadiness(situation(more))).toEqual({
      ready: false,
      reasons: [reason],
      because: OFFLINE_REASONS[reason],
    });
  });

  it('looks at its own terminal, and does not count what is lost already', () => {
    const unforwarded = [...many(60, { terminalId: '88' }), ...many(60, { state: 'lost' })];
    expect(offlineReadiness(situation({ unforwarded }))).toMatchObject({ ready: true });
  });

  it('needs a terminal that answers, and gives every reason at once', () => {
    const { reasons, because } = offlineReadiness(situation({ clockBehind: true }), 'terminal-not-ready');
    expect(reasons).toEqual(['clock-behind', 'terminal-not-ready']);
    expect(because).toBe(`${OFFLINE_REASONS['clock-behind']}; ${OFFLINE_REASONS['terminal-not-ready']}`);
    expect(offlineReadiness(situation({ policy: OFFLINE_OFF }), 'terminal-tampered').reasons).toEqual([
      'switched-off',
    ]);
    expect(becauseText(['of-another-build'])).toBe('of-another-build');
  });
});

describe('offline rules of a sale', () => {
  it.each([
    ['online-only', { onlineOnly: true }, {}],
    ['type-needs-gateway', { type: 'refund' }, {}],
    ['type-needs-gateway', { type: 'preauthorization' }, {}],
    ['currency-not-allowed', { currency: 'USD' }, {}],
    ['currency-not-allowed', { currency: 'constructor' }, {}],
    ['amount-over-limit', { minor: 10_001 }, {}],
    ['sum-limit-reached', { minor: 5_001 }, { unforwarded: [taken(10_000)] }],
  ] as const)('give the reason %s for %j', (reason, sale, more) => {
    expect(saleReasons(situation(more), { ...REQUEST, ...sale })).toEqual([reason]);
  });

  it('allows up to the limits, and counts other currencies only in number', () => {
    expect(saleReasons(situation(), { ...REQUEST, minor: 10_000 })).toEqual([]);
    expect(saleReasons(situation({ unforwarded: [taken(10_000)] }), { ...REQUEST, minor: 5_000 })).toEqual(
      [],
    );
    expect(saleReasons(situation({ unforwarded: [taken(1e9, { currency: 'USD' })] }), REQUEST)).toEqual([]);
    const unforwarded = [taken(4_000), taken(6_000), ...many(3, { currency: 'USD' })];
    expect(offlineLeft(situation({ unforwarded }), 'EUR')).toEqual({ minor: 5_000, count: 55 });
  });

  it('leaves no more for deferral than in general', () => {
    const { offline: policy } = DEFERRING;
    expect(deferredLeft(situation({ policy }), 'EUR')).toEqual({ minor: 5_000, count: 5 });
    const unforwarded = [taken(1_000, { approval: 'deferred' }), taken(11_000)];
    expect(deferredLeft(situation({ policy, unforwarded }), 'EUR')).toEqual({ minor: 3_000, count: 4 });
    expect(deferredLeft(situation(), 'EUR')).toEqual({ minor: 0, count: expect.any(Number) });
  });
});

describe('offline rules of a card', () => {
  const withTags = (tags: Record<string, string>, more: Partial<CardData> = {}) =>
    chipCard(ARQC, { iccData: iccData(ARQC, tags), ...more });
  const ask = { kind: 'ask-card', deferIfNot: false };
  const pin = { data: new Uint8Array(8), ksn: new Uint8Array(10) };

  it.each([
    ['a chip without CVM', chipCard(), ask],
    ['an offline PIN', withTags({ '9F34': '410302' }), ask],
    ['a signature', withTags({ '9F34': '1E0300' }), ask],
    ['an online PIN by its block', chipCard(ARQC, { pin }), refused('online-pin')],
    ['an online PIN by its CVM results', withTags({ '9F34': '420300' }), refused('online-pin')],
    ['an online PIN by the TVR', withTags({ '95': '0000048000' }), refused('online-pin')],
    ['a failed CVM', withTags({ '9F34': '410301' }), refused('cardholder-not-verified')],
    ['a failed CVM by the TVR', withTags({ '95': '0000808000' }), refused('cardholder-not-verified')],
    [
      'a swipe',
      chipCard(ARQC, { facts: { entryMode: 'MAGSTRIPE' }, iccData: new Uint8Array() }),
      refused('entry-mode-not-allowed'),
    ],
    ['a tap', tappedCard(), refused('entry-mode-not-allowed')],
    ['data that are no TLV', chipCard(ARQC, { iccData: Buffer.from('9F', 'hex') }), ask],
  ] as const)('%s', (_name, data, verdict) => {
    expect(judge({}, data)).toEqual(verdict);
  });

  const rules = (cards: readonly CardRule[]) => ({ policy: { ...POLICY, cards } });

  it('go by how the card was read and its holder verified, each with its own limit', () => {
    const more = rules([
      { entryMode: 'ICC', verification: 'offline-pin' },
      { entryMode: 'ICC', verification: 'none', perSaleMinor: { EUR: 1_000 } },
    ]);
    const sale = (minor: number) => ({ ...REQUEST, minor });
    expect(judge(more, withTags({ '9F34': '410302' }), sale(10_000))).toEqual(ask);
    expect(judge(more, chipCard(), sale(1_000))).toEqual(ask);
    expect(judge(more, chipCard(), sale(1_001))).toEqual(refused('amount-over-card-rule'));
    expect(judge(more, withTags({ '9F34': '1E0300' }))).toEqual(refused('verification-not-allowed'));
    expect(judge(more, tappedCard())).toEqual(refused('entry-mode-not-allowed'));
  });

  it('let the holder’s device verify: by the card’s qualifiers, or by a PIN that no pad has seen', () => {
    const more = rules([{ entryMode: 'NFC_ICC', verification: 'device' }]);
    const tap = (tags: Record<string, string>) => tappedCard({ iccData: iccData(ARQC, tags) });
    expect(tcReasons(situation(more), REQUEST, tap({ '9F6C': '0080' }), OTHER_CARD)).toEqual([]);
    expect(tcReasons(situation(more), REQUEST, tap({ '9F34': '010002' }), OTHER_CARD)).toEqual([]);
    expect(tcReasons(situation(more), REQUEST, tap({ '9F6C': '0000' }), OTHER_CARD)).toEqual([
      'verification-not-allowed',
    ]);
  });

  it('take no magstripe and no typed digits, under any configuration', () => {
    const never: EntryMode[] = ['MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'NFC_MAGSTRIPE'];
    for (const entryMode of never) {
      const cards: CardRule[] = [{ entryMode, verification: 'none' }];
      const deferred = { ...DEFERRING.offline.deferred, cards };
      const card = chipCard(ARQC, { facts: { entryMode }, iccData: new Uint8Array() });
      expect(judge({ policy: { ...POLICY, cards, deferred } }, card)).toEqual(
        refused('entry-mode-not-allowed', 'deferral-entry-mode-not-allowed'),
      );
    }
  });

  const own = fingerprint(chipCard().facts);
  it.each([
    [
      'too many of its own, on any terminal',
      { unforwarded: many(2, { fingerprint: own, terminalId: '88' }) },
      'card-count-limit-reached',
    ],
    ['too much of its own', { unforwarded: [taken(3_000, { fingerprint: own })] }, 'card-sum-limit-reached'],
    [
      'lost money of its own',
      { unforwarded: [taken(1, { fingerprint: own, state: 'lost' })] },
      'card-lost-before',
    ],
    [
      'one that may be its own: a record of an older build',
      { unforwarded: [{ ...taken(3_000), fingerprint: undefined }] },
      'card-sum-limit-reached',
    ],
    [
      'one that may be its own: a fingerprint of another key',
      {
        unforwarded: [
          taken(3_000, { fingerprint: cardFingerprints(new Uint8Array(32))({ entryMode: 'ICC' }) }),
        ],
      },
      'card-sum-limit-reached',
    ],
  ] as const)('count %s', (_what, more, reason) => {
    const limits = { EUR: { perSaleMinor: 10_000, sumMinor: 15_000, perCardMinor: 4_000 } };
    const policy = { ...POLICY, limits, maxPerCard: 2 };
    expect(judge({ ...(more as Partial<OfflineSituation>), policy })).toEqual(refused(reason));
    expect(judge({ policy, unforwarded: many(9) }), 'other cards do not count').toEqual(ask);
  });
});

describe('deferral', () => {
  const policy = DEFERRING.offline;
  const cards = DEFERRED_CARDS;
  const verified = { ...policy, deferred: { ...policy.deferred, cards } };
  const deferred = (minor: number, more: Partial<UnforwardedSale> = {}) =>
    taken(minor, { approval: 'deferred', ...more });
  const doubt = (tvr: string) => tappedCard({ iccData: iccData(ARQC, { '95': tvr }) });

  it('keeps the ARQC of a tap at once, and of a chip when it has ended', () => {
    expect(judge({ policy }, tappedCard())).toEqual({ kind: 'defer', endCard: false });
    expect(judge({ policy: { ...policy, cards: [] } })).toEqual({ kind: 'defer', endCard: true });
    expect(judge({ policy })).toEqual({ kind: 'ask-card', deferIfNot: true });
  });

  it.each([
    ['it is off', { policy: POLICY }, tappedCard(), {}, 'entry-mode-not-allowed'],
    [
      'the holder was not verified',
      { policy: verified },
      tappedCard(),
      {},
      'deferral-verification-not-allowed',
    ],
    ['above its limit', { policy }, tappedCard(), { minor: 2_501 }, 'deferral-amount-over-limit'],
    [
      'the sum is reached',
      { policy, unforwarded: [deferred(4_000)] },
      tappedCard(),
      {},
      'deferral-sum-limit-reached',
    ],
    [
      'too many wait',
      { policy, unforwarded: Array(5).fill(deferred(1)) },
      tappedCard(),
      {},
      'deferral-count-limit-reached',
    ],
    [
      'enough of the card',
      {
        policy,
        unforwarded: [deferred(4_000, { terminalId: '88', fingerprint: fingerprint(tappedCard().facts) })],
      },
      tappedCard(),
      {},
      'deferral-card-sum-limit-reached',
    ],
    [
      'no limits of the currency',
      { policy: { ...policy, deferred: { ...policy.deferred, limits: {} } } },
      tappedCard(),
      {},
      'deferral-currency-not-allowed',
    ],
    ['authentication failed', { policy }, doubt('0800008000'), {}, 'card-doubtful'],
    ['the card has expired', { policy }, doubt('0040008000'), {}, 'card-doubtful'],
    ['the PIN was left out', { policy }, doubt('0000088000'), {}, 'card-doubtful'],
  ] as const)('is refused where %s', (_what, more, card, sale, reason) => {
    const verdict = judge(more as Partial<OfflineSituation>, card, { ...REQUEST, ...sale });
    expect(verdict).toMatchObject({ kind: 'refuse' });
    expect(verdict.kind === 'refuse' && verdict.reasons).toContain(reason);
  });

  it('never keeps an online PIN waiting: its block is gone by then', () => {
    const pin = { data: new Uint8Array(8), ksn: new Uint8Array(10) };
    expect(judge({ policy }, tappedCard({ pin }))).toMatchObject({ kind: 'refuse' });
  });

  it('leaves general limits in force: deferred sales count there, too', () => {
    const unforwarded = [deferred(2_000), taken(12_000)];
    expect(saleReasons(situation({ policy, unforwarded }), REQUEST)).toEqual(['sum-limit-reached']);
  });
});

describe('the limits of a situation', () => {
  const deferring = (more: Partial<OfflineSituation> = {}) =>
    situation({ policy: DEFERRING.offline, ...more });

  it('allow a contact of the oldest age', () => {
    expect(offlineReadiness(situation({ contactAgeMs: 24 * HOUR_MS })).ready).toBe(true);
  });

  it('need the policy of the store, and a currency', () => {
    expect(offlineReadiness(situation({ policyUnknown: true })).reasons).toEqual(['store-policy-unknown']);
    expect(offlineReadiness(situation({ policy: { ...POLICY, limits: {} } })).reasons).toEqual([
      'currency-not-allowed',
    ]);
  });

  it('leave what deferred sales have not taken, and nothing in another currency', () => {
    const unforwarded = [taken(1_000, { approval: 'deferred' }), taken(500)];
    expect(deferredLeft(deferring({ unforwarded }), 'EUR')).toEqual({ minor: 4_000, count: 4 });
    expect(deferredLeft(deferring(), 'USD').minor).toBe(0);
  });

  it('allow a deferral of the highest amount', () => {
    const sale = { ...REQUEST, minor: 2_500 };
    const card = tappedCard();
    expect(judgeCard(deferring(), sale, card, fingerprint(card.facts)).kind).toBe('defer');
    expect(judgeCard(deferring(), { ...sale, minor: 2_501 }, card, fingerprint(card.facts)).kind).toBe(
      'refuse',
    );
  });

  it('allow no deferral while these are off', () => {
    const { deferred } = DEFERRING.offline;
    const policy = { ...DEFERRING.offline, deferred: { ...deferred, enabled: false } };
    expect(judge({ policy }, tappedCard()).kind).toBe('refuse');
  });

  it('let a tap that may not be deferred approve by its own cryptogram alone', () => {
    const policy = { ...POLICY, cards: [{ entryMode: 'NFC_ICC', verification: 'none' }] as const };
    expect(judge({ policy }, tappedCard())).toEqual({ kind: 'ask-card', deferIfNot: false });
  });
});

it('finds the rule of an entry mode and its verification, and none of a magstripe', () => {
  const rules: readonly CardRule[] = [
    { entryMode: 'NFC_ICC', verification: 'none' },
    { entryMode: 'ICC', verification: 'none' },
    { entryMode: 'MAGSTRIPE', verification: 'none' },
  ];
  expect(cardRule(rules, 'ICC', 'none')).toBe(rules[1]);
  expect(cardRule(rules, 'ICC', 'signature')).toBeUndefined();
  expect(cardRule(rules, 'MAGSTRIPE', 'none')).toBeUndefined();
});
