import { TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { setBit } from '@tillbridge/wire/emv/bits.js';
import { encodeTlv } from '@tillbridge/wire/emv/tlv.js';
import { describe, expect, it } from 'vitest';
import type { AcquirerCard, AcquirerMoneyRequest, AcquirerPointOfSale } from '../../acquirer.js';
import {
  DECLINED_MS,
  decideStandIn,
  type StandInFacts,
  type StandInRefusal,
  type StandInRule,
  standInOperation,
  storableAdvice,
} from './decide-stand-in.js';

const RULE: StandInRule = {
  limits: { EUR: { paymentMinor: 2_000, cardDayMinor: 5_000, dayMinor: 9_000 } },
  cardDayCount: 3,
  dayCount: 7,
  cards: 'chip',
};
const DAY = '20261123';
const NOW_MS = Date.UTC(2026, 10, 23, 12);

/** Data of a chip card that requests an online authorization; findings of the terminal may be added. */
function chipData(findings: readonly (keyof typeof TVR)[] = [], { cid = 0x80 } = {}): Buffer {
  const results = Buffer.alloc(5);
  setBit(results, TVR.floorLimitExceeded);
  for (const finding of findings) setBit(results, TVR[finding]);
  return encodeTlv([
    { tag: '9F26', value: Buffer.alloc(8, 1) },
    { tag: '9F27', value: Buffer.of(cid) },
    { tag: '95', value: results },
  ]);
}

const CHIP: AcquirerPointOfSale = {
  terminalId: 'T1',
  entryMode: 'ICC',
  iccData: chipData(),
  cryptogram: 'unknown',
};
const MAGSTRIPE: AcquirerPointOfSale = { terminalId: 'T1', entryMode: 'MAGSTRIPE' };
const CARD: AcquirerCard = { kind: 'card', pan: '4200000000000000', expiryYear: '2031', expiryMonth: '12' };
const SALE: AcquirerMoneyRequest = {
  kind: 'authorization',
  acquirerReference: 'a'.repeat(32),
  amount: { minor: 2_000, currency: 'EUR' },
  instrument: CARD,
  pos: CHIP,
};
const NO_TERMINAL = { pos: undefined } as unknown as Partial<AcquirerMoneyRequest>;

const decide = (
  values: Partial<AcquirerMoneyRequest> = {},
  rule: Partial<StandInRule> = {},
  facts: Partial<StandInFacts> = {},
) => decideStandIn({ ...RULE, ...rule }, { ...SALE, ...values }, { nowMs: NOW_MS, history: [], ...facts });

const chip = (values: Partial<AcquirerPointOfSale>) => ({ pos: { ...CHIP, ...values } });
const track = (services: string) => ({
  pos: MAGSTRIPE,
  instrument: { ...CARD, track2: `4200000000000000D3112${services}0000` },
});
const euros = (minor: number) => ({ amount: { minor, currency: 'EUR' } });
const of = (count: number, minor: number, day = DAY) => ({ day, count, sums: { EUR: minor } });
const answered = (responseCode: string, agoMs = 1_000) => ({
  createdAtMs: NOW_MS - agoMs,
  answer: { responseCode } as NonNullable<StandInFacts['history'][number]['answer']>,
});

it('counts a payment against its card and its acquirer', () => {
  expect(decide()).toEqual({ approved: true, card: of(1, 2_000), all: of(1, 2_000) });
  const card = { day: DAY, count: 1, sums: { EUR: 2_000, USD: 5 } };
  expect(decide({}, {}, { card, all: of(6, 7_000) })).toEqual({
    approved: true,
    card: { day: DAY, count: 2, sums: { EUR: 4_000, USD: 5 } },
    all: of(7, 9_000),
  });
});

it('begins each day anew, but none again after a clock was set back', () => {
  expect(decide({}, {}, { card: of(3, 5_000, '20261122'), all: of(7, 9_000, '20261122') }).approved).toBe(
    true,
  );
  expect(decide({}, {}, { card: of(3, 0, '20261124') })).toEqual({ approved: false, because: 'card-limit' });
});

describe('approves nothing', () => {
  it.each<[string, StandInRefusal, () => ReturnType<typeof decide>]>([
    ['no card', 'no-card', () => decide({ instrument: { kind: 'virtual-account', brand: 'PAYPAL' } })],
    ['no instrument', 'no-card', () => decide({ instrument: undefined } as object)],
    ['a deferred authorization', 'deferred', () => decide({ deferred: true })],
    ['cash back', 'cash-back', () => decide({ cashBack: { minor: 500, currency: 'EUR' } })],
    ['a transfer to a person', 'money-transfer', () => decide({ details: { 'recipient.givenName': 'J' } })],
    ['what is like cash', 'merchant-category', () => decide({ details: { 'merchant.mcc': '6051' } })],
    ['more than a payment may have', 'amount', () => decide(euros(2_001))],
    ['another currency', 'currency', () => decide({ amount: { minor: 1, currency: 'USD' } })],
    ['a member of every object', 'currency', () => decide({ amount: { minor: 1, currency: 'constructor' } })],
    ['another brand', 'brand', () => decide({}, { brands: ['MASTER'] })],
    [
      'a card of no known brand',
      'brand',
      () => decide({ instrument: { ...CARD, pan: '0000000000000000' } }, { brands: ['VISA'] }),
    ],
    ['a card that is blocked', 'blocked', () => decide({}, { blockedBins: ['510000', '420000'] })],
    [
      'an expired card',
      'expired',
      () => decide({ instrument: { ...CARD, expiryYear: '2026', expiryMonth: '10' } }),
    ],
    ['an online PIN', 'online-pin', () => decide(chip({ pin: { zoneKey: 'Z', pinBlock: Buffer.alloc(8) } }))],
    ['a magstripe', 'entry-mode', () => decide(track('101'))],
    ['a card that is not there', 'entry-mode', () => decide(NO_TERMINAL, { cards: 'present' })],
    ['a typed card', 'entry-mode', () => decide(chip({ entryMode: 'MANUAL' }), { cards: 'present' })],
    [
      'a fallback',
      'entry-mode',
      () => decide(chip({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }), { cards: 'all' }),
    ],
    [
      'a chip without its data',
      'chip-data',
      () => decide(chip({ iccData: Buffer.alloc(0) }), { cards: 'all' }),
    ],
    ['chip data that are none', 'chip-data', () => decide(chip({ iccData: Buffer.from('9F2608', 'hex') }))],
    ['a cryptogram that our keys found wrong', 'cryptogram', () => decide(chip({ cryptogram: 'invalid' }))],
    ['a card that has declined', 'cryptogram', () => decide(chip({ iccData: chipData([], { cid: 0 }) }))],
    [
      'a card without a cryptogram',
      'cryptogram',
      () => decide(chip({ iccData: Buffer.from('95050000000000', 'hex') })),
    ],
    [
      'a chip without results of the terminal',
      'verification-results',
      () => decide(chip({ iccData: encodeTlv([{ tag: '9F26', value: Buffer.alloc(8) }]) })),
    ],
    ['a card of the host’s refusals', 'declined-before', () => decide({}, {}, { history: [answered('05')] })],
    [
      'a wrong PIN before',
      'declined-before',
      () => decide({}, {}, { history: [answered('00'), answered('55', 60_000)] }),
    ],
    [
      'a stolen card',
      'declined-before',
      () => decide({}, {}, { history: [answered('43', 100 * DECLINED_MS)] }),
    ],
    ['a card once more', 'card-limit', () => decide({}, {}, { card: of(3, 3) })],
    ['more than a card gets on a day', 'card-limit', () => decide({}, {}, { card: of(1, 3_001) })],
    ['once more than all cards', 'acquirer-limit', () => decide({}, {}, { all: of(7, 7) })],
    ['more than all cards get on a day', 'acquirer-limit', () => decide({}, {}, { all: of(1, 7_001) })],
  ])('%s: %s', (_, because, verdict) => {
    expect(verdict()).toEqual({ approved: false, because });
  });

  it.each([
    ['sdaFailed', 'ddaFailed', 'cdaFailed', 'xdaFailed', 'iccDataMissing', 'exceptionFile'],
    ['expiredApplication', 'applicationNotYetEffective', 'serviceNotAllowed', 'issuerAuthenticationFailed'],
    ['cardholderVerificationFailed', 'pinTryLimitExceeded', 'pinNotEntered', 'pinPadNotWorking'],
    ['upperConsecutiveOfflineLimitExceeded', 'relayResistanceTimeLimitsExceeded'],
  ] as const)('what the terminal found: %s, %s …', (...findings) => {
    for (const finding of findings)
      expect(decide(chip({ iccData: chipData([finding]) }))).toEqual({
        approved: false,
        because: 'verification-results',
      });
  });

  it('service codes of magstripes that ask for the chip, the issuer, cash or a PIN', () => {
    const strange = { pos: MAGSTRIPE, instrument: { ...CARD, track2: ';4200000000000000D31121010000' } };
    expect(decide(strange, { cards: 'present' })).toEqual({ approved: false, because: 'service-code' });
    for (const services of ['201', '601', '121', '141', '103', '104', '100', '105', '']) {
      const verdict = decide(track(services), { cards: 'present' });
      expect(verdict, services).toEqual({ approved: false, because: 'service-code' });
    }
  });
});

describe('approves', () => {
  it('as often and as much as a card may get on a day', () => {
    expect(decide({}, {}, { card: of(2, 0) })).toMatchObject({ approved: true, card: { count: 3 } });
    expect(decide({}, {}, { card: of(1, 3_000) })).toMatchObject({ approved: true, card: of(2, 5_000) });
  });

  it('a chip whose cryptogram is right, or unknown, with what a terminal finds every day', () => {
    for (const cryptogram of ['valid', 'unknown'] as const)
      expect(decide(chip({ cryptogram })).approved).toBe(true);
    const findings = ['offlineDataAuthenticationNotPerformed', 'merchantForcedOnline'] as const;
    expect(decide(chip({ iccData: chipData(findings) })).approved).toBe(true);
    expect(decide(chip({ entryMode: 'NFC_ICC' })).approved).toBe(true);
  });

  it('what a wider rule allows', () => {
    for (const services of ['101', '502', '106'])
      expect(decide(track(services), { cards: 'present' }).approved, services).toBe(true);
    expect(decide(chip({ entryMode: 'MANUAL' }), { cards: 'all' }).approved).toBe(true);
    expect(decide(NO_TERMINAL, { cards: 'all', brands: ['VISA'] }).approved).toBe(true);
  });

  it('a card whose declines are old, were no fault of it, or were followed by an approval', () => {
    const histories = [
      [answered('51', DECLINED_MS)],
      [answered('91'), answered('96'), answered('30')],
      [answered('00', 2 * DECLINED_MS), answered('41', 3 * DECLINED_MS)],
      [{ createdAtMs: NOW_MS }],
    ];
    for (const history of histories) expect(decide({}, {}, { history }).approved).toBe(true);
  });
});

it('stands in for sales and authorizations only, and stores nothing that must not be stored', () => {
  expect(standInOperation('sale')).toBe('sale advice');
  expect(standInOperation('authorization')).toBe('authorization advice');
  for (const other of ['refund', 'credit', 'capture', 'increment', 'sale advice'] as const)
    expect(standInOperation(other)).toBeUndefined();
  const advice = { kind: 'financial', isAdvice: true, pan: '42' } as const;
  expect(storableAdvice({ ...advice, track2: '42=', cvv: '1', pinBlock: '00' })).toEqual(advice);
});
