import { systemClock } from '@tillbridge/platform/system-clock.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { DECIDE_AGAIN_LIMITS, decideAgain, unlessConflict } from './decide-again.js';
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

/** Work that loses its first race, and whose second round waits until it is opened. */
function gated(key: string | undefined) {
  const ended: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string): Promise<void> => {
    let isFirst = true;
    const round = async (): Promise<void> => {
      if (isFirst) {
        isFirst = false;
        throw LOST;
      }
      await new Promise<void>((resolve) => gates.set(name, resolve));
      ended.push(name);
    };
    return decideAgain({ store, clock }, round, key === undefined ? {} : { key });
  };
  const open = async (name: string): Promise<void> => {
    await clock.advance(0);
    gates.get(name)?.();
    await clock.advance(0);
  };
  return { work, open, ended };
}

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

  it('ends with the round in which the time is over to the millisecond', async () => {
    let rounds = 0;
    const losing = async (): Promise<never> => {
      rounds += 1;
      // The first one is before the time; all that follow at once are done in any case.
      if (rounds === 1 + DECIDE_AGAIN_LIMITS.atOnce) await clock.advance(DECIDE_AGAIN_LIMITS.limitMs);
      throw LOST;
    };
    await expect(decideAgain({ store, clock }, losing)).rejects.toBe(LOST);
    expect(rounds).toBe(1 + DECIDE_AGAIN_LIMITS.atOnce);
  });

  it('pauses before each round after those that follow at once', async () => {
    const most = 1 + DECIDE_AGAIN_LIMITS.atOnce;
    let rounds = 0;
    const done = decideAgain({ store, clock }, async () => {
      rounds += 1;
      if (rounds < most + 2) throw LOST;
    });
    await clock.advance(DECIDE_AGAIN_LIMITS.pauseMs - 1);
    expect(rounds).toBe(most);
    await clock.advance(1);
    expect(rounds).toBe(most + 1);
    await clock.advance(DECIDE_AGAIN_LIMITS.pauseMs);
    await done;
    expect(rounds).toBe(most + 2);
  });

  it('is done again one after the other where all name the row', async () => {
    const { work, open, ended } = gated(SUBJECT);
    const before = [work('a'), work('b')];
    await open('b');
    await open('a');
    // The first one has left the line; the third one still waits for the second.
    const last = work('c');
    for (const name of ['c', 'b', 'c']) await open(name);
    await Promise.all([...before, last]);
    expect(ended).toEqual(['a', 'b', 'c']);
  });

  it('is done again at once where none names it', async () => {
    const { work, open, ended } = gated(undefined);
    const all = ['a', 'b', 'c'].map(work);
    for (const name of ['c', 'b', 'a']) await open(name);
    await Promise.all(all);
    expect(ended).toEqual(['c', 'b', 'a']);
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

describe('work that needs no second round', () => {
  it('gives what it gives, or something else where another writer was faster', async () => {
    expect(await unlessConflict(async () => 'done', 'late')).toBe('done');
    expect(await unlessConflict(() => Promise.reject(LOST), 'late')).toBe('late');
  });

  it('throws any other error', async () => {
    await expect(unlessConflict(() => Promise.reject(new Error('broken')), 'late')).rejects.toThrow('broken');
  });
});
