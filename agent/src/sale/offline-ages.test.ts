import { describe, expect, it } from 'vitest';
import { DEFERRING, SeededRandom, tappedCard } from './sale.test.support.js';
import { FAIR } from './wire.test.support.js';
import { World } from './world.test.support.js';

const SEEDS = 60;
const SALES = 8;
const HOUR_MS = 3_600_000;

/** How an offline sale that ended so is listed. */
const LOSSES: Readonly<Record<string, string>> = { declined: 'declined-later', expired: 'expired-offline' };

/** Outages of up to two days, answers lost on the way, clocks that jump, restarts in between; then a day of peace. */
async function live(seed: number): Promise<World> {
  const random = new SeededRandom(seed);
  const world = await new World({ seed, policy: DEFERRING }).boot();
  world.ledger.approves = () => random.next() < 0.8;
  for (let sale = 0; sale < SALES; sale += 1) {
    world.wire.set('down');
    world.driver().reads = () =>
      random.next() < 0.5
        ? { kind: 'online-required', card: tappedCard() }
        : { kind: 'approved-offline', card: tappedCard({ facts: { entryMode: 'ICC' } }) };
    await world.sell({ reference: `A${sale}`, amount: { minor: 500, currency: 'EUR' } });
    await world.clock.advance(random.pick([0, 1, 11, 23, 25, 47]) * HOUR_MS);
    if (random.next() < 0.2) world.clock.jumpWall(random.pick([-30, -1, 30]) * HOUR_MS);
    if (random.next() < 0.3) await world.crash('down');
    world.wire.weather = { ...FAIR, dropAnswer: () => random.next() < 0.5 };
    if (random.next() < 0.6) world.wire.set('up');
    await world.clock.advance(1_000);
  }
  world.wire.weather = FAIR;
  world.wire.set('down');
  world.wire.set('up');
  await world.clock.advance(60_000);
  return world;
}

describe('records that grow old', () => {
  const ends = new Map<string, number>();

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'end as the acquirer has them, each told, none twice, seed %i',
    async (seed) => {
      const world = await live(seed);
      expect(world.desk.queue().depth).toBe(0);
      const losses = new Map(world.desk.queue().losses.map(({ reference, reason }) => [reference, reason]));
      for (let sale = 0; sale < SALES; sale += 1) {
        const { reference, outcome, mode } = await world.desk.get(`A${sale}`);
        const standing = world.ledger.standing(reference);
        const story = `${reference} ${outcome}: ${world.kinds(reference).join(' ')}`;
        expect(standing.length, story).toBe(outcome === 'approved' ? 1 : 0);
        expect(losses.get(reference), story).toBe(mode === null ? undefined : LOSSES[outcome ?? '']);
        ends.set(outcome ?? '', (ends.get(outcome ?? '') ?? 0) + 1);
      }
    },
  );

  it('reach every end in these lives', () => {
    for (const end of ['approved', 'declined', 'expired']) expect(ends.get(end) ?? 0).toBeGreaterThan(10);
  });
});
