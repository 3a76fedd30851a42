import { describe, expect, it } from 'vitest';
import { JournalUnavailable } from '../journal/journal.js';
import type { DeskEvent } from './desk.js';
import { FAIR } from './wire.test.support.js';
import { World } from './world.test.support.js';

/** From now on the next write with a row of this kind is kept by the disk, and reported as lost; then the disk is gone for a while. */
function keepButDeny(world: World, kind: string): void {
  const { journal } = world;
  const append = journal.append.bind(journal);
  journal.append = async (write) => {
    const rows = await append(write);
    if (!write.rows.some((row) => row.kind === kind)) return rows;
    journal.append = append;
    journal.fail('io-error');
    throw new JournalUnavailable('io-error', 'the sync failed');
  };
}

/** From now on the next write with a row of this kind fails for good; then the disk is gone for a while. */
function denyOnce({ journal }: World, kind: string): void {
  const append = journal.append.bind(journal);
  journal.append = async (write) => {
    if (!write.rows.some((row) => row.kind === kind)) return append(write);
    journal.append = append;
    journal.fail('io-error');
    throw new JournalUnavailable('io-error', 'the sync failed');
  };
}

describe('a write that the disk kept and reported as lost', () => {
  it.each(['accepted', 'authorizing', 'answered', 'completed', 'ended', 'offline-record'])(
    'of kind %s leaves one truth between till and acquirer',
    async (kind) => {
      const world = await new World().boot(kind === 'offline-record' ? 'down' : 'up');
      if (kind === 'offline-record') {
        world.wire.set('up');
        world.wire.set('down');
      }
      keepButDeny(world, kind);
      const told = await world.sell({ reference: 'A1' }).catch(() => undefined);
      expect(told?.outcome).not.toBe('approved');
      world.journal.repair();
      await world.clock.advance(10_000);
      world.wire.set('up');
      await world.clock.advance(300_000);
      const later = await world.desk.get('A1');
      expect(later.state).toBe('done');
      expect(later.outcome).not.toBe('approved');
      expect(world.ledger.standing('A1')).toEqual([]);
    },
  );

  it('of kind offline-record is told as unknown while a kill could bring it back', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    keepButDeny(world, 'offline-record');
    const told = await world.sell({ reference: 'A1' });
    expect(told).toMatchObject({
      state: 'unknown',
      outcome: null,
      cashierText: expect.stringContaining('Do not charge again before'),
    });
    world.journal.repair();
    await world.crash();
    world.wire.set('up');
    await world.clock.advance(300_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(world.ledger.standing('A1')).toHaveLength(1);
  });

  it.each([
    ['kept it', true, 'reversed', /undone|could not be recorded/],
    ['never had it', false, 'failed', /NOT charged; it is safe to try again/],
  ] as const)(
    'of kind offline-record is told as it ended when the disk is read again, which %s',
    async (_what, isKept, outcome, text) => {
      const world = await new World().boot();
      world.wire.set('down');
      if (isKept) keepButDeny(world, 'offline-record');
      else denyOnce(world, 'offline-record');
      const told = await world.sell({ reference: 'A1' });
      expect(told).toMatchObject({ state: 'unknown', outcome: null });
      expect((await world.desk.get('A1')).cashierText).toBe(told.cashierText);
      const events: DeskEvent[] = [];
      world.desk.onEvent((event) => events.push(event));
      world.journal.repair();
      await world.clock.advance(10_000);
      world.wire.set('up');
      await world.clock.advance(10_000);
      const later = await world.desk.get('A1');
      expect(later).toMatchObject({ state: 'done', outcome, cashierText: expect.stringMatching(text) });
      const last = events.filter(({ type }) => type === 'sale').at(-1);
      expect(last).toMatchObject({ sale: { reference: 'A1', state: 'done', outcome } });
      expect(world.ledger.standing('A1')).toEqual([]);
      await world.crash();
      expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome });
    },
  );

  it('of kind voice-authorization is undone: the till was told that nothing was recorded', async () => {
    const world = await new World().boot();
    world.ledger.word = () => 'call';
    await world.sell({ reference: 'A1' });
    keepButDeny(world, 'voice-authorization');
    await expect(world.desk.approveByVoice('A1', 'AB12')).rejects.toMatchObject({
      code: 'journal-unavailable',
    });
    world.journal.repair();
    await world.clock.advance(10_000);
    await world.crash();
    await world.clock.advance(300_000);
    expect(world.kinds('A1')).toContain('voice-authorization');
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('of kind capture stands, once, and is what a repeated call hears of', async () => {
    const world = await new World().boot();
    await world.sell({ reference: 'P1', type: 'preauthorization' });
    keepButDeny(world, 'capture');
    const amount = { minor: 1_000, currency: 'EUR' };
    await expect(world.desk.capture('P1', amount)).rejects.toMatchObject({ code: 'journal-unavailable' });
    world.journal.repair();
    await world.clock.advance(300_000);
    expect(await world.during(world.desk.capture('P1', amount))).toMatchObject({
      captures: [{ amount: '10.00', state: 'acknowledged' }],
    });
    expect(world.ledger.captured).toHaveLength(1);
  });

  it('of kind acknowledged lets an undone sale come to its end', async () => {
    const world = await new World().boot();
    expect((await world.sell({ reference: 'A1' })).outcome).toBe('approved');
    keepButDeny(world, 'acknowledged');
    await world.during(world.desk.reverse('A1'));
    world.journal.repair();
    await world.clock.advance(10_000);
    expect(world.desk.queue().items).toEqual([]);
    expect(world.desk.status().open).toEqual([]);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
  });

  it.each([
    ['is restarted', async (world: World) => void (await world.crash())],
    ['goes on', async () => undefined],
  ])('of kind reversal leaves the queue of a cancelled sale when the agent %s', async (_what, then) => {
    const world = await new World().boot();
    world.wire.weather = { ...FAIR, dropRequest: () => true };
    const told = world.desk.request({
      reference: 'A1',
      amount: { minor: 1_234, currency: 'EUR' },
      type: 'sale',
    });
    await world.clock.advance(5_000);
    keepButDeny(world, 'reversal');
    await world.desk.cancel('A1').catch(() => undefined);
    await world.during(told);
    world.wire.set('down');
    world.journal.repair();
    await world.clock.advance(10_000);
    expect(world.kinds('A1').slice(-2)).toEqual(['reversal', 'unknown']);
    await then(world);
    world.wire.weather = FAIR;
    world.wire.set('up');
    await world.clock.advance(300_000);
    expect(world.desk.queue().items).toEqual([]);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('of kind reversal is the one that undoes a sale without an answer', async () => {
    const world = await new World().boot();
    world.wire.weather = { ...FAIR, dropAnswer: () => true };
    expect((await world.sell({ reference: 'A1' })).state).toBe('unknown');
    keepButDeny(world, 'reversal');
    world.wire.weather = FAIR;
    await world.clock.advance(60_000);
    world.journal.repair();
    await world.clock.advance(300_000);
    expect(world.kinds('A1').filter((kind) => kind === 'reversal')).toHaveLength(1);
    expect(world.desk.queue().items).toEqual([]);
    expect(world.desk.status().open).toEqual([]);
    expect(world.ledger.standing('A1')).toEqual([]);
  });
});
