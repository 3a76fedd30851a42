import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { AT } from '../sale.test.support.js';
import { SaleHarness } from '../sale-harness.test.support.js';
import { CLOCK_TOLERANCE_MS, TimeFloor } from './time-floor.js';

const YEAR_MS = 365 * 86_400_000;
const HOUR_MS = 3_600_000;

function opened() {
  const clock = new VirtualClock(AT);
  return { clock, time: new TimeFloor(clock) };
}

describe('monotonic time floor', () => {
  it('is taken back only by the gateway, and only where it is far off', () => {
    const { clock, time } = opened();
    time.journaled(AT + CLOCK_TOLERANCE_MS);
    expect(time.noteGatewayTime(AT)).toBe(false);
    expect(time.nowMs()).toBe(AT + CLOCK_TOLERANCE_MS);
    time.journaled(AT + YEAR_MS);
    expect([time.isBehind(), time.nowMs()]).toEqual([true, AT + YEAR_MS]);
    expect(time.noteGatewayTime(AT + 1_000)).toBe(true);
    expect([time.isBehind(), time.nowMs(), time.contactAgeMs()]).toEqual([false, AT + 1_000, 0]);
    clock.jumpWall(-2 * HOUR_MS);
    expect(time.isBehind(), 'behind the gateway’s time').toBe(true);
  });

  it('is counted on by the clock that only grows', async () => {
    const { clock, time } = opened();
    time.noteGatewayTime(AT);
    await clock.advance(HOUR_MS);
    clock.jumpWall(-HOUR_MS / 2);
    expect([time.isBehind(), time.nowMs()]).toEqual([true, AT + HOUR_MS]);
    const kept = time.kept();
    // The two clocks drift apart: the gateway's own word counts.
    expect(time.noteGatewayTime(AT + HOUR_MS / 2)).toBe(false);
    expect([time.isBehind(), time.nowMs()]).toEqual([false, AT + HOUR_MS / 2]);
    const again = new TimeFloor(clock);
    if (kept) again.restore(kept);
    expect(again.isBehind()).toBe(true);
    await clock.advance(HOUR_MS);
    expect([again.isBehind(), again.nowMs()], 'until the next contact').toEqual([true, AT + 2 * HOUR_MS]);
    again.noteGatewayTime(AT + 1.5 * HOUR_MS);
    expect([again.isBehind(), again.nowMs()]).toEqual([false, AT + 1.5 * HOUR_MS]);
  });

  it('makes nothing younger that a clock stamped while it was ahead', () => {
    const { clock, time } = opened();
    const falseStamp = AT + YEAR_MS;
    time.journaled(falseStamp);
    time.noteGatewayTime(AT);
    clock.jumpWall(3 * HOUR_MS);
    expect(time.ageMs(falseStamp), 'at least since the correction').toBe(3 * HOUR_MS);
    expect(time.ageMs(AT + HOUR_MS)).toBe(2 * HOUR_MS);
  });
});

describe('age of the last contact', () => {
  it.each(['running on', 'started again'])('is not made younger by a gateway that is ahead (%s)', (how) => {
    const { clock, time: first } = opened();
    first.noteGatewayTime(AT + HOUR_MS);
    const kept = first.kept();
    const time = how === 'running on' ? first : new TimeFloor(clock);
    if (how === 'started again' && kept) time.restore(kept);
    clock.jumpWall(HOUR_MS + 60_000);
    expect(time.contactAgeMs()).toBe(HOUR_MS + 60_000);
  });

  it('is not made younger by a wall clock that was ahead, and is set right before the next start (P6)', async () => {
    const harness = new SaleHarness();
    harness.clock.jumpWall(60_000);
    harness.wire.skewMs = -60_000;
    await harness.boot('up');
    await harness.clock.advance(1_000);
    harness.wire.set('down');
    await harness.clock.advance(61_000);
    harness.clock.jumpWall(-60_000);
    await harness.crash('down');
    expect(harness.service.terminals()[0]?.offline.reasons).not.toContain('clock-behind');
    expect(harness.service.status().gateway.lastContactAgeSeconds).toBe(62);
  });

  it('is not made younger by a wall clock that is set back', async () => {
    const { clock, time } = opened();
    time.noteGatewayTime(AT);
    await clock.advance(HOUR_MS);
    clock.jumpWall(-HOUR_MS);
    expect(time.contactAgeMs()).toBe(HOUR_MS);
  });
});

