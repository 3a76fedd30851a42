import { expect, it } from 'vitest';
import type { AcquirerMoneyRequest } from '../../acquirer.js';
import { decideStandIn, keptAdvice, type StandInRule, standInOperation } from './decide-stand-in.js';

const RULE: StandInRule = {
  limits: { EUR: { paymentMinor: 2_000, dayMinor: 5_000 } },
  dayCount: 3,
  cards: 'chip',
};
const DAY = '20261123';
const CHIP = { terminalId: 'T1', entryMode: 'ICC' } as const;
const CARD = { kind: 'card', pan: '4200000000000000', expiryYear: '2031', expiryMonth: '12' } as const;
const SALE: AcquirerMoneyRequest = {
  kind: 'authorization',
  acquirerReference: 'a'.repeat(32),
  amount: { minor: 2_000, currency: 'EUR' },
  instrument: CARD,
  pos: CHIP,
};
const decide = (
  values: Partial<AcquirerMoneyRequest> = {},
  rule: Partial<StandInRule> = {},
  before?: Parameters<typeof decideStandIn>[2],
) => decideStandIn({ ...RULE, ...rule }, { ...SALE, ...values }, before, DAY);

it('counts a payment against its card', () => {
  expect(decide()).toEqual({ day: DAY, count: 1, sums: { EUR: 2_000 } });
  const before = { day: DAY, count: 1, sums: { EUR: 2_000, USD: 5 } };
  expect(decide({}, {}, before)).toEqual({ day: DAY, count: 2, sums: { EUR: 4_000, USD: 5 } });
  expect(decide({}, {}, { day: '20261122', count: 3, sums: { EUR: 5_000 } })?.count).toBe(1);
});

it.each<[string, ReturnType<typeof decide>]>([
  ['more than a payment may have', decide({ amount: { minor: 2_001, currency: 'EUR' } })],
  ['another currency', decide({ amount: { minor: 1, currency: 'USD' } })],
  ['a currency that is a member of every object', decide({ amount: { minor: 1, currency: 'constructor' } })],
  ['more than a card gets on a day', decide({}, {}, { day: DAY, count: 1, sums: { EUR: 3_001 } })],
  ['a card once more', decide({}, {}, { day: DAY, count: 3, sums: { EUR: 3 } })],
  ['an online PIN', decide({ pos: { ...CHIP, pin: { zoneKey: 'Z', pinBlock: Buffer.alloc(8) } } })],
  ['a magstripe', decide({ pos: { ...CHIP, entryMode: 'MAGSTRIPE' } })],
  ['a card that is not there', decide({ pos: undefined } as object, { cards: 'present' })],
  ['another brand', decide({}, { brands: ['MASTER'] })],
  ['a deferred authorization', decide({ deferred: true })],
  ['no card', decide({ instrument: { kind: 'virtual-account', brand: 'PAYPAL' } })],
])('approves nothing: %s', (_, after) => {
  expect(after).toBeUndefined();
});

it('approves what a wider rule allows', () => {
  expect(decide({ pos: { ...CHIP, entryMode: 'MAGSTRIPE' } }, { cards: 'present' })).toBeDefined();
  expect(decide({ pos: undefined } as object, { cards: 'all', brands: ['VISA'] })).toBeDefined();
});

it('stands in for sales and authorizations alone, and keeps nothing that nobody may keep', () => {
  expect(standInOperation('sale')).toBe('sale advice');
  expect(standInOperation('authorization')).toBe('authorization advice');
  for (const other of ['refund', 'credit', 'capture', 'increment', 'sale advice'] as const)
    expect(standInOperation(other)).toBeUndefined();
  const advice = { kind: 'financial', isAdvice: true, pan: '42' } as const;
  expect(keptAdvice({ ...advice, track2: '42=', cvv: '1', pinBlock: '00' })).toEqual(advice);
});
