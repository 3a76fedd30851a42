import { describe, expect, it } from 'vitest';
import type { DeskEvent } from './desk.js';
import { HighWater } from './high-water.js';
import { DEFAULT_POLICY } from './policy.js';
import { AT, chipCard, iccData, OFFLINE_POLICY } from './sale.test.support.js';
import { FAIR } from './wire.test.support.js';
import { World } from './world.test.support.js';

const _LOST_ANSWERS = { ...FAIR, dropAnswer: () => true };
const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const _never = <T>() => new Promise<T>(() => undefined);

describe('without the gateway', () => {
  it('approves by the card, records it first, forwards it later and wipes what is sensitive', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'approved',
      mode: 'offline-card',
      emv: { arc: 'Y3' },
    });
    expect(answer.receipts?.customer).toContain('SUBJECT TO AUTHORIZATION');
    expect(answer.receipts?.customer).not.toContain('Approval code');
    expect(world.ledger.entries.size).toBe(0);
    expect(world.desk.queue()).toMatchObject({
      depth: 1,
      sums: { EUR: '12.34' },
      limitsLeft: [{ terminalId: '11', currency: 'EUR', amount: '137.66', count: 59 }],
      items: [{ reference: 'A1', kind: 'offlineRecord', state: 'waiting' }],
    });
    expect(world.disk.blobs.size).toBe(1);
    await world.clock.advance(60_000);
    expect(world.desk.queue().oldestAgeSeconds).toBeGreaterThanOrEqual(60);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.desk.queue()).toMatchObject({ depth: 0, items: [] });
    expect(world.disk.blobs.size).toBe(0);
    expect(world.ledger.standing('A1')).toHaveLength(1);
    expect((await world.desk.get('A1')).receipts?.customer).toContain('Approval code');
  });

  it('says aloud when an offline approval is declined later', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1' });
    const events: DeskEvent[] = [];
    world.desk.onEvent((event) => events.push(event));
    world.ledger.approves = () => false;
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(events.filter((event) => event.type === 'declined-later')).toMatchObject([
      { sale: { reference: 'A1', outcome: 'declined', mode: 'offline-card' } },
    ]);
  });

  it('keeps to its limits: per sale, in sum, by card', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    const outcome = async (reference: string, minor: number) =>
      (await world.sell({ reference, amount: EUR(minor) })).outcome;
    expect(await outcome('big', 10_001)).toBe('failed');
    expect(await outcome('first', 9_000)).toBe('approved');
    expect(await outcome('over the sum', 6_001)).toBe('failed');
    expect(await outcome('within the sum', 6_000)).toBe('approved');
    expect(world.desk.terminals()[0]?.offline).toMatchObject({
      ready: false,
      reasons: ['sum-limit-reached'],
    });
    expect(world.desk.queue().items.map((item) => [item.reference, item.sequence])).toEqual([
      ['first', 1],
      ['within the sum', 2],
    ]);
  });

  it('waits a moment for a link that comes, before it reads the card', async () => {
    const world = await new World({ policy: DEFAULT_POLICY }).boot('down');
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(DEFAULT_POLICY.linkWaitMs - 1);
    expect([world.wire.nudges, world.driver().log]).toEqual([1, []]);
    world.wire.set('up');
    expect(await world.during(call)).toMatchObject({ outcome: 'approved', mode: 'online' });
  });

  it('reads no card when it could not approve anyway', async () => {
    const world = await new World({ policy: DEFAULT_POLICY }).boot('down');
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ outcome: 'failed', state: 'done' });
    expect(answer.timeline.at(-1)?.detail).toContain('switched-off');
    expect(world.driver().log).toEqual([]);
  });

  it('approves after a hand-over only behind a reversal in the same write, sent first', async () => {
    const policy = {
      ...OFFLINE_POLICY,
      offline: { ...OFFLINE_POLICY.offline, afterHandOver: 'reverse' as const },
    };
    const world = await new World({ policy }).boot();
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(12);
    world.wire.set('down');
    expect(await world.during(call)).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    expect(world.kinds('A1').slice(-3)).toEqual(['preceding-reversal', 'offline-record', 'ended']);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.ledger.standing('A1')).toMatchObject([{ kind: 'offline' }]);
    expect(world.ledger.entries.size).toBe(2);
  });

  it('parks what the gateway will never take, and a person sees why', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1' });
    world.ledger.parks = () => true;
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
    expect(world.desk.queue()).toMatchObject({
      depth: 0,
      parked: 1,
      items: [{ state: 'parked', reason: 'nobody knows this card' }],
    });
    await world.crash();
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 1 });
  });

  it('parks a record whose card data are lost or too long, and sends what is behind it', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1', amount: EUR(100) });
    const [lost] = world.disk.blobs.keys();
    world.disk.blobs.set(lost ?? '', Buffer.from('damaged'));
    world.driver().reads = () => ({
      kind: 'online-required',
      card: chipCard(0x80, { iccData: iccData(0x80, { '9F10': '00'.repeat(1_100) }) }),
    });
    await world.sell({ reference: 'A2', amount: EUR(100) });
    world.driver().reads = () => ({ kind: 'online-required', card: chipCard() });
    await world.sell({ reference: 'A3', amount: EUR(100) });
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.desk.queue().items.map((item) => [item.reference, item.state])).toEqual([
      ['A1', 'parked'],
      ['A2', 'parked'],
    ]);
    expect(world.ledger.standing('A3')).toHaveLength(1);
  });

  it('measures ages against the highest time ever known, across a restart (P6)', async () => {
    const world = await new World().boot();
    await world.clock.advance(1_000);
    world.clock.jumpWall(-3_600_000);
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual(['clock-behind']);
    await world.crash('down');
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual(['clock-behind']);
    world.clock.jumpWall(3_600_000);
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual([]);
    world.clock.jumpWall(25 * 3_600_000);
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual(['contact-too-old']);
  });

  it('is not offline-ready with a terminal that has no key, was opened, or is gone', async () => {
    const world = new World();
    const { identity } = world.driver();
    const says = (data: 'loaded' | 'missing' | 'exhausted', tampered = false) => {
      world.driver().status = async () => ({
        kind: 'condition',
        identity,
        keys: { data, pin: 'missing' },
        tampered,
      });
    };
    says('missing');
    await world.boot();
    await world.clock.advance(0);
    const reasons = () => world.desk.terminals()[0]?.offline.reasons;
    expect(reasons()).toEqual(['terminal-keys-missing']);
    const comes = async (): Promise<void> => {
      world.driver().show('disconnected');
      expect(reasons()).toEqual(['terminal-not-ready']);
      world.driver().show('ready');
      await world.clock.advance(0);
    };
    says('loaded', true);
    await comes();
    expect(reasons()).toEqual(['terminal-tampered']);
    says('loaded');
    await comes();
    expect(reasons()).toEqual([]);
  });

  it('is not offline-ready before the gateway was ever heard', async () => {
    const world = await new World().boot('down');
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual(['never-in-contact']);
  });
});

describe('high water', () => {
  it('never goes back and forgives a small difference of clocks', () => {
    const wall = { nowMs: () => AT, monotonicMs: () => 0, setTimer: () => ({ cancel: () => undefined }) };
    const time = new HighWater(wall);
    expect(time.contactAgeMs()).toBeUndefined();
    time.heard(AT + 10_000);
    expect([time.nowMs(), time.isBehind(), time.contactAgeMs()]).toEqual([AT + 10_000, false, 0]);
    time.journaled(AT + 60_000);
    expect([time.nowMs(), time.isBehind(), time.contactAgeMs()]).toEqual([AT + 60_000, true, 50_000]);
  });
});
