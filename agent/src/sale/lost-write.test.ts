import { describe, expect, it } from 'vitest';
import { JournalUnavailable } from '../journal/journal.js';
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
});
