import { describe, expect, it } from 'vitest';
import type { DeliveryRow } from '../../../kernel/store/rows.js';
import { decideDelivery } from './decide-delivery.js';
import type { DeliveryTry } from './delivery-log.js';

const MINUTE_MS = 60_000;
const QUEUED = {
  sequence: 7,
  attempts: '[]',
  state: 'queued',
  sinceMs: 0,
  dueAtMs: 0,
} as unknown as DeliveryRow;
const ENDPOINT = { id: 'endpoint', entityId: 'entity' };

/** The verdict on the last of so many tries that failed like it. */
function failed(times: number, about: Partial<DeliveryTry>) {
  const earlier = Array.from({ length: times - 1 }, (_none, atMs) => ({ atMs, status: 500, durationMs: 1 }));
  const row = { ...QUEUED, attempts: JSON.stringify(earlier) };
  return decideDelivery(row, ENDPOINT, { atMs: times, durationMs: 1, ...about }, times);
}
const alertOf = ({ changes }: ReturnType<typeof failed>) => JSON.stringify(changes);

describe('a try of a delivery', () => {
  it.each([
    ['the status of the answer', { status: 503 }, 'delivery 7, try 5: 503'],
    ['the fault', { fault: 'timeout' }, 'delivery 7, try 5: timeout'],
    ['that there was no answer', {}, 'delivery 7, try 5: no answer'],
  ])('that is the fifth to fail raises an alert with %s', (_what, about, text) => {
    expect(alertOf(failed(5, about))).toContain(text);
    expect(failed(4, about).changes).toEqual([]);
  });

  it('that fails is followed by another one, and not after thirty days', () => {
    expect(failed(1, { status: 500 }).row).toMatchObject({ state: 'queued', dueAtMs: 1 + 2 * MINUTE_MS });
    const late = { atMs: 30 * 86_400_000, status: 500, durationMs: 1 };
    expect(decideDelivery(QUEUED, ENDPOINT, late, late.atMs).row).toMatchObject({
      state: 'givenUp',
      dueAtMs: null,
    });
  });

  it('that is taken ends it, and clears the alert', () => {
    const { row, changes } = failed(9, { status: 204 });
    expect(row).toMatchObject({ state: 'delivered', dueAtMs: null });
    expect(changes).toHaveLength(1);
  });
});
