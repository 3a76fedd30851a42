import { describe, expect, it } from 'vitest';
import type { ContentionCase } from './cases/contention-case.js';
import { type Answered, type Effects, faultsOf } from './judge.js';

const ONE: ContentionCase = {
  what: 'one payment',
  requests: () => () => ({ method: 'POST', path: '/v1/payments', form: {} }),
  refused: [409],
  accepted: 1,
  different: { id: 1 },
  money: { authorization: 1 },
  rows: { payments: 1 },
};
const answer = (status: number, more: object = {}): Answered => ({
  status,
  headers: {},
  isOfPayment: true,
  body: {
    ...(status === 200 && { id: 'a' }),
    result: { code: status === 200 ? '000.100.110' : '800.600.100', description: 'text' },
    ndc: 'ndc-1',
    timestamp: '2026-11-24 12:00:00+0000',
    buildNumber: 'test',
    ...more,
  },
});
const GOOD = [answer(200), answer(409)];
const DONE: Effects = { money: { authorization: 1 }, rows: { payments: 1 }, payments: [{ id: 'a' }] };

describe('the judge', () => {
  it('finds nothing where one request is carried out, and the other is refused as it may be', () => {
    expect(faultsOf(ONE, 2, GOOD, DONE)).toEqual([]);
  });

  it.each<[string, readonly Answered[], Partial<Effects>, string]>([
    ['an answer 500', [answer(200), answer(500)], {}, 'answered 500'],
    ['an answer 503', [answer(200), answer(503)], {}, 'answered 503'],
    ['a status that the case does not name', [answer(200), answer(404)], {}, 'answered 404'],
    ['an answer without an envelope', [answer(200), answer(409, { ndc: undefined })], {}, 'no envelope'],
    ['two that are carried out', [answer(200), answer(200)], {}, 'answers 200: 2, where 1 may be'],
    ['none', [answer(409), answer(409)], {}, 'answers 200: 0, where 1 may be'],
    ['two ids', [answer(200), answer(200, { id: 'b' })], {}, 'different id: 2'],
    ['money twice', GOOD, { money: { authorization: 2 } }, 'approved: authorization: 2'],
    ['money of another kind', GOOD, { money: { authorization: 1, refund: 1 } }, 'approved: refund: 1'],
    ['a row too many', GOOD, { rows: { payments: 2 } }, 'rows of payments: 2'],
    ['a payment without an answer', GOOD, { payments: [{ id: 'a' }, { id: 'b' }] }, 'without an answer'],
    ['an answer without a payment', GOOD, { payments: [] }, 'an approval that is not stored'],
  ])('finds %s', (_what, answers, effects, fault) => {
    expect(faultsOf(ONE, 2, answers, { ...DONE, ...effects }).join('\n')).toContain(fault);
  });
});
