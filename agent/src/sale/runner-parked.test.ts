import { describe, expect, it } from 'vitest';
import type { StreamEnvelope } from '../journal/forward-queue.js';
import { World } from './world.test.support.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });

/** An offline sale whose record the gateway has parked; `takeIn` is a person there who has it tried again. */
async function parked(): Promise<{ readonly world: World; readonly takeIn: () => unknown }> {
  const world = await new World().boot();
  world.wire.set('down');
  const kept: StreamEnvelope[] = [];
  world.ledger.parks = (envelope) => kept.push(envelope) > 0;
  await world.sell({ reference: 'A1' });
  world.wire.set('up');
  await world.clock.advance(1_000);
  expect(await world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
  world.ledger.parks = () => false;
  return { world, takeIn: () => kept.map((envelope) => world.ledger.take(envelope)) };
}

async function reconnect(world: World): Promise<void> {
  world.wire.set('down');
  world.wire.set('up');
  await world.clock.advance(1_000);
}

describe('a parked message that a person has had tried again at the gateway', () => {
  it('is learnt of at the next connection, and counts towards the limits no more', async () => {
    const { world, takeIn } = await parked();
    takeIn();
    await reconnect(world);
    expect(await world.desk.get('A1')).toMatchObject({
      state: 'done',
      outcome: 'approved',
      mode: 'offline-card',
      cashierText: expect.stringMatching(/authorized since/),
    });
    expect(world.desk.queue()).toMatchObject({ parked: 0, items: [], sums: {} });
    expect(world.ledger.standing('A1')).toHaveLength(1);
  });

  it('is learnt of over a restart, once', async () => {
    const { world, takeIn } = await parked();
    await world.crash('down');
    expect(world.desk.status().parked).toMatchObject([{ reference: 'A1', reason: 'nobody knows this card' }]);
    takeIn();
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.desk.status().parked).toEqual([]);
    await reconnect(world);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(world.kinds('A1').filter((kind) => kind === 'acknowledged')).toHaveLength(1);
  });

  it('is asked for when a person flushes the queue', async () => {
    const { world, takeIn } = await parked();
    takeIn();
    await world.desk.flush();
    await world.clock.advance(1_000);
    expect(world.desk.queue()).toMatchObject({ parked: 0 });
  });

  it('is told by an acknowledgement while the link is up', async () => {
    const { world, takeIn } = await parked();
    takeIn();
    const [item] = world.desk.queue().items;
    const { outcome } = world.ledger.status(item?.messageId ?? '');
    if (!item || !outcome) throw new Error('nothing was taken in');
    await world.runner.queue.acknowledged(item.messageId, outcome);
    await world.runner.queue.acknowledged(item.messageId, outcome);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
  });

  it('is a loss when it was declined there', async () => {
    const { world, takeIn } = await parked();
    world.ledger.approves = () => false;
    takeIn();
    await reconnect(world);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'declined' });
    expect(world.desk.queue()).toMatchObject({ parked: 0, losses: [{ reference: 'A1' }] });
  });

  it('stays parked while nobody has', async () => {
    const { world } = await parked();
    await reconnect(world);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
    expect(world.desk.queue()).toMatchObject({ parked: 1 });
  });

  it('all of them are asked for, one after the other', async () => {
    const world = await new World({ terminals: ['11', '22'] }).boot();
    const kept: StreamEnvelope[] = [];
    world.ledger.parks = (envelope) => kept.push(envelope) > 0;
    for (const [reference, terminalId] of [
      ['P1', '11'],
      ['P2', '22'],
    ] as const) {
      await world.sell({ reference, terminalId, type: 'preauthorization' });
      await world.during(world.desk.capture(reference, EUR(1_000)));
    }
    expect(world.desk.queue()).toMatchObject({ parked: 2 });
    world.ledger.parks = () => false;
    for (const envelope of kept) world.ledger.take(envelope);
    await reconnect(world);
    expect(world.desk.queue()).toMatchObject({ parked: 0 });
    expect(await world.desk.get('P1')).toMatchObject({
      state: 'done',
      cashierText: 'Approved. Captured: EUR 10.00.',
    });
    expect(world.ledger.captured).toHaveLength(2);
  });
});

describe('a sale with a parked record', () => {
  it('that a till reverses leaves nothing parked behind', async () => {
    const { world, takeIn } = await parked();
    expect(await world.during(world.desk.reverse('A1'))).toMatchObject({
      state: 'done',
      outcome: 'reversed',
    });
    expect(world.desk.queue()).toMatchObject({ parked: 0, items: [], sums: {} });
    takeIn();
    await reconnect(world);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
  });
});
