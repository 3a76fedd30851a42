import { describe, expect, it } from 'vitest';
import { isPending, isSuccess, outcomeOf, RESULT_GROUPS, resultGroup } from './result-classes.js';
import { RESULT_CODE_TABLE } from './result-code-table.js';
import { resultCodeList } from './result-codes.js';

const CODES = Object.keys(RESULT_CODE_TABLE);
/** The older forms of two patterns that clients still carry (gateway/docs/result-codes.md). */
const OLDER_SUCCESS = /^(000\.000\.|000\.100\.1|000\.[36])/;
const OLDER_REVIEW = /^(000\.400\.0|000\.400\.100)/;

describe('result groups', () => {
  it('covers every code once, the two ratings excepted', () => {
    const uncovered = CODES.filter((code) => resultGroup(code) === undefined);
    expect(uncovered).toEqual(['000.500.000', '000.500.100']);
    for (const code of CODES) {
      expect(RESULT_GROUPS.filter(([, pattern]) => pattern.test(code)).length, code).toBeLessThanOrEqual(1);
    }
  });

  it('has a code in every group', () => {
    for (const [group] of RESULT_GROUPS) {
      expect(
        CODES.some((code) => resultGroup(code) === group),
        group,
      ).toBe(true);
    }
  });

  it.each([
    ['000.100.110', 'success'],
    ['000.400.110', 'success'],
    ['000.400.000', 'success-review'],
    ['000.200.100', 'pending-short'],
    ['800.400.500', 'pending-long'],
    ['000.400.109', 'rejected-3ds-intercard-risk'],
    ['800.100.151', 'rejected-bank'],
    ['000.400.030', 'rejected-communication'],
    ['900.100.300', 'rejected-communication'],
    ['999.999.999', 'rejected-system'],
    ['100.396.101', 'rejected-asynchronous'],
    ['300.100.100', 'soft-decline'],
    ['800.400.100', 'rejected-address'],
    ['800.300.401', 'rejected-block-list'],
    ['800.120.100', 'rejected-risk-validation'],
    ['600.200.500', 'rejected-configuration'],
    ['100.150.200', 'rejected-registration'],
    ['100.250.121', 'rejected-job'],
    ['700.400.510', 'rejected-reference'],
    ['200.300.404', 'rejected-format'],
    ['100.800.501', 'rejected-address-validation'],
    ['100.900.200', 'rejected-contact-validation'],
    ['100.100.101', 'rejected-account-validation'],
    ['100.550.300', 'rejected-amount-validation'],
    ['000.100.200', 'chargeback'],
  ])('puts %s into %s', (code, group) => {
    expect(resultGroup(code)).toBe(group);
  });

  it('never shows a client with the older patterns a success that is none', () => {
    for (const code of CODES.filter((code) => OLDER_SUCCESS.test(code)))
      expect(isSuccess(code), code).toBe(true);
    const misread = CODES.filter((code) => OLDER_REVIEW.test(code) && !isSuccess(code));
    expect(misread).toEqual(['000.400.030']);
  });

  it('leaves nothing of a checkout or a pending payment to look paid', () => {
    for (const code of CODES.filter((code) => code.startsWith('000.200.'))) {
      expect(isPending(code) && !isSuccess(code), code).toBe(true);
    }
  });
});

describe('outcomeOf', () => {
  it.each([
    ['000.000.000', 'approved'],
    ['000.500.100', 'approved'],
    ['000.400.080', 'approved-review'],
    ['000.200.000', 'pending'],
    ['800.100.165', 'declined'],
    ['700.400.100', 'refused'],
    ['900.100.300', 'failed'],
    ['000.100.203', 'chargeback'],
    ['123.456.789', 'refused'],
  ])('calls %s %s', (code, outcome) => {
    expect(outcomeOf(code)).toBe(outcome);
  });
});

describe('resultCodeList', () => {
  it('has every code with its text', () => {
    const list = resultCodeList();
    expect(list).toHaveLength(CODES.length);
    expect(list).toContainEqual({ code: '200.300.404', description: 'invalid or missing parameter' });
  });
});
