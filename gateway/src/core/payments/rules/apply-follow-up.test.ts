import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { applyFollowUp } from './apply-follow-up.js';
import { BEGINNING } from './drafts.js';
import type { FollowUpType } from './requests.js';
import { verificationColumn, verificationResultsOf } from './verification-results.js';

const payment = (more: Partial<PaymentRow> = {}): PaymentRow =>
  ({
    ...BEGINNING,
    id: 'root',
    type: 'PA',
    state: 'authorized',
    amountMinor: 100,
    authorizedMinor: 100,
    captureReference: null,
    ...more,
  }) as PaymentRow;
const HOLD = payment();
const DEBIT = payment({ type: 'DB', state: 'captured', capturedMinor: 100 });
const CAPTURE = payment({
  id: 'capture',
  type: 'CP',
  state: 'completed',
  amountMinor: 60,
  authorizedMinor: 60,
  capturedMinor: 60,
});
const apply = (
  type: FollowUpType,
  amountMinor: number,
  root: PaymentRow,
  { target = root, final = false }: { target?: PaymentRow; final?: boolean } = {},
) => applyFollowUp({ type, root, target, amountMinor, final });

describe('a capture', () => {
  it('takes of what is held', () => {
    expect(apply('CP', 60, HOLD)).toEqual({
      root: { ...HOLD, state: 'captured', capturedMinor: 60, captureCount: 1 },
    });
    expect(apply('CP', 40, payment({ capturedMinor: 60, captureCount: 1 })).root).toMatchObject({
      capturedMinor: 100,
      captureCount: 2,
    });
  });

  it('that is the last closes the payment, which stays closed', () => {
    expect(apply('CP', 60, HOLD, { final: true }).root.capturesClosed).toBe(1);
    expect(apply('CP', 60, payment({ capturesClosed: 1 })).root.capturesClosed).toBe(1);
    expect(apply('CP', 60, HOLD).root.capturesClosed).toBe(0);
  });

  it('of more than is held breaks a rule', () => {
    expect(() => apply('CP', 101, HOLD)).toThrow('captured and reversed exceed authorized');
  });
});

describe('a refund', () => {
  it('gives back of a payment', () => {
    expect(apply('RF', 40, DEBIT)).toEqual({ root: { ...DEBIT, refundedMinor: 40 } });
    expect(() => apply('RF', 101, DEBIT)).toThrow('refunded and charged back exceed captured');
  });

  it('that is the last closes the payment for others', () => {
    const { root } = apply('RF', 40, DEBIT, { final: true });
    expect(root.refundedMinor).toBe(40);
    expect(verificationResultsOf(root).refundsClosed).toBe(true);
  });

  it('of a capture gives back of both, and of neither more than it took', () => {
    const root = payment({ state: 'captured', capturedMinor: 100, captureCount: 2 });
    expect(apply('RF', 60, root, { target: CAPTURE })).toEqual({
      root: { ...root, refundedMinor: 60 },
      target: { ...CAPTURE, refundedMinor: 60 },
    });
    expect(() => apply('RF', 61, root, { target: CAPTURE })).toThrow('payment capture: refunded');
  });
});

it('an increment holds more', () => {
  expect(apply('INCREMENTAL_AUTH', 30, HOLD)).toEqual({ root: { ...HOLD, authorizedMinor: 130 } });
});

it.each(['RB', 'RC', 'CD', 'REAUTHORIZATION'] as const)('%s changes nothing of what it follows', (type) => {
  expect(apply(type, 30, DEBIT)).toEqual({ root: DEBIT });
});

describe('a reversal', () => {
  it('frees what is held', () => {
    expect(apply('RV', 100, HOLD)).toEqual({ root: { ...HOLD, state: 'reversed', reversedMinor: 100 } });
  });

  it('leaves what was captured', () => {
    const root = payment({ state: 'captured', capturedMinor: 60, reversedMinor: 10 });
    expect(apply('RV', 30, root)).toEqual({ root: { ...root, reversedMinor: 40 } });
  });

  it('of a payment that took its money at once takes all of it back', () => {
    const both = payment({ type: 'PA', captureReference: 'c', state: 'captured', capturedMinor: 100 });
    for (const root of [DEBIT, both])
      expect(apply('RV', 100, root).root).toEqual({
        ...root,
        state: 'reversed',
        capturedMinor: 0,
        reversedMinor: 100,
      });
  });

  it('of a capture holds its money again', () => {
    const root = payment({ state: 'captured', capturedMinor: 100, captureCount: 2, capturesClosed: 1 });
    expect(apply('RV', 60, root, { target: CAPTURE })).toEqual({
      root: { ...root, capturedMinor: 40, captureCount: 1 },
      target: { ...CAPTURE, capturedMinor: 0, state: 'reversed' },
    });
    const alone = payment({ state: 'captured', capturedMinor: 60, captureCount: 1, capturesClosed: 1 });
    expect(apply('RV', 60, alone, { target: { ...CAPTURE, capturesClosed: 1 } }).root).toMatchObject({
      state: 'authorized',
      capturedMinor: 0,
      captureCount: 0,
      capturesClosed: 0,
    });
  });

  it('of a refund takes its money again, and opens the payment for others', () => {
    const root = {
      ...DEBIT,
      refundedMinor: 70,
      ...verificationColumn({ avsResponse: 'N', refundsClosed: true }),
    };
    const refund = payment({ id: 'refund', type: 'RF', state: 'completed', amountMinor: 30 });
    const applied = apply('RV', 30, root, { target: refund });
    expect(applied.root).toMatchObject({ refundedMinor: 40, capturedMinor: 100, state: 'captured' });
    expect(verificationResultsOf(applied.root)).toEqual({ avsResponse: 'N', refundsClosed: false });
    expect(applied.target).toEqual({ ...refund, capturedMinor: 0, state: 'reversed' });
  });
});

it('keeps the rules of amounts, whatever follows, or refuses it', () => {
  const step = fc.record({
    type: fc.constantFrom<FollowUpType>('CP', 'RF', 'RV', 'INCREMENTAL_AUTH'),
    amountMinor: fc.integer({ min: 1, max: 80 }),
    final: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.constantFrom(HOLD, DEBIT), fc.array(step, { maxLength: 8 }), (first, steps) => {
      let root = first;
      for (const { type, amountMinor, final } of steps) {
        try {
          root = apply(type, amountMinor, root, { final }).root;
        } catch (error) {
          expect((error as Error).message).toMatch(/^payment root: /);
          continue;
        }
        const { authorizedMinor, capturedMinor, refundedMinor, chargedBackMinor, reversedMinor } = root;
        expect(capturedMinor + reversedMinor).toBeLessThanOrEqual(authorizedMinor);
        expect(refundedMinor + chargedBackMinor).toBeLessThanOrEqual(capturedMinor);
        expect(Math.min(authorizedMinor, capturedMinor, refundedMinor, reversedMinor)).toBeGreaterThanOrEqual(
          0,
        );
      }
    }),
    propertyRuns(200),
  );
});
