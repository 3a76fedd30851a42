import { expect, it } from 'vitest';
import { type AcquirerRoute, type RouteFacts, readAcquirerRoutes, routeFor } from './acquirer-routes.js';

const MERCHANT = {
  merchantId: 'M1',
  terminalId: 'ECOM0001',
  category: '5411',
  name: 'Corner shop',
  city: 'Berlin',
  country: 'DE',
} as const;
const FACTS: RouteFacts = {
  currency: 'EUR',
  brand: 'VISA',
  method: 'CC',
  number: '4200000000000000',
  isCardPresent: false,
};

const acquirerOf = (routes: readonly Partial<AcquirerRoute>[], facts: Partial<RouteFacts> = {}) =>
  routeFor(
    routes.map((route, at) => ({ acquirer: `A${at}`, merchant: MERCHANT, ...route })),
    { ...FACTS, ...facts },
  )?.acquirer;

it.each<[Partial<AcquirerRoute>, Partial<RouteFacts>]>([
  [{ currencies: ['EUR'] }, { currency: 'USD' }],
  [{ brands: ['VISA'] }, { brand: 'MASTER' }],
  [{ methods: ['CC'] }, { method: 'DD' }],
  [{ bins: ['4100', '4200'] }, { number: '4300000000000000' }],
  [{ cardPresent: ['no'] }, { isCardPresent: true }],
])('takes what fits %j alone', (route, other) => {
  expect(acquirerOf([route, {}])).toBe('A0');
  expect(acquirerOf([route, {}], other)).toBe('A1');
  expect(acquirerOf([route], other)).toBeUndefined();
});

it('matches no payment without a value where a list requires one', () => {
  const { number: _, brand: __, ...bare } = FACTS;
  for (const list of [{ bins: ['4'] }, { brands: ['VISA'] }])
    expect(routeFor([{ acquirer: 'A', merchant: MERCHANT, ...list }], bare)).toBeUndefined();
});

it('reads routes', () => {
  const routes = [{ acquirer: 'EXTERNAL', merchant: MERCHANT, bins: ['4200'], cardPresent: ['yes'] }];
  expect(readAcquirerRoutes(JSON.stringify(routes))).toEqual(routes);
});

it.each<[unknown, string]>([
  ['{', 'the routes are not JSON'],
  [{}, 'the routes must be an array'],
  [[7], 'rule 1 must be an object with acquirer and merchant'],
  [[{ acquirer: 'external', merchant: MERCHANT }], 'rule 1: acquirer must be the name'],
  [[{ acquirer: 'A' }], 'rule 1: merchant is missing: expected an object with merchantId'],
  [[{ acquirer: 'A', merchant: { ...MERCHANT, category: '54' } }], 'rule 1: merchant.category must be four'],
  [
    [{ acquirer: 'A', merchant: { ...MERCHANT, timeZone: 'Mars' } }],
    'rule 1: merchant.timeZone must be a time zone',
  ],
  [[{ acquirer: 'A', merchant: { ...MERCHANT, country: 'XX' } }], 'rule 1: merchant.country must be an ISO'],
  [
    [{ acquirer: 'A', merchant: { ...MERCHANT, pin: '1' } }],
    'rule 1: merchant.pin is no known field; expected merchantId',
  ],
  [
    [{ acquirer: 'A', merchant: MERCHANT, bins: ['42x'] }],
    'rule 1: bins[0] must be the first 1 to 11 digits of card numbers, not "42x"',
  ],
  [
    [{ acquirer: 'A', merchant: MERCHANT, bins: ['4200', '4200000000000000'] }],
    'rule 1: bins[1] must be the first 1 to 11 digits of card numbers, not "420000******0000"',
  ],
  [
    [{ acquirer: 'A', merchant: MERCHANT, countries: ['DE'] }],
    'rule 1: countries is no known field; expected acquirer',
  ],
  [[{ acquirer: 'A', merchant: MERCHANT, cardPresent: [] }], 'rule 1: cardPresent must be an array of 1'],
])('refuses %j', (routes, reason) => {
  const text = typeof routes === 'string' ? routes : JSON.stringify(routes);
  expect(() => readAcquirerRoutes(text)).toThrow(reason);
});
