import { describe, expect, it } from 'vitest';
import { channelFor, RoutingRulesError, readRoutingRules } from './routing-rules.js';

const A = 'a'.repeat(32);
const B = 'b'.repeat(32);
const C = 'c'.repeat(32);

describe('channelFor', () => {
  const rules = readRoutingRules(
    JSON.stringify([
      { channelId: A, currencies: ['EUR', 'CHF'], brands: ['VISA'] },
      { channelId: B, currencies: ['EUR'], countries: ['DE'] },
      { channelId: C, currencies: ['EUR'] },
    ]),
  );

  it.each([
    ['the first of two that fit', { currency: 'EUR', brand: 'VISA', country: 'DE' }, A],
    ['each value of a list', { currency: 'CHF', brand: 'VISA' }, A],
    [
      'the second where the first requires another brand',
      { currency: 'EUR', brand: 'AMEX', country: 'DE' },
      B,
    ],
    ['the last where the bill goes elsewhere', { currency: 'EUR', brand: 'AMEX', country: 'FR' }, C],
    ['the last where the payment has neither brand nor country', { currency: 'EUR' }, C],
    ['none for another currency', { currency: 'USD', brand: 'VISA', country: 'DE' }, undefined],
    ['none for a payment without any fact', {}, undefined],
  ])('takes %s', (_what, facts, channel) => {
    expect(channelFor(rules, facts)).toBe(channel);
  });

  it('takes everything for a rule without conditions', () => {
    expect(channelFor([{ channelId: A }], {})).toBe(A);
  });
});

it.each([
  ['{', 'not JSON'],
  ['{}', 'must be an array'],
  ['[3]', 'rule 1 must be an object'],
  [`[{"channelId":"${A}"},{"channelId":"X"}]`, 'rule 2: channelId must be 32 lowercase hex digits, not "X"'],
  [
    `[{"channelId":"${A}","colour":["red"]}]`,
    'rule 1: colour is no known field; expected channelId, currencies, brands, countries',
  ],
  [`[{"channelId":"${A}","constructor":["red"]}]`, 'constructor is no known field'],
  [`[{"channelId":"${A}","currencies":"EUR"}]`, 'currencies must be an array of 1 to 250 values'],
  [`[{"channelId":"${A}","currencies":[]}]`, 'currencies must be an array of 1 to 250 values'],
  [
    `[{"channelId":"${A}","currencies":["EUR","XXQ"]}]`,
    'rule 1: currencies[1] must be an ISO 4217 code such as EUR, not "XXQ"',
  ],
  [
    `[{"channelId":"${A}","countries":["DEU"]}]`,
    'countries[0] must be an ISO 3166-1 alpha-2 code such as DE',
  ],
  [
    `[{"channelId":"${A}","brands":["Visa"]}]`,
    'brands[0] must be a brand of the API such as VISA, not "Visa"',
  ],
  [
    JSON.stringify(Array.from({ length: 501 }, () => ({ channelId: A }))),
    'must be an array of at most 500 rules',
  ],
])('refuses %s', (json, message) => {
  expect(() => readRoutingRules(json)).toThrow(RoutingRulesError);
  expect(() => readRoutingRules(json)).toThrow(message);
});
