import { describe, expect, it } from 'vitest';
import { DIALECT_NAMES } from '../dialects/dialect-names.js';
import { DIALECTS } from '../dialects/dialects.js';
import { packMessage, unpackMessage } from '../message.js';
import { packExchange, unpackExchange } from './exchange-codec.js';
import type { ExchangeMessage } from './exchange-message.js';

const AT_MS = Date.UTC(2026, 10, 23, 7, 22);
const ANSWER: ExchangeMessage = {
  kind: 'financial',
  isAdvice: false,
  isResponse: true,
  isRepeat: false,
  stan: '000001',
  at: '20261123072200',
  responseCode: '00',
  additionalAmounts: [
    { account: '30', type: '01', amount: { minor: -1_250, currency: 'EUR' } },
    { account: '30', type: '02', amount: { minor: 98_765, currency: 'JPY' } },
    { account: '00', type: '40', amount: { minor: 5_000, currency: 'EUR' } },
  ],
};

describe.each(DIALECT_NAMES)('additional amounts in %s', (name) => {
  const dialect = DIALECTS[name];

  it('come back as they were written', () => {
    const bytes = packExchange(dialect, ANSWER, false);
    expect(unpackExchange(dialect, bytes, AT_MS).additionalAmounts).toEqual(ANSWER.additionalAmounts);
  });

  it('that cannot be read are none, and cost no answer', () => {
    const { mti, fields } = unpackMessage(dialect, packExchange(dialect, ANSWER, false));
    for (const value of ['3002', `3002999${'C'.padEnd(14, '0')}`, 'X'.repeat(21)]) {
      const bytes = packMessage(dialect, { mti, fields: { ...fields, 54: value } });
      expect(unpackExchange(dialect, bytes, AT_MS)).toMatchObject({
        responseCode: '00',
        additionalAmounts: [],
      });
    }
  });
});

it('are groups of twenty characters in 1987, of twenty-one in cmf', () => {
  const text = (name: '1987-binary' | 'cmf') =>
    unpackMessage(DIALECTS[name], packExchange(DIALECTS[name], ANSWER, false)).fields[54];
  expect(text('1987-binary')).toBe('3001978D0000000012503002392C0000000987650040978C000000005000');
  expect(text('cmf')).toBe('30019782D00000000125030023920C00000009876500409782C000000005000');
});
