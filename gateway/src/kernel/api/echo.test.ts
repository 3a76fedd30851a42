import { describe, expect, it } from 'vitest';
import { ALL_PARAMETERS } from './catalogue/sections.js';
import { rowsOf } from './check/check-request.js';
import { conformanceCases } from './check/samples.test.support.js';
import { echoOf } from './echo.js';
import { validateParameters } from './validate.js';

const echo = (sent: Readonly<Record<string, string>>) =>
  echoOf(validateParameters(Object.entries(sent), rowsOf('payment')));

describe('echoOf', () => {
  it('nests members, lists and maps', () => {
    expect(
      JSON.parse(
        JSON.stringify(
          echo({
            'customer.givenName': 'Jane',
            'customer.browser.language': 'de',
            'cart.items[2].name': 'second',
            'cart.items[0].name': 'first',
            'cart.items[0].recipient.city': 'Bonn',
            'airline.passengers[1].legs[4].flightNumber': 'LH1',
            'customParameters[a.b]': 'c',
            'shipping.customer.email': 'jane@shop.example',
          }),
        ),
      ),
    ).toEqual({
      customer: { givenName: 'Jane', browser: { language: 'de' } },
      cart: { items: [{ name: 'first', recipient: { city: 'Bonn' } }, { name: 'second' }] },
      airline: { passengers: [{ legs: [{ flightNumber: 'LH1' }] }] },
      customParameters: { 'a.b': 'c' },
      shipping: { customer: { email: 'jane@shop.example' } },
    });
  });

  it('takes dangerous names as names', () => {
    const answer = echo({ 'customParameters[__proto__]': 'x', 'customParameters[constructor]': 'y' });
    expect(JSON.stringify(answer)).toBe('{"customParameters":{"__proto__":"x","constructor":"y"}}');
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it('repeats nothing that is sensitive or not marked', () => {
    for (const { parameters, row } of conformanceCases('payment')) {
      const { sensitive } = ALL_PARAMETERS.find((candidate) => candidate.name === row) ?? {};
      if (!sensitive) continue;
      const shown = JSON.stringify(echo(Object.fromEntries(parameters)));
      expect(shown, row).not.toContain('4200000000000000');
    }
    expect(echo({ 'card.number': '4200000000000000', integrity: 'true', sequence: 'FINAL' })).toEqual({});
  });

  it('has no name that is both a value and an object', () => {
    const names = ALL_PARAMETERS.filter((row) => row.echoed).map((row) => row.name);
    const clashes = names.filter((name) => names.some((other) => other.startsWith(`${name}.`)));
    expect(clashes).toEqual([]);
  });
});
