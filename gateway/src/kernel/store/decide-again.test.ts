import { systemClock } from '@tillbridge/platform/system-clock.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { DECIDE_AGAIN_LIMITS, decideAgain } from './decide-again.js';
import { CommitConflict } from './store.js';
import { MemoryStore } from './testing/memory-store.js';

const LOST = new CommitConflict({ kind: 'version', table: 'recentUses', on: 'primary' });
const SUBJECT = 's';

let store: MemoryStore;
let clock: VirtualClock;
beforeEach(() => {
  store = new MemoryStore();
  clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
});

/** Adds one to a counter of the store; counts its rounds. */
const counting = () => {
  const seen = { rounds: 0 };
  const round = async (): Promise<void> => {
    seen.rounds += 1;
    const row = await store.get('recentUses', [SUBJECT]);
    const uses = JSON.stringify([Number(JSON.parse(row?.uses ?? '[0]')) + 1]);
    await store.commit([
      row
        ? { op: 'update', table: 'recentUses', row: { ...row, uses } }
        : { op: 'insert', table: 'recentUses', row: { subject: SUBJECT, uses, expiresAtMs: 1, version: 1 } },
    ]);
  };
  return { seen, round };
};

describe('work that loses races', () => {
  it.each([16, 64, 500])('is done by each of %i that change the same row at once', async (count) => {
    const { round } = counting();
    const deps = { store, clock: systemClock };
    await Promise.all(Array.from({ length: count }, () => decideAgain(deps, round)));
    expect((await store.get('recentUses', [SUBJECT]))?.uses).toBe(JSON.stringify([count]));
  });

  it('loses one race each where all name the row', async () => {
    const { seen, round } = counting();
    const options = { key: SUBJECT };
    await Promise.all(Array.from({ length: 64 }, () => decideAgain({ store, clock }, round, options)));
    expect((await store.get('recentUses', [SUBJECT]))?.uses).toBe('[64]');
    expect(seen.rounds).toBe(64 + 63);
  });

  it('goes on after one of the same key has failed', async () => {
    let isFirst = true;
    const fails = async () => {
      if (!isFirst) throw new Error('broken');
      isFirst = false;
      throw LOST;
    };
    const { round } = counting();
    const broken = decideAgain({ store, clock }, fails, { key: SUBJECT });
    const others = Array.from({ length: 3 }, () => decideAgain({ store, clock }, round, { key: SUBJECT }));
    await expect(broken).rejects.toThrow('broken');
    await Promise.all(others);
    expect((await store.get('recentUses', [SUBJECT]))?.uses).toBe('[3]');
  });

  it('goes on in a process that stood still longer than the limit while others were faster', async () => {
    const { seen, round } = counting();
    const stops = async (): Promise<void> => {
      if (seen.rounds >= 4) return round();
      seen.rounds += 1;
      await clock.advance(2 * DECIDE_AGAIN_LIMITS.limitMs);
      throw LOST;
    };
    await decideAgain({ store, clock }, stops);
    expect((await store.get('recentUses', [SUBJECT]))?.uses).toBe('[1]');
  });

  it('ends when the time is over, with the conflict or the error that is named', async () => {
    const losing = async (): Promise<never> => {
      await clock.advance(DECIDE_AGAIN_LIMITS.limitMs / 4);
      throw LOST;
    };
    await expect(decideAgain({ store, clock }, losing)).rejects.toBe(LOST);
    const busy = () => new Error('busy');
    await expect(decideAgain({ store, clock }, losing, { busy })).rejects.toThrow('busy');
  });

  it('ends at once with a conflict that no round mends, and with any other error', async () => {
    let rounds = 0;
    const failing = (error: Error) => async (): Promise<never> => {
      rounds += 1;
      throw error;
    };
    const ends = ({ table }: CommitConflict['conflict']) => table === 'recentUses';
    await expect(decideAgain({ store, clock }, failing(LOST), { ends })).rejects.toBe(LOST);
    await expect(decideAgain({ store, clock }, failing(new Error('other')))).rejects.toThrow('other');
    expect(rounds).toBe(2);
  });
});
