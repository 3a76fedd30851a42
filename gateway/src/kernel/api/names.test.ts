import { describe, expect, it } from 'vitest';
import { parametersOf } from './catalogue/sections.js';
import { indexNames, lookUpName, MAX_INDEX } from './names.js';

const INDEX = indexNames(parametersOf('payment'));
const messageOf = (name: string): string | undefined => {
  const lookup = lookUpName(name, INDEX);
  return lookup.found ? undefined : lookup.message;
};

describe('lookUpName', () => {
  it.each([
    ['amount', 'amount', []],
    ['cart.items[3].name', 'cart.items[n].name', [3]],
    [`cart.items[${MAX_INDEX}].recipient.city`, 'cart.items[n].recipient.city', [MAX_INDEX]],
    ['airline.passengers[2].legs[0].flightNumber', 'airline.passengers[n].legs[n].flightNumber', [2, 0]],
    ['threeDSecure.schemeData[CB-USECASE]', 'threeDSecure.schemeData[CB-USECASE]', []],
    ['threeDSecure.v2.CARTEBANCAIRE.requestorId', 'threeDSecure.v2.<scheme>.requestorId', []],
  ])('finds %s', (name, pattern, indices) => {
    expect(lookUpName(name, INDEX)).toMatchObject({ found: true, row: { name: pattern }, indices });
  });

  it('finds the key of a map', () => {
    expect(lookUpName('customParameters[SHOPPER_a.1]', INDEX)).toMatchObject({
      found: true,
      key: 'SHOPPER_a.1',
    });
    expect(lookUpName('customParameters[123]', INDEX)).toMatchObject({ found: true, key: '123' });
    expect(lookUpName('merchant.data[__proto__]', INDEX)).toMatchObject({ found: true, key: '__proto__' });
  });

  it.each(['cart.items[1001].name', 'cart.items[01].name', 'cart.items[-1].name', 'cart.items[].name'])(
    'refuses the index of %s',
    (name) => {
      expect(messageOf(name)).toBe('must have an index from 0 to 1000 in each bracket');
    },
  );

  it.each(['customParameters[ab]', `customParameters[${'a'.repeat(65)}]`, 'risk.parameters[a b]'])(
    'refuses the key of %s',
    (name) => {
      expect(messageOf(name)).toContain('the name in brackets must have 3 to 64');
    },
  );

  it.each([
    ['entityID', 'entityId'],
    ['ENTITYID', 'entityId'],
    ['customer.givenname', 'customer.givenName'],
    ['card.numbr', 'card.number'],
    ['cart.item[2].name', 'cart.items[2].name'],
    ['customparameters[abc]', 'customParameters[abc]'],
    ['threeDSecure.v2.visa.requestorId', 'threeDSecure.v2.VISA.requestorId'],
  ])('for %s suggests %s', (sent, meant) => {
    expect(messageOf(sent)).toBe(`is not an allowed parameter; did you mean ${meant}?`);
  });

  it.each([
    'colour',
    'toString',
    '__proto__',
    'constructor',
    '',
    'cart.items[n].name',
    'customParameters[key][key]',
    'threeDSecure.v2.<scheme>.requestorId',
    'amount[0]',
    `amount${'t'.repeat(300)}`,
  ])('does not know %s', (name) => {
    expect(lookUpName(name, INDEX).found).toBe(false);
  });
});
