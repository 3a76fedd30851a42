import { describe, expect, it } from 'vitest';
import { DEFERRING, SeededRandom, tappedCard } from '../sale.test.support.js';
import { SaleHarness } from '../sale-harness.test.support.js';
import { NO_FAULTS } from '../wire.test.support.js';

const SEEDS = 60;
const SALES = 8;
const HOUR_MS = 3_600_000;

/** How an offline sale that ended so is listed. */
const LOSSES: Readonly<Record<string, string>> = { declined: 'declined-later', expired: 'expired-offline' };

/** Outages of up to two days, answers lost on the way, clocks that jump, restarts in between; then a day of peace. */
async function live(seed: number): Promise<SaleHarness> {
  const random = new SeededRandom(seed);
  const harness = await new SaleHarness({ seed, policy: DEFERRING }).boot();
  harness.ledger.approves = () => random.next() < 0.8;
  for (let sale = 0; sale < SALES; sale += 1) {
    harness.wire.set('down');
    harness.driver().reads = () =>
      random.next() < 0.5
        ? { kind: 'online-required', card: tappedCard() }
        : { kind: 'approved-offline', card: tappedCard({ facts: { entryMode: 'ICC' } }) };
    await harness.sell({ reference: `A${sale}`, amount: { minor: 500, currency: 'EUR' } });
    await harness.clock.advance(random.pick([0, 1, 11, 23, 25, 47]) * HOUR_MS);
    if (random.next() < 0.2) harness.clock.jumpWall(random.pick([-30, -1, 30]) * HOUR_MS);
    if (random.next() < 0.3) await harness.crash('down');
    harness.wire.faultRates = { ...NO_FAULTS, dropAnswer: () => random.next() < 0.5 };
    if (random.next() < 0.6) harness.wire.set('up');
    await harness.clock.advance(1_000);
  }
  harness.wire.faultRates = NO_FAULTS;
  harness.wire.set('down');
  harness.wire.set('up');
  await harness.clock.advance(60_000);
  return harness;
}

describe('records that grow old', () => {
  const ends = new Map<string, number>();

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'end as the acquirer has them, each reported, none twice, seed %i',
    async (seed) => {
      const harness = await live(seed);
      expect(harness.service.queue().depth).toBe(0);
      const lateDeclines = new Map(
        harness.service.queue().lateDeclines.map(({ reference, reason }) => [reference, reason]),
      );
      for (let sale = 0; sale < SALES; sale += 1) {
        const { reference, outcome, mode } = await harness.service.get(`A${sale}`);
        const standing = harness.ledger.standing(reference);
        const story = `${reference} ${outcome}: ${harness.kinds(reference).join(' ')}`;
        expect(standing.length, story).toBe(outcome === 'approved' ? 1 : 0);
        expect(lateDeclines.get(reference), story).toBe(mode === null ? undefined : LOSSES[outcome ?? '']);
        ends.set(outcome ?? '', (ends.get(outcome ?? '') ?? 0) + 1);
      }
    },
  );

  it('reach every end in these lives', () => {
    for (const end of ['approved', 'declined', 'expired']) expect(ends.get(end) ?? 0).toBeGreaterThan(5);
  });
});
