import { isValidBIC, isValidIBAN } from 'ibantools';
import { expect, it } from 'vitest';
import { chargebackRule, isWithinChargebackWindow } from './chargeback-reasons.js';
import { RESULT_CODE_TABLE } from './result-codes/result-code-table.js';
import { RETURN_REASONS } from './sepa-returns.js';
import { findTestAccount, TEST_ACCOUNTS } from './test-accounts.js';

const DAY_MS = 24 * 3_600_000;

it.each(TEST_ACCOUNTS.map((each) => [each.iban, each] as const))(
  '%s is an account with right check digits',
  (iban, each) => {
    // The library checks the national digits of Spain too.
    expect(isValidIBAN(iban)).toBe(true);
    expect(isValidBIC(each.bic)).toBe(true);
    expect(findTestAccount({ iban: iban.toLowerCase() })).toBe(each);
    expect(findTestAccount({ number: each.number, bankCode: each.bankCode })).toBe(each);
  },
);

it('has an account for every reason of return, and in every country one that pays', () => {
  const reasons = TEST_ACCOUNTS.flatMap(({ behaviour }) =>
    behaviour.kind === 'return' ? [behaviour.reason] : [],
  );
  expect(new Set(reasons)).toEqual(new Set(Object.keys(RETURN_REASONS)));
  const paying = TEST_ACCOUNTS.filter(({ behaviour }) => behaviour.kind === 'pay');
  expect(paying.map(({ country }) => country)).toEqual(['DE', 'AT', 'ES']);
});

it.each([
  ['AC01', '201'],
  ['AC04', '202'],
  ['AM04', '203'],
  ['MD01', '204'],
  ['MD06', '206'],
  ['AC06', '208'],
  ['MS03', '200'],
  ['ZZ99', '200'],
])('returns for %s with 000.100.%s', (reason, code) => {
  const { resultCode } = chargebackRule(reason);
  expect(resultCode).toBe(`000.100.${code}`);
  expect(RESULT_CODE_TABLE).toHaveProperty([resultCode]);
});

it.each([
  ['MD06', 56, true],
  ['MD06', 57, false],
  ['AM04', 57, false],
  ['MD01', 57, true],
  ['MD01', 396, true],
  ['MD01', 397, false],
])('takes %s back %i days after the due date: %s', (reason, days, expected) => {
  expect(isWithinChargebackWindow(reason, 1_000, 1_000 + days * DAY_MS)).toBe(expected);
});