describe('a gateway whose clock is a day ahead', () => {
  it.each(['running on', 'killed and started again'])('expires no record (%s)', async (how) => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'A1', amount: { minor: 100, currency: 'EUR' } });
    await harness.clock.advance(HOUR_MS);
    if (how === 'killed and started again') await harness.crash('down');
    harness.wire.skewMs = 25 * HOUR_MS;
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.kinds('A1')).not.toContain('too-old');
    expect(await harness.service.get('A1')).toMatchObject({ outcome: 'approved' });
  });

  it('still finds a record that is too old by every clock', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'A1', amount: { minor: 100, currency: 'EUR' } });
    await harness.clock.advance(25 * HOUR_MS);
    harness.wire.skewMs = 25 * HOUR_MS;
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(await harness.service.get('A1')).toMatchObject({ outcome: 'expired' });
  });
});

describe('a wild forward jump of the clock', () => {
  const reasons = (harness: SaleHarness) => harness.service.terminals()[0]?.offline.reasons;

  async function jumpedAndBack(): Promise<SaleHarness> {
    const harness = await new SaleHarness().boot();
    await harness.clock.advance(1_000);
    harness.wire.set('down');
    harness.clock.jumpWall(YEAR_MS);
    await harness.sell({ reference: 'A1', amount: { minor: 100, currency: 'EUR' } });
    harness.clock.jumpWall(-YEAR_MS);
    return harness;
  }

  it('leaves the agent not offline-ready until the next contact with the gateway', async () => {
    const harness = await jumpedAndBack();
    expect(reasons(harness)).toContain('clock-behind');
    await harness.crash('down');
    expect(reasons(harness), 'a restart cures nothing').toContain('clock-behind');
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(reasons(harness)).toEqual([]);
  });

  it.each(['running on', 'killed and started again'])(
    'makes no record of money too old: only time that is sure counts against it (%s)',
    async (how) => {
      const harness = await new SaleHarness().boot();
      harness.wire.set('down');
      await harness.sell({ reference: 'A1', amount: { minor: 100, currency: 'EUR' } });
      harness.clock.jumpWall(YEAR_MS);
      if (how === 'killed and started again') await harness.crash('down');
      await harness.clock.advance(HOUR_MS);
      expect(harness.service.queue().items).toMatchObject([{ reference: 'A1', state: 'waiting' }]);
      expect(harness.kinds('A1')).not.toContain('too-old');
      harness.wire.skewMs = -YEAR_MS;
      harness.wire.set('up');
      await harness.clock.advance(1_000);
      expect(await harness.service.get('A1')).toMatchObject({ outcome: 'approved' });
      expect(harness.ledger.standing('A1')).toHaveLength(1);
    },
  );

  it('stays cured over a restart without the gateway, and a clock set back after it is seen', async () => {
    const harness = await jumpedAndBack();
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    await harness.crash('down');
    expect(reasons(harness)).toEqual([]);
    harness.clock.jumpWall(-HOUR_MS);
    expect(reasons(harness)).toEqual(['clock-behind']);
  });
});

