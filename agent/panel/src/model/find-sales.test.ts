import { describe, expect, it } from 'vitest';
import type { Sale } from '../api/answers.js';
import { csvOf, isFound, SALE_FILTERS } from './find-sales.js';

const SALE: Sale = {
  reference: 'front-1-abc',
  terminalId: '1001',
  type: 'sale',
  state: 'done',
  outcome: 'approved',
  mode: 'online',
  amount: '12.34',
  currency: 'EUR',
  cashierText: '',
  timeline: [{ at: '2026-11-23T10:00:00.000Z', step: 'accepted' }],
  card: { brand: 'VISA', last4Digits: '0011', entryMode: 'ICC' },
};

describe('a search for sales', () => {
  it.each(['visa', '0011', '12.34', '12,34', '1234', 'ABC', '1001', ' '])('finds one by "%s"', (query) => {
    expect(isFound(SALE, query, 'all')).toBe(true);
    expect(
      isFound(
        { ...SALE, reference: 'x', terminalId: '9', amount: '5.00', card: { entryMode: 'ICC' } },
        query,
        'all',
      ),
    ).toBe(query.trim() === '');
  });

  it('lists by how a sale stands', () => {
    const of = (more: Partial<Sale>) =>
      SALE_FILTERS.filter((filter) => isFound({ ...SALE, ...more }, '', filter));
    expect(of({})).toEqual(['all', 'approved']);
    expect(of({ outcome: 'declined' })).toEqual(['all', 'not-approved']);
    expect(of({ lateDecline: { reason: 'declined-later' } })).toEqual(['all', 'not-approved']);
    expect(of({ state: 'parked', outcome: null })).toEqual(['all', 'open']);
  });
});

it('writes sales for a spreadsheet, in which no reference is a formula', () => {
  expect(csvOf([{ ...SALE, reference: '=1+1,"x"' }])).toBe(
    'time,type,amount,currency,state,outcome,brand,last4Digits,terminal,till,mode,approvalCode,reference\r\n' +
      '2026-11-23T10:00:00.000Z,sale,12.34,EUR,done,approved,VISA,0011,1001,,online,,"\'=1+1,""x""' +
      '"\r\n',
  );
});
