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
