import { describe, expect, it } from 'vitest';
import type { WaitingOrder } from '../parts/waiting-order.js';
import { type ReportedEnd, wrongEnd } from './wait-check.js';

const MINUTE_MS = 60_000;
const EXPIRED = '100.396.103';

/** A mandate that waits from the beginning for a minute, and ends after two. */
function judged(order: Partial<WaitingOrder>, reported: Partial<ReportedEnd> = {}): string | undefined {
  return wrongEnd(
    { reference: 'W-mandate-1', kind: 'mandate', minor: 100, beganAtMs: 0, ...order },
    {
      end: 'declined',
      code: EXPIRED,
      dueAtMs: MINUTE_MS,
      hasDeadline: true,
      nowMs: 2 * MINUTE_MS,
      ...reported,
    },
  );
}

const approvedAt = (atMs: number) => ({ decided: { decision: 'approved', atMs } }) as const;

describe('the first outcome of a payment that waited', () => {
  it('is wrong where it was paid and the shopper had not approved it', () => {
    expect(judged({}, { end: 'paid' })).toMatch(/did not approve it/);
    expect(judged({ decided: { decision: 'refused', atMs: 1 } }, { end: 'paid' })).toMatch(/did not approve/);
    expect(judged(approvedAt(1), { end: 'paid' })).toBeUndefined();
  });

  it('is wrong where it came before the deadline and without a decision', () => {
    expect(judged({}, { nowMs: MINUTE_MS - 1 })).toMatch(/before its deadline/);
    expect(judged({}, { nowMs: MINUTE_MS })).toBeUndefined();
    expect(judged({ endedAtMs: 1_000 }, { nowMs: 1_000 }), 'ended as overdue').toBeUndefined();
    expect(judged({}, { nowMs: 0, dueAtMs: undefined }), 'no deadline is known').toMatch(
      /before its deadline/,
    );
    expect(judged({}, { nowMs: 0, hasDeadline: false }), 'set by a wrong clock').toBeUndefined();
  });

  it('is wrong where it expired and was approved before it was over', () => {
    expect(judged(approvedAt(MINUTE_MS - 1))).toMatch(/its shopper had approved it/);
    expect(judged(approvedAt(MINUTE_MS))).toBeUndefined();
    expect(judged({ ...approvedAt(1_000), endedAtMs: 1_001 })).toMatch(/its shopper had approved it/);
    expect(judged({ ...approvedAt(1_000), endedAtMs: 1_000 })).toBeUndefined();
    expect(judged(approvedAt(1_000), { code: '800.100.151' }), 'declined by the bank').toBeUndefined();
  });

  it('is right where the approval came after the deadline, and before the wait was ended once more', () => {
    expect(judged({ ...approvedAt(MINUTE_MS + 1), endedAtMs: MINUTE_MS + 2 })).toBeUndefined();
  });
});
