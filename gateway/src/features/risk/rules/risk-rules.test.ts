import { expect, it } from 'vitest';
import { RiskRulesError, readRiskRules, withCards } from './risk-rules.js';

const read = (...rules: readonly object[]) => readRiskRules(JSON.stringify({ rules }));
const FAST = { name: 'fast', kind: 'velocity', by: 'card', count: 3, minutes: 60 };

it('reads rules of each kind, amounts in minor units and lists in small letters', () => {
  const effect = { points: 0 };
  const rules = [
    { ...FAST, points: 100 },
    { name: 'much', kind: 'amount', currency: 'JPY', above: '500.00', action: 'review' },
    { name: 'abroad', kind: 'country-mismatch', between: ['billing', 'ip'] },
    { name: 'known', kind: 'list', of: 'email', values: ['Jane@Example.com'], action: 'allow' },
    { name: 'street', kind: 'avs', answers: ['N'] },
    { name: 'code', kind: 'cvv', answers: ['N'] },
  ];
  expect(readRiskRules(JSON.stringify({ rules, reviewFrom: 50 }))).toEqual({
    rules: [
      rules[0],
      { name: 'much', kind: 'amount', currency: 'JPY', aboveMinor: 500, action: 'review', ...effect },
      { ...rules[2], ...effect },
      { ...rules[3], values: ['jane@example.com'], ...effect },
      { ...rules[4], ...effect },
      { ...rules[5], ...effect },
    ],
    reviewFrom: 50,
    refuseFrom: 100,
  });
  expect(readRiskRules('{}')).toEqual({ rules: [], refuseFrom: 100 });
});

it.each<[object, string]>([
  [{ ...FAST, kind: 'velocty' }, 'rules[0].kind must be one of velocity, amount'],
  [{ ...FAST, kind: 'velocty' }, '; did you mean velocity?'],
  [{ ...FAST, kind: undefined }, 'rules[0].kind is missing: expected one of velocity'],
  [{ ...FAST, minuts: 5 }, 'rules[0].minuts is no known field; did you mean minutes?'],
  [{ ...FAST, name: '' }, 'rules[0].name must be 1 to 64 printable characters, not ""'],
  [{ ...FAST, count: 1_001 }, 'rules[0].count must be a whole number from 1 to 1000, not 1001'],
  [{ ...FAST, points: 100_000 }, 'rules[0].points must be a whole number from -99999 to 99999'],
  [
    { ...FAST, action: 'allow' },
    'rules[0].action must be review or refuse (allow is for lists), not "allow"',
  ],
  [
    { name: 'a', kind: 'amount', currency: 'EURO', above: '1.00' },
    'rules[0].currency must be an ISO 4217 code such as EUR, not "EURO"; did you mean EUR?',
  ],
  [{ name: 'a', kind: 'amount', currency: 'EUR', above: '1.0' }, 'rules[0].above is wrong: amount must be'],
  [{ name: 'a', kind: 'amount', currency: 'EUR', above: 1 }, 'rules[0].above must be an amount in quotes'],
  [{ name: 'a', kind: 'country-mismatch', between: ['ip'] }, 'rules[0].between must be two of billing'],
  [{ name: 'a', kind: 'country-mismatch', between: ['ip', 'ip'] }, 'rules[0].between must be two of billing'],
  [{ name: 'a', kind: 'list', of: 'ip', values: [] }, 'rules[0].values must be a list of 1 to 10000 texts'],
  [{ name: 'a', kind: 'list', of: 'ip', values: [7] }, 'rules[0].values[0] must be a text of 1 to 128'],
])('refuses %j with field, rule and likely intent', (rule, message) => {
  expect(() => read(rule)).toThrow(RiskRulesError);
  expect(() => read(rule)).toThrow(message);
});

it('refuses two rules of one name, and what is no set of rules', () => {
  expect(() => read(FAST, { ...FAST, count: 4 })).toThrow('rules[1] has the name of a rule above it');
  expect(() => readRiskRules('{')).toThrow('the set of rules is not JSON');
  expect(() => readRiskRules('{"rules": [null]}')).toThrow('rules[0] must be an object, not null');
  expect(() => readRiskRules('[]')).toThrow('the set of rules must be an object, not []');
  expect(() => readRiskRules('{"refuseFrom": "5"}')).toThrow('refuseFrom must be a whole number from');
});

it('names no fault of an amount or a name where the field itself is wrong', () => {
  const faultOf = (...rules: readonly object[]) => {
    try {
      read(...rules);
    } catch (error) {
      return error instanceof RiskRulesError ? error.message : error;
    }
    return undefined;
  };
  const amount = { name: 'a', kind: 'amount' };
  for (const wrong of [{ currency: 'EUR' }, { above: '1.00' }, { currency: 7, above: '1.00' }, {}])
    expect(faultOf({ ...amount, ...wrong })).not.toMatch(/above is wrong|Error/);
  expect(faultOf({ ...amount, currency: 'EUR', above: 1 })).toContain('must be an amount in quotes');
  const { name: _, ...nameless } = FAST;
  expect(faultOf(nameless, nameless)).not.toContain('the name of a rule above it');
  expect(() => readRiskRules('{"rules": {}}')).toThrow('must be a list of at most 200 rules');
});

it('changes the values of lists of cards, and nothing else', () => {
  const rules = [
    { name: 'stolen', kind: 'list', of: 'card', values: ['42', '52'] },
    { name: 'known', kind: 'list', of: 'email', values: ['a@b'] },
    { ...FAST, name: 'fast', points: 5 },
  ];
  const before = readRiskRules(JSON.stringify({ rules, reviewFrom: 50 }));
  const [cards, ...others] = before.rules;
  expect(withCards(before, (card) => `sealed ${card}`)).toEqual({
    ...before,
    rules: [{ ...cards, values: ['sealed 42', 'sealed 52'] }, ...others],
  });
});