describe('a clock that was set back', () => {
  const MINUTE_MS = 60_000;

  it('is known to be behind while the gateway is away, however long that is, and after a restart (P6)', async () => {
    const harness = await new SaleHarness().boot();
    const reasons = () => harness.service.terminals()[0]?.offline.reasons;
    await harness.clock.advance(1_000);
    harness.wire.set('down');
    await harness.clock.advance(5 * MINUTE_MS);
    harness.clock.jumpWall(-2 * MINUTE_MS);
    expect(reasons()).toEqual(['clock-behind']);
    // A record would count as two minutes older once the clock is set right, and expire so much too early.
    expect(await harness.sell({ reference: 'A1' })).toMatchObject({ outcome: 'failed' });
    await harness.crash('down');
    expect(reasons(), 'a restart cures nothing').toEqual(['clock-behind']);
    await harness.clock.advance(5 * MINUTE_MS);
    expect(reasons(), 'nor does time').toEqual(['clock-behind']);
    harness.clock.jumpWall(2 * MINUTE_MS);
    expect(reasons()).toEqual([]);
  });

  it('is known to be behind the gateway’s last time, also after a restart without it (P6)', async () => {
    const harness = await new SaleHarness().boot();
    const reasons = () => harness.service.terminals()[0]?.offline.reasons;
    await harness.clock.advance(5 * MINUTE_MS);
    harness.clock.jumpWall(-4 * MINUTE_MS);
    harness.wire.skewMs = 4 * MINUTE_MS;
    harness.wire.set('down');
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(reasons()).toEqual(['clock-behind']);
    await harness.crash('down');
    expect(reasons()).toEqual(['clock-behind']);
  });
});

describe('what is kept of the time', () => {
  it('has the last contact, and the last correction where there was one', () => {
    const { clock, time } = opened();
    expect(time.kept()).toBeUndefined();
    time.noteGatewayTime(AT - 1_000);
    const contact = { contactMs: AT, contactWallMs: AT, contactGatewayMs: AT - 1_000 };
    expect(time.kept()).toStrictEqual({ ...contact, highestMs: AT - 1_000 });
    time.journaled(AT + YEAR_MS);
    time.noteGatewayTime(AT - 1_000);
    const corrected = { ...contact, highestMs: AT - 1_000, correctedMs: AT - 1_000 };
    expect(time.kept()).toStrictEqual(corrected);
    const next = new TimeFloor(clock);
    next.restore(corrected);
    expect(next.kept()).toStrictEqual(corrected);
    next.restore({ ...contact, highestMs: AT });
    expect(next.kept()).toStrictEqual({ ...contact, highestMs: AT });
  });

  it('goes on in another instance of the same process', () => {
    const { clock, time } = opened();
    time.noteGatewayTime(AT + HOUR_MS);
    expect(new TimeFloor(clock, time.known).nowMs()).toBe(AT + HOUR_MS);
  });
});

describe('two times', () => {
  it('agree within a tolerance, once the gateway’s was received', () => {
    const { clock, time } = opened();
    expect(time.agreesWithin(YEAR_MS)).toBe(false);
    time.noteGatewayTime(AT + 1_000);
    expect([time.agreesWithin(1_000), time.agreesWithin(999)]).toEqual([true, false]);
    clock.jumpWall(2_000);
    expect([time.agreesWithin(1_000), time.agreesWithin(999)]).toEqual([true, false]);
  });

  it('may differ by the tolerance before a clock is behind', () => {
    const { clock, time } = opened();
    time.journaled(AT + CLOCK_TOLERANCE_MS);
    expect(time.isBehind()).toBe(false);
    clock.jumpWall(-1);
    expect(time.isBehind()).toBe(true);
  });
});

it('counts the age of a contact from when it was', async () => {
  const { clock, time } = opened();
  await clock.advance(HOUR_MS);
  time.noteGatewayTime(AT + HOUR_MS);
  await clock.advance(60_000);
  expect(time.contactAgeMs()).toBe(60_000);
});

it('takes a correction for the age of times alone that lie ahead by more than the tolerance', async () => {
  const { clock, time } = opened();
  time.journaled(AT + YEAR_MS);
  time.noteGatewayTime(AT);
  await clock.advance(HOUR_MS);
  expect(time.ageMs(AT + HOUR_MS - 10_000)).toBe(10_000);
  expect(time.ageMs(AT + HOUR_MS + CLOCK_TOLERANCE_MS)).toBe(0);
  expect(time.ageMs(AT + HOUR_MS + CLOCK_TOLERANCE_MS + 1)).toBe(HOUR_MS);
});
