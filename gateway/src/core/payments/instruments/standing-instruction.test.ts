import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { describe, expect, it } from 'vitest';
import type { StandingInstruction } from '../../acquirers/standing-instruction.js';
import { brokenStandingRule, STANDING_RULES, type StandingFacts } from './standing-instruction.js';

const FACTS: StandingFacts = { standing: {}, brand: 'VISA', isLinked: false, today: '2026-11-20' };
const broken = (standing: StandingInstruction, more: Partial<StandingFacts> = {}) => {
  const rule = brokenStandingRule({ ...FACTS, ...more, standing });
  return rule && [rule.parameter, rule.resultCode];
};

describe('what the networks allow', () => {
  it.each<[string, StandingInstruction]>([
    ['a first payment', { mode: 'INITIAL', source: 'CIT', type: 'RECURRING', recurringType: 'SUBSCRIPTION' }],
    ['a first payment without source and type', { mode: 'INITIAL' }],
    ['nothing at all', {}],
    ['a stored card of the cardholder', { source: 'CIT' }],
    ['a subscription without a type', { mode: 'INITIAL', recurringType: 'SUBSCRIPTION' }],
    [
      'a first installment',
      { mode: 'INITIAL', source: 'CIT', type: 'INSTALLMENT', numberOfInstallments: '12' },
    ],
    ['a repeated one', { mode: 'REPEATED', source: 'MIT', initialTransactionId: '1' }],
    ['a repeated one of the cardholder', { mode: 'REPEATED', source: 'CIT' }],
    ['an industry practice', { source: 'MIT', industryPractice: 'NO_SHOW', initialTransactionId: '1' }],
    ['an agreement that ends today', { mode: 'INITIAL', source: 'CIT', expiry: '2026-11-20' }],
  ])('%s', (_, standing) => expect(broken(standing)).toBeUndefined());

  it('an earlier payment of ours in place of a reference', () => {
    expect(broken({ mode: 'REPEATED', source: 'MIT' }, { isLinked: true })).toBeUndefined();
  });
});

describe('each rule', () => {
  it.each<[StandingInstruction, string, string]>([
    [{ mode: 'INITIAL', source: 'MIT' }, 'source', '600.200.501'],
    [{ source: 'MIT', initialTransactionId: '1' }, 'mode', '600.200.501'],
    [{ mode: 'INITIAL', source: 'CIT', initialTransactionId: '1' }, 'initialTransactionId', '600.200.501'],
    [{ source: 'CIT', industryPractice: 'NO_SHOW' }, 'industryPractice', '600.200.501'],
    [{ mode: 'INITIAL', industryPractice: 'RESUBMISSION' }, 'industryPractice', '600.200.501'],
    [
      { mode: 'INITIAL', type: 'UNSCHEDULED', recurringType: 'STANDING_ORDER' },
      'recurringType',
      '600.200.501',
    ],
    [
      { mode: 'INITIAL', type: 'RECURRING', numberOfInstallments: '3' },
      'numberOfInstallments',
      '600.200.501',
    ],
    [{ mode: 'REPEATED', source: 'MIT' }, 'initialTransactionId', '100.150.300'],
    [{ mode: 'REPEATED', source: 'MIT', agreementId: 'a' }, 'initialTransactionId', '100.150.300'],
    [{ mode: 'INITIAL', source: 'CIT', expiry: '2026-11-19' }, 'expiry', '600.200.501'],
  ])('%j breaks the rule on %s', (standing, parameter, code) =>
    expect(broken(standing)).toEqual([parameter, code]),
  );

  it('has a result code of the catalogue', () => {
    for (const { resultCode } of STANDING_RULES) expect(resultDescription(resultCode)).not.toBe('');
  });
});
