import { describe, expect, it } from 'vitest';
import type { StreamEnvelope } from '../journal/forward-queue.js';
import { SaleHarness } from './sale-harness.test.support.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });

/** An offline sale whose record the gateway has parked; `takeIn` is a person there who has it tried again. */
async function parked(): Promise<{ readonly harness: SaleHarness; readonly takeIn: () => unknown }> {
  const harness = await new SaleHarness().boot();
  harness.wire.set('down');
  const kept: StreamEnvelope[] = [];
  harness.ledger.parks = (envelope) => kept.push(envelope) > 0;
  await harness.sell({ reference: 'A1' });
  harness.wire.set('up');
  await harness.clock.advance(1_000);
  expect(await harness.service.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
  harness.ledger.parks = () => false;
  return { harness, takeIn: () => kept.map((envelope) => harness.ledger.take(envelope)) };
}

async function reconnect(harness: SaleHarness): Promise<void> {
  harness.wire.set('down');
  harness.wire.set('up');
  await harness.clock.advance(1_000);
}

describe('a parked message that a person has had tried again at the gateway', () => {
  it('is learnt of at the next connection, and counts towards the limits no more', async () => {
    const { harness, takeIn } = await parked();
    takeIn();
    await reconnect(harness);
    expect(await harness.service.get('A1')).toMatchObject({
      state: 'done',
      outcome: 'approved',
      mode: 'offline-card',
      cashierText: expect.stringMatching(/authorized since/),
    });
    expect(harness.service.queue()).toMatchObject({ parked: 0, items: [], sums: {} });
    expect(harness.ledger.standing('A1')).toHaveLength(1);
  });

  it('is learnt of over a restart, once', async () => {
    const { harness, takeIn } = await parked();
    await harness.crash('down');
    expect(harness.service.status().parked).toMatchObject([
      { reference: 'A1', reason: 'this card is unknown' },
    ]);
    takeIn();
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.service.status().parked).toEqual([]);
    await reconnect(harness);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(harness.kinds('A1').filter((kind) => kind === 'acknowledged')).toHaveLength(1);
  });

  it('has its status requested when a person flushes the queue', async () => {
    const { harness, takeIn } = await parked();
    takeIn();
    await harness.service.flush();
    await harness.clock.advance(1_000);
    expect(harness.service.queue()).toMatchObject({ parked: 0 });
  });

  it('is resolved by an acknowledgement while the link is up', async () => {
    const { harness, takeIn } = await parked();
    takeIn();
    const [item] = harness.service.queue().items;
    const { outcome } = harness.ledger.status(item?.messageId ?? '');
    if (!item || !outcome) throw new Error('nothing was taken in');
    await harness.runner.queue.acknowledged(item.messageId, outcome);
    await harness.runner.queue.acknowledged(item.messageId, outcome);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
  });

  it('is a loss when it was declined there', async () => {
    const { harness, takeIn } = await parked();
    harness.ledger.approves = () => false;
    takeIn();
    await reconnect(harness);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'declined' });
    expect(harness.service.queue()).toMatchObject({ parked: 0, lateDeclines: [{ reference: 'A1' }] });
  });

  it('stays parked while no operator has', async () => {
    const { harness } = await parked();
    await reconnect(harness);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
    expect(harness.service.queue()).toMatchObject({ parked: 1 });
  });

  it('all of them have their status requested, one after the other', async () => {
    const harness = await new SaleHarness({ terminals: ['11', '22'] }).boot();
    const kept: StreamEnvelope[] = [];
    harness.ledger.parks = (envelope) => kept.push(envelope) > 0;
    for (const [reference, terminalId] of [
      ['P1', '11'],
      ['P2', '22'],
    ] as const) {
      await harness.sell({ reference, terminalId, type: 'preauthorization' });
      await harness.during(harness.service.capture(reference, EUR(1_000)));
    }
    expect(harness.service.queue()).toMatchObject({ parked: 2 });
    harness.ledger.parks = () => false;
    for (const envelope of kept) harness.ledger.take(envelope);
    await reconnect(harness);
    expect(harness.service.queue()).toMatchObject({ parked: 0 });
    expect(await harness.service.get('P1')).toMatchObject({
      state: 'done',
      cashierText: 'Approved. Captured: EUR 10.00.',
    });
    expect(harness.ledger.captured).toHaveLength(2);
  });
});

describe('a sale with a parked record', () => {
  it('that a till reverses leaves nothing parked behind', async () => {
    const { harness, takeIn } = await parked();
    expect(await harness.during(harness.service.reverse('A1'))).toMatchObject({
      state: 'done',
      outcome: 'reversed',
    });
    expect(harness.service.queue()).toMatchObject({ parked: 0, items: [], sums: {} });
    takeIn();
    await reconnect(harness);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
  });
});
