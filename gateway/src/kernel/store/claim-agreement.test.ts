import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimedAgreement, isOtherCard } from './claim-agreement.js';
import type { AgreementRow } from './rows.js';
import type { ClaimAgreement } from './store.js';

const row = fc.record({
  merchantId: fc.constant('m'),
  reference: fc.constant('r'),
  state: fc.constantFrom('held' as const, 'made' as const),
  card: fc.constantFrom('a', 'b', 'c'),
  numberType: fc.constantFrom(null, 'PAN' as const, 'DPAN' as const),
  type: fc.constantFrom(null, 'UNSCHEDULED' as const, 'RECURRING' as const),
  expiry: fc.constantFrom(null, '2026-12-31'),
  paymentId: fc.constantFrom('p1', 'p2', 'p3'),
  createdAtMs: fc.nat(),
  version: fc.constant(1),
});
const claim = fc.record(
  {
    op: fc.constant('claim-agreement' as const),
    row,
    otherwise: fc.constantFrom('conflict' as const, 'leave' as const),
    instead: fc.constantFrom('p1', 'p2', 'p3'),
  },
  { requiredKeys: ['op', 'row', 'otherwise'] },
);

/** The agreement before and after each claim of a sequence. */
function* stepsOf(claims: readonly ClaimAgreement[]) {
  let stored: AgreementRow | undefined;
  for (const each of claims) {
    const claimed = claimedAgreement(stored, each);
    const after: AgreementRow | undefined = claimed === 'conflict' ? stored : (claimed ?? stored);
    yield { each, before: stored, claimed, after };
    stored = after;
  }
}

const always = (holds: (step: ReturnType<typeof stepsOf> extends Generator<infer S> ? S : never) => void) =>
  fc.assert(
    fc.property(fc.array(claim, { minLength: 1, maxLength: 12 }), (claims) => {
      for (const step of stepsOf(claims)) holds(step);
    }),
    propertyRuns(500),
  );

it('leaves a made agreement with its card, and never holds it again', () => {
  always(({ before, after }) => {
    if (before?.state !== 'made') return;
    expect(after).toMatchObject({ state: 'made', card: before.card, numberType: before.numberType });
  });
});

it('fails only for another card, and never for a payment whose money has moved', () => {
  always(({ each, before, claimed }) => {
    if (claimed !== 'conflict') return;
    expect(each.otherwise).toBe('conflict');
    expect(before && isOtherCard(before, each.row)).toBe(true);
  });
});

it('gives a held agreement to another card only where its payment was declined, or the other one is approved', () => {
  always(({ each, before, after }) => {
    if (!before || !after || before.card === after.card) return;
    expect(before.state).toBe('held');
    expect(before.paymentId === each.instead || each.otherwise === 'leave').toBe(true);
  });
});

const [A, B] = [{ card: 'a', numberType: 'PAN' } as const, { card: 'b', numberType: 'PAN' } as const];
const TOKEN = { card: 'b', numberType: 'DPAN' } as const;

it.each([
  ['two numbers of one type', A, B, true],
  ['one number', A, A, false],
  ['a number and a token', A, TOKEN, false],
] as const)('%s: whether they are certainly of two cards', (_, one, other, isOther) => {
  expect(isOtherCard(one, other)).toBe(isOther);
  expect(isOtherCard(other, one)).toBe(isOther);
});

const HELD = { state: 'held', paymentId: 'p1' } as const;
const MADE = { state: 'made', paymentId: 'p1' } as const;
const TAKES_PLACE = { instead: 'p1' };
const LEAVE = { otherwise: 'leave' } as const;

const ROW = {
  merchantId: 'm',
  reference: 'r',
  type: null,
  expiry: null,
  createdAtMs: 1,
  version: 1,
} as const;

it.each([
  ['a free reference', undefined, 'held', B, {}, 'the claim'],
  ['a held one of the same card', { ...HELD, ...A }, 'held', A, {}, 'the claim'],
  ['a held one of the same card, approved', { ...HELD, ...A }, 'made', A, {}, 'the claim'],
  ['a made one of the same card, approved again', { ...MADE, ...A }, 'made', A, {}, 'the claim'],
  ['a made one of the same card', { ...MADE, ...A }, 'held', A, {}, 'what is stored'],
  [
    'a made one of a token',
    { ...MADE, ...A },
    'made',
    TOKEN,
    {},
    'the claim, with the number that is stored',
  ],
  ['a held one of another card', { ...HELD, ...A }, 'held', B, {}, 'a conflict'],
  ['a held one of another card, in its place', { ...HELD, ...A }, 'held', B, TAKES_PLACE, 'the claim'],
  [
    'a held one of another card, in place of another',
    { ...HELD, ...A },
    'held',
    B,
    { instead: 'p9' },
    'a conflict',
  ],
  ['a held one of another card, approved', { ...HELD, ...A }, 'made', B, LEAVE, 'the claim'],
  ['a made one of another card', { ...MADE, ...A }, 'held', B, TAKES_PLACE, 'a conflict'],
  ['a made one of another card, approved', { ...MADE, ...A }, 'made', B, LEAVE, 'what is stored'],
] as const)('a claim that finds %s', (_, found, state, number, how, left) => {
  const stored = found && { ...ROW, ...found };
  const row = { ...ROW, ...number, state, paymentId: 'p2' };
  const claimed = claimedAgreement(stored, { op: 'claim-agreement', row, otherwise: 'conflict', ...how });
  const expected = {
    'the claim': row,
    'the claim, with the number that is stored': { ...row, ...A },
    'what is stored': undefined,
    'a conflict': 'conflict',
  };
  expect(claimed).toEqual(expected[left]);
});
