import { describe, expect, it } from 'vitest';
import { feeTypeOf, lineOf } from './ledger-line.js';

type Entry = Parameters<typeof lineOf>[0];
type Kind = Entry['kind'];
const entry = (kind: Kind, captureNow = false): Entry => ({ kind, captureNow });
const line = (recordType: string, transactionType: string, cashflow: string) => ({
  ...{ recordType, transactionType, cashflow },
});
const DEBIT = line('SETTLED', 'DEBIT', 'POS');
const REFUND = line('SETTLED', 'REFUND', 'NEG');
const CREDIT = line('SETTLED', 'CREDIT', 'NEG');

describe('what an entry of the ledger is settled as', () => {
  it.each<[Kind, boolean, object | undefined]>([
    ['authorization', true, DEBIT],
    ['authorization', false, undefined],
    ['increment', true, undefined],
    ['capture', false, DEBIT],
    ['receipt', false, DEBIT],
    ['advice', false, DEBIT],
    ['refund', false, REFUND],
    ['credit', false, CREDIT],
    ['chargeback', false, line('CHARGEBACK', 'DEBIT', 'NEG')],
    ['chargeback-reversal', false, line('CHARGEBACK REVERSAL', 'DEBIT', 'POS')],
  ])('%s (captured at once: %s) is %j', (kind, captureNow, expected) => {
    expect(lineOf(entry(kind, captureNow), undefined)).toEqual(expected);
  });

  it.each<[string, Entry | undefined, object | undefined]>([
    ['a sale', entry('authorization', true), REFUND],
    ['a capture', entry('capture'), REFUND],
    ['an advice', entry('advice'), REFUND],
    ['an authorization', entry('authorization'), undefined],
    ['a refund', entry('refund'), DEBIT],
    ['a credit', entry('credit'), DEBIT],
    ['a reversal', entry('reversal'), undefined],
    ['nothing', undefined, undefined],
  ])('the reversal of %s moves the money back', (_what, original, expected) => {
    expect(lineOf(entry('reversal'), original)).toEqual(expected);
  });
});

it.each<[Kind, string | undefined]>([
  ['authorization', 'AUTH_FEE'],
  ['increment', 'AUTH_FEE'],
  ['capture', 'CAPTURE_FEE'],
  ['refund', 'REFUND_FEE'],
  ['reversal', 'CANCEL_FEE'],
  ['advice', undefined],
  ['chargeback', undefined],
  ['chargeback-reversal', undefined],
])('%s is paid for by %s', (kind, fee) => {
  expect(feeTypeOf(entry(kind))).toBe(fee);
});
