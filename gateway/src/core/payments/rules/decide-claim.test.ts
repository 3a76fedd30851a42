import { describe, expect, it } from 'vitest';
import { decideClaim, releaseClaim } from './decide-claim.js';

const WANTED = { agentId: 'a', reference: 'R-1', paymentId: 'p' };
const HELD = { ...WANTED, paymentId: 'before', released: 0, version: 3 } as const;

describe('a reference of a till', () => {
  it('that no payment has is taken', () => {
    expect(decideClaim(undefined, WANTED)).toEqual({
      free: true,
      change: { op: 'insert', table: 'claims', row: { ...WANTED, released: 0, version: 1 } },
    });
  });

  it('that a payment holds is not free', () => {
    expect(decideClaim(HELD, WANTED)).toEqual({ free: false, heldBy: 'before' });
  });

  it('that was given free is taken again', () => {
    expect(decideClaim({ ...HELD, released: 1 }, WANTED)).toEqual({
      free: true,
      change: { op: 'update', table: 'claims', row: { ...HELD, paymentId: 'p', released: 0 } },
    });
  });

  it('is given free by the payment that holds it alone, and once', () => {
    expect(releaseClaim(HELD, 'before')).toEqual([
      { op: 'update', table: 'claims', row: { ...HELD, released: 1 } },
    ]);
    expect(releaseClaim(HELD, 'p')).toEqual([]);
    expect(releaseClaim({ ...HELD, released: 1 }, 'before')).toEqual([]);
    expect(releaseClaim(undefined, 'before')).toEqual([]);
  });
});
