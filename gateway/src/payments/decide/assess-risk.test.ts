import { expect, it } from 'vitest';
import { assessRisk } from './assess-risk.js';

const answer = { approved: true, resultCode: '000.100.110', responseCode: '00' };

it.each([
  [{}, { score: 0 }],
  [{ avsResponse: 'F', cvvResponse: 'M' }, { score: 0 }],
  [{ avsResponse: 'A' }, { score: 20 }],
  [{ avsResponse: 'N' }, { score: 60 }],
  [{ cvvResponse: 'N' }, { score: 100, refusal: '100.400.020' }],
  [
    { avsResponse: 'Z', cvvResponse: 'N' },
    { score: 120, refusal: '100.400.020' },
  ],
])('says to %j: %j', (verificationResults, verdict) => {
  expect(assessRisk({ ...answer, ...verificationResults })).toEqual(verdict);
});

it('takes the score that a test asks for', () => {
  expect(assessRisk({ ...answer, cvvResponse: 'N' }, -5)).toEqual({ score: -5 });
  expect(assessRisk(answer, 99)).toEqual({ score: 99 });
  expect(assessRisk(answer, 100)).toEqual({ score: 100, refusal: '100.400.020' });
});
