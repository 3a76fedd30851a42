import { FOLLOW_UPS } from '@tillbridge/wire/payment/lifecycle.js';
import { expect, it } from 'vitest';
import {
  FOLLOW_UP_ROWS,
  followUpOnCard,
  isReversal,
  isSettledAs,
  PRACTICES,
  ROWS_BY_TYPE,
} from './follow-up-rows.js';

it.each([
  ['PA', 'REAUTHORIZATION'],
  ['DB', 'RB'],
  ['PA.CP', 'RB'],
  ['CD', 'CD'],
  ['RF', undefined],
  ['RC', undefined],
  ['XX', undefined],
])('a %s that names another payment and brings no card is the follow-up %s', (type, followUp) => {
  expect(followUpOnCard(type)).toBe(followUp);
});

it('separates industry practices from types of payments', () => {
  expect(PRACTICES.toSorted()).toEqual(['INCREMENTAL_AUTH', 'REAUTHORIZATION']);
});

it('has a row for each follow-up and each new payment', () => {
  for (const name of FOLLOW_UPS) expect(FOLLOW_UP_ROWS[name]).toBeDefined();
  for (const type of ['PA', 'PA.CP', 'DB', 'CD', 'CP', 'RF', 'RV', 'RB', 'RC'])
    expect(ROWS_BY_TYPE.get(type)).toBeDefined();
});

it('names what is settled', () => {
  for (const type of ['DEBIT', 'REFUND', 'CREDIT']) expect(isSettledAs(type)).toBe(true);
  for (const type of ['FEE', 'debit', '']) expect(isSettledAs(type)).toBe(false);
});

it('has one reversal', () => {
  expect([...ROWS_BY_TYPE.keys()].filter(isReversal)).toEqual(['RV']);
  expect(isReversal('XX')).toBe(false);
});
