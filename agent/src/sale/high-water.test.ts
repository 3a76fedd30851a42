import { VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { CLOCK_TOLERANCE_MS, HighWater } from './high-water.js';
import { AT } from './sale.test.support.js';
import { World } from './world.test.support.js';

const YEAR_MS = 365 * 86_400_000;
const HOUR_MS = 3_600_000;

function opened() {
  const clock = new VirtualClock(AT);
  return { clock, time: new HighWater(clock) };
}

describe('high water', () => {
  it('is taken back by the gateway alone, and only where it is far off', () => {
    const { clock, time } = opened();
    time.journaled(AT + CLOCK_TOLERANCE_MS);
    expect(time.heard(AT)).toBe(false);
    expect(time.nowMs()).toBe(AT + CLOCK_TOLERANCE_MS);
    time.journaled(AT + YEAR_MS);
    expect([time.isBehind(), time.nowMs()]).toEqual([true, AT + YEAR_MS]);
    expect(time.heard(AT + 1_000)).toBe(true);
    expect([time.isBehind(), time.nowMs(), time.contactAgeMs()]).toEqual([false, AT + 1_000, 0]);
    clock.jumpWall(-2 * HOUR_MS);
    expect(time.isBehind(), 'behind what the gateway said').toBe(true);
  });

  it('makes nothing younger that a clock stamped while it was ahead', () => {
    const { clock, time } = opened();
    const falseStamp = AT + YEAR_MS;
    time.journaled(falseStamp);
    time.heard(AT);
    clock.jumpWall(3 * HOUR_MS);
    expect(time.ageMs(falseStamp), 'at least since the correction').toBe(3 * HOUR_MS);
    expect(time.ageMs(AT + HOUR_MS)).toBe(2 * HOUR_MS);
  });
});

describe('a wild forward jump of the clock', () => {
  const reasons = (world: World) => world.desk.terminals()[0]?.offline.reasons;

  async function jumpedAndBack(): Promise<World> {
    const world = await new World().boot();
    await world.clock.advance(1_000);
    world.wire.set('down');
    world.clock.jumpWall(YEAR_MS);
    await world.sell({ reference: 'A1', amount: { minor: 100, currency: 'EUR' } });
    world.clock.jumpWall(-YEAR_MS);
    return world;
  }

  it('leaves the agent not offline-ready until the gateway is heard again', async () => {
    const world = await jumpedAndBack();
    expect(reasons(world)).toContain('clock-behind');
    await world.crash('down');
    expect(reasons(world), 'a restart cures nothing').toContain('clock-behind');
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(reasons(world)).toEqual([]);
  });

  it.each(['running on', 'killed and started again'])(
    'makes no record of money too old: only time that is sure counts against it (%s)',
    async (how) => {
      const world = await new World().boot();
      world.wire.set('down');
      await world.sell({ reference: 'A1', amount: { minor: 100, currency: 'EUR' } });
      world.clock.jumpWall(YEAR_MS);
      if (how === 'killed and started again') await world.crash('down');
      await world.clock.advance(HOUR_MS);
      expect(world.desk.queue().items).toMatchObject([{ reference: 'A1', state: 'waiting' }]);
      expect(world.kinds('A1')).not.toContain('too-old');
      world.wire.skewMs = -YEAR_MS;
      world.wire.set('up');
      await world.clock.advance(1_000);
      expect(await world.desk.get('A1')).toMatchObject({ outcome: 'approved' });
      expect(world.ledger.standing('A1')).toHaveLength(1);
    },
  );

  it('stays cured over a restart without the gateway, and a clock set back after it is seen', async () => {
    const world = await jumpedAndBack();
    world.wire.set('up');
    await world.clock.advance(1_000);
    await world.crash('down');
    expect(reasons(world)).toEqual([]);
    world.clock.jumpWall(-HOUR_MS);
    expect(reasons(world)).toEqual(['clock-behind']);
  });
});
