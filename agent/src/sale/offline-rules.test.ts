import { describe, expect, it } from 'vitest';
import type { CardData } from '../drivers/driver.js';
import type { AcceptedSale } from './facts.js';
import {
  cardReasons,
  type OfflineSituation,
  offlineLeft,
  offlineReadiness,
  saleReasons,
} from './offline-rules.js';
import { DEFAULT_POLICY, OFFLINE_MAXIMA, type OfflinePolicy } from './policy.js';
import { ARQC, chipCard, iccData, OFFLINE_POLICY, REQUEST } from './sale.test.support.js';

const POLICY: OfflinePolicy = OFFLINE_POLICY.offline;
const HOUR_MS = 3_600_000;
const waiting = (minor: number, count: number, currency = 'EUR') => [
  { terminalId: '11', currency, minor, count },
];

function situation(more: Partial<OfflineSituation> = {}): OfflineSituation {
  return { policy: POLICY, journalReady: true, clockBehind: false, contactAgeMs: 0, exposure: [], ...more };
}

describe('offline readiness', () => {
  it('is off by default', () => {
    expect(offlineReadiness(situation({ policy: DEFAULT_POLICY.offline }))).toEqual({
      ready: false,
      reasons: ['switched-off'],
    });
    expect(offlineReadiness(situation())).toEqual({ ready: true, reasons: [] });
  });

  it.each([
    ['journal-unavailable', { journalReady: false }],
    ['clock-behind', { clockBehind: true }],
    ['never-in-contact', { contactAgeMs: undefined }],
    ['contact-too-old', { contactAgeMs: 24 * HOUR_MS + 1 }],
    ['count-limit-reached', { exposure: waiting(100, 60) }],
    ['sum-limit-reached', { exposure: waiting(15_000, 2) }],
  ] as const)('says %s', (reason, more) => {
    expect(offlineReadiness(situation(more))).toEqual({ ready: false, reasons: [reason] });
  });

  it('lets no configuration lift the limits above the maxima', () => {
    const policy: OfflinePolicy = {
      ...POLICY,
      limits: { EUR: { perSaleMinor: 1e12, sumMinor: 1e12 }, JPY: { perSaleMinor: 1e12, sumMinor: 1e12 } },
      maxCount: 1e6,
      maxContactAgeMs: 1_000 * HOUR_MS,
    };
    const { perSaleUnits, sumUnits, count, contactAgeMs } = OFFLINE_MAXIMA;
    const most: AcceptedSale = { ...REQUEST, minor: perSaleUnits * 100 };
    expect(saleReasons(situation({ policy }), most)).toEqual([]);
    expect(saleReasons(situation({ policy }), { ...most, minor: most.minor + 1 })).toEqual([
      'amount-over-limit',
    ]);
    expect(
      saleReasons(situation({ policy }), { ...REQUEST, currency: 'JPY', minor: perSaleUnits + 1 }),
    ).toEqual(['amount-over-limit']);
    expect(offlineLeft(policy, [], 'EUR')).toEqual({ minor: sumUnits * 100, count });
    expect(offlineReadiness(situation({ policy, contactAgeMs: contactAgeMs + 1 })).reasons).toEqual([
      'contact-too-old',
    ]);
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
    ['sum-limit-reached', { minor: 5_001 }, { exposure: waiting(10_000, 1) }],
  ] as const)('says %s for %j', (reason, sale, more) => {
    expect(saleReasons(situation(more), { ...REQUEST, ...sale })).toEqual([reason]);
  });

  it('allows up to the limits, and counts other currencies only in number', () => {
    expect(saleReasons(situation(), { ...REQUEST, minor: 10_000 })).toEqual([]);
    expect(saleReasons(situation({ exposure: waiting(10_000, 1) }), { ...REQUEST, minor: 5_000 })).toEqual(
      [],
    );
    expect(saleReasons(situation({ exposure: waiting(1e9, 1, 'USD') }), REQUEST)).toEqual([]);
    expect(offlineLeft(POLICY, [...waiting(10_000, 2), ...waiting(7, 3, 'USD')], 'EUR')).toEqual({
      minor: 5_000,
      count: 55,
    });
  });
});

describe('offline rules of a card', () => {
  const card = (tags: Record<string, string>, more: Partial<CardData> = {}) =>
    chipCard(ARQC, { iccData: iccData(ARQC, tags), ...more });

  it.each([
    ['a chip without CVM', chipCard(), []],
    ['an offline PIN', card({ '9F34': '410302' }), []],
    ['a signature', card({ '9F34': '1E0300' }), []],
    [
      'an online PIN by its block',
      chipCard(ARQC, { pin: { data: new Uint8Array(8), ksn: new Uint8Array(10) } }),
      ['online-pin'],
    ],
    ['an online PIN by its CVM results', card({ '9F34': '420300' }), ['online-pin']],
    ['an online PIN by the TVR', card({ '95': '0000048000' }), ['online-pin']],
    ['a failed CVM', card({ '9F34': '410301' }), ['cardholder-not-verified']],
    ['a failed CVM by the TVR', card({ '95': '0000808000' }), ['cardholder-not-verified']],
    [
      'a swipe',
      chipCard(ARQC, { facts: { entryMode: 'MAGSTRIPE' }, iccData: new Uint8Array() }),
      ['entry-mode-not-allowed'],
    ],
    ['a tap', chipCard(ARQC, { facts: { entryMode: 'NFC_ICC' } }), ['entry-mode-not-allowed']],
    ['data that are no TLV', chipCard(ARQC, { iccData: Buffer.from('9F', 'hex') }), []],
  ] as const)('%s', (_name, data, reasons) => {
    expect(cardReasons(POLICY, data)).toEqual(reasons);
  });
});
