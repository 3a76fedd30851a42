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
])('assesses %j as %j', (verificationResults, verdict) => {
  expect(assessRisk({ ...answer, ...verificationResults })).toMatchObject(verdict);
});

it('takes the score that a test requests', () => {
  expect(assessRisk({ ...answer, cvvResponse: 'N' }, { forcedScore: -5 })).toMatchObject({ score: -5 });
  expect(assessRisk(answer, { forcedScore: 99 })).toEqual({ score: 99, found: [] });
  expect(assessRisk(answer, { forcedScore: 100 })).toMatchObject({ score: 100, refusal: '100.400.020' });
});

it('goes by the rules of the entity, and adds to the score that was before', () => {
  const rules = [
    { name: 'a', kind: 'avs', answers: ['N'], points: 7 },
    { name: 'b', kind: 'avs', answers: ['Z'], points: 0, action: 'review' },
    { name: 'c', kind: 'cvv', answers: ['N'], points: 0, action: 'refuse' },
    { name: 'd', kind: 'cvv', answers: ['U'], points: 0, action: 'review' },
  ] as const;
  const policy = { score: 10, rules, refuseFrom: 17 };
  const assessed = (results: object) => assessRisk({ ...answer, ...results }, policy);
  expect(assessed({})).toEqual({ score: 10, found: [] });
  expect(assessed({ avsResponse: 'N' })).toEqual({
    score: 17,
    found: ['a'],
    refusal: '100.400.020',
    isOwn: true,
  });
  expect(assessed({ avsResponse: 'Z' })).toEqual({ score: 10, found: ['b'], review: '000.400.010' });
  expect(assessed({ cvvResponse: 'N' })).toEqual({
    score: 10,
    found: ['c'],
    refusal: '100.400.020',
    isOwn: true,
  });
  expect(assessed({ cvvResponse: 'U' })).toEqual({ score: 10, found: ['d'], review: '000.400.020' });
});

it('refuses by the code of the rule that does, whatever was found before it', () => {
  const rules = [
    { name: 'a', kind: 'cvv', answers: ['N'], points: 0, action: 'review' },
    { name: 'b', kind: 'avs', answers: ['N'], points: 0, action: 'refuse' },
  ] as const;
  expect(assessRisk({ ...answer, avsResponse: 'N', cvvResponse: 'N' }, { rules })).toEqual({
    score: 0,
    found: ['a', 'b'],
    refusal: '800.400.100',
    isOwn: true,
  });
});

it('adds the points of each rule that fits', () => {
  expect(assessRisk({ ...answer, avsResponse: 'A' }, { score: 79 })).toEqual({
    score: 99,
    found: ['avs in part'],
  });
  expect(assessRisk({ ...answer, avsResponse: 'A' }, { score: 80 })).toMatchObject({
    score: 100,
    refusal: '100.400.020',
  });
});

it('never leaves the bounds of a score', () => {
  expect(
    assessRisk(answer, { score: 99_999, rules: [{ name: 'a', kind: 'cvv', answers: [''], points: 5 }] }),
  ).toMatchObject({ score: 99_999 });
  expect(assessRisk(answer, { score: -99_999, refuseFrom: 1 })).toMatchObject({ score: -99_999 });
});
