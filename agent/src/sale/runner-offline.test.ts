import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from './machine/state/policy.js';
import { TimeFloor } from './offline/time-floor.js';
import { AT, chipCard, iccData, OFFLINE_POLICY } from './sale.test.support.js';
import { SaleHarness } from './sale-harness.test.support.js';
import type { TillEvent } from './service/sale-service.js';
import { NO_FAULTS } from './wire.test.support.js';

const _LOST_ANSWERS = { ...NO_FAULTS, dropAnswer: () => true };
const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const _never = <T>() => new Promise<T>(() => undefined);

describe('without the gateway', () => {
  it('approves by the card, records it first, forwards it later and wipes what is sensitive', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    const answer = await harness.sell({ reference: 'A1' });
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'approved',
      mode: 'offline-card',
      emv: { arc: 'Y3' },
    });
    expect(answer.receipts?.customer).toContain('SUBJECT TO AUTHORIZATION');
    expect(answer.receipts?.customer).not.toContain('Approval code');
    expect(harness.ledger.entries.size).toBe(0);
    expect(harness.service.queue()).toMatchObject({
      depth: 1,
      sums: { EUR: '12.34' },
      limitsLeft: [{ terminalId: '11', currency: 'EUR', amount: '137.66', count: 59 }],
      items: [{ reference: 'A1', kind: 'offlineRecord', state: 'waiting' }],
    });
    expect(harness.disk.blobs.size).toBe(1);
    await harness.clock.advance(60_000);
    expect(harness.service.queue().oldestAgeSeconds).toBeGreaterThanOrEqual(60);
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.service.queue()).toMatchObject({ depth: 0, items: [] });
    expect(harness.disk.blobs.size).toBe(0);
    expect(harness.ledger.standing('A1')).toHaveLength(1);
    expect((await harness.service.get('A1')).receipts?.customer).toContain('Approval code');
  });

  it('raises an event when an offline approval is declined later', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'A1' });
    const events: TillEvent[] = [];
    harness.service.onEvent((event) => events.push(event));
    harness.ledger.approves = () => false;
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(events.filter((event) => event.type === 'declined-later')).toMatchObject([
      { sale: { reference: 'A1', outcome: 'declined', mode: 'offline-card' } },
    ]);
  });

  it('keeps to its limits: per sale, in sum, by card', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    const outcome = async (reference: string, minor: number) =>
      (await harness.sell({ reference, amount: EUR(minor) })).outcome;
    expect(await outcome('big', 10_001)).toBe('failed');
    expect(await outcome('first', 9_000)).toBe('approved');
    expect(await outcome('over the sum', 6_001)).toBe('failed');
    expect(await outcome('within the sum', 6_000)).toBe('approved');
    expect(harness.service.terminals()[0]?.offline).toMatchObject({
      ready: false,
      reasons: ['sum-limit-reached'],
    });
    expect(harness.service.queue().items.map((item) => [item.reference, item.sequence])).toEqual([
      ['first', 1],
      ['within the sum', 2],
    ]);
  });

  it('waits a moment for a link that comes, before it reads the card', async () => {
    const harness = await new SaleHarness({ policy: DEFAULT_POLICY }).boot('down');
    const call = harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await harness.clock.advance(DEFAULT_POLICY.linkWaitMs - 1);
    expect([harness.wire.nudges, harness.driver().log]).toEqual([1, []]);
    harness.wire.set('up');
    expect(await harness.during(call)).toMatchObject({ outcome: 'approved', mode: 'online' });
  });

  it('reads no card when it could not approve anyway', async () => {
    const harness = await new SaleHarness({ policy: DEFAULT_POLICY }).boot('down');
    const answer = await harness.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ outcome: 'failed', state: 'done' });
    expect(answer.timeline.at(-1)?.detail).toContain('switched-off');
    expect(harness.driver().log).toEqual([]);
  });

  it('approves after a hand-over only behind a reversal in the same write, sent first', async () => {
    const policy = {
      ...OFFLINE_POLICY,
      offline: { ...OFFLINE_POLICY.offline, afterHandOver: 'reverse' as const },
    };
    const harness = await new SaleHarness({ policy }).boot();
    const call = harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await harness.clock.advance(12);
    harness.wire.set('down');
    expect(await harness.during(call)).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    expect(harness.kinds('A1').slice(-3)).toEqual(['preceding-reversal', 'offline-record', 'ended']);
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.standing('A1')).toMatchObject([{ kind: 'offline' }]);
    expect(harness.ledger.entries.size).toBe(2);
  });

  it('parks what the gateway will never take, and a person sees why', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'A1' });
    harness.ledger.parks = () => true;
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
    expect(harness.service.queue()).toMatchObject({
      depth: 0,
      parked: 1,
      items: [{ state: 'parked', reason: 'this card is unknown' }],
    });
    await harness.crash();
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 1 });
  });

  it('parks a record whose card data are lost or too long, and sends what is behind it', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'A1', amount: EUR(100) });
    const [lost] = harness.disk.blobs.keys();
    harness.disk.blobs.set(lost ?? '', Buffer.from('damaged'));
    harness.driver().reads = () => ({
      kind: 'online-required',
      card: chipCard(0x80, { iccData: iccData(0x80, { '9F10': '00'.repeat(1_100) }) }),
    });
    await harness.sell({ reference: 'A2', amount: EUR(100) });
    harness.driver().reads = () => ({ kind: 'online-required', card: chipCard() });
    await harness.sell({ reference: 'A3', amount: EUR(100) });
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.service.queue().items.map((item) => [item.reference, item.state])).toEqual([
      ['A1', 'parked'],
      ['A2', 'parked'],
    ]);
    expect(harness.ledger.standing('A3')).toHaveLength(1);
  });

  it('measures ages against the highest time ever known, across a restart (P6)', async () => {
    const harness = await new SaleHarness().boot();
    await harness.clock.advance(1_000);
    harness.clock.jumpWall(-3_600_000);
    expect(harness.service.terminals()[0]?.offline.reasons).toEqual(['clock-behind']);
    await harness.crash('down');
    expect(harness.service.terminals()[0]?.offline.reasons).toEqual(['clock-behind']);
    harness.clock.jumpWall(3_600_000);
    expect(harness.service.terminals()[0]?.offline.reasons).toEqual([]);
    harness.clock.jumpWall(25 * 3_600_000);
    expect(harness.service.terminals()[0]?.offline.reasons).toEqual(['contact-too-old']);
  });

  it('is not offline-ready with a terminal that has no key, was opened, or is gone', async () => {
    const harness = new SaleHarness();
    const { identity } = harness.driver();
    const reportKeys = (data: 'loaded' | 'missing' | 'exhausted', tampered = false) => {
      harness.driver().status = async () => ({
        kind: 'condition',
        identity,
        keys: { data, pin: 'missing' },
        tampered,
      });
    };
    reportKeys('missing');
    await harness.boot();
    await harness.clock.advance(0);
    const reasons = () => harness.service.terminals()[0]?.offline.reasons;
    expect(reasons()).toEqual(['terminal-keys-missing']);
    const comes = async (): Promise<void> => {
      harness.driver().show('disconnected');
      expect(reasons()).toEqual(['terminal-not-ready']);
      harness.driver().show('ready');
      await harness.clock.advance(0);
    };
    reportKeys('loaded', true);
    await comes();
    expect(reasons()).toEqual(['terminal-tampered']);
    reportKeys('loaded');
    await comes();
    expect(reasons()).toEqual([]);
  });

  it('is not offline-ready before the first contact with the gateway', async () => {
    const harness = await new SaleHarness().boot('down');
    expect(harness.service.terminals()[0]?.offline.reasons).toEqual(['never-in-contact']);
  });
});

describe('monotonic time floor', () => {
  it('never goes back and forgives a small difference of clocks', () => {
    const wall = { nowMs: () => AT, monotonicMs: () => 0, setTimer: () => ({ cancel: () => undefined }) };
    const time = new TimeFloor(wall);
    expect(time.contactAgeMs()).toBeUndefined();
    time.noteGatewayTime(AT + 10_000);
    expect([time.nowMs(), time.isBehind(), time.contactAgeMs()]).toEqual([AT + 10_000, false, 0]);
    time.journaled(AT + 60_000);
    expect([time.nowMs(), time.isBehind(), time.contactAgeMs()]).toEqual([AT + 60_000, true, 50_000]);
  });
});
