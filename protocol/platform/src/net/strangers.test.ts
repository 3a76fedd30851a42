import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it, vi } from 'vitest';
import { Strangers, type StrangerVerdict } from './strangers.js';

const LIMITS = { perSecond: 10, burst: 2, maxWaitMs: 500, maxHeld: 4 };
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const clock = new VirtualClock();
  const strangers = new Strangers(LIMITS, clock);
  const ended: string[] = [];
  const enter = (peer: string) =>
    strangers.enter(peer).then((verdict) => {
      ended.push(`${peer} ${verdict.kind}`);
      return verdict;
    });
  return { clock, strangers, ended, enter };
}

/** Turns of the loop until nothing more happens. */
async function settle(): Promise<void> {
  for (let at = 0; at < 20; at += 1) await turnOfLoop();
}

describe('requests of strangers', () => {
  it('come to work one at each turn of the event loop, from any sender', async () => {
    const { ended, enter } = open();
    for (const peer of ['a', 'b', 'c']) void enter(peer);
    const seen: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      seen.push(ended.length);
      await turnOfLoop();
    }
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  it('wait beyond the rate of their peer, and no other peer waits for them', async () => {
    const { clock, ended, enter } = open();
    for (let at = 0; at < 5; at += 1) void enter('a');
    void enter('b');
    await settle();
    expect(ended.toSorted()).toEqual(['a admitted', 'a admitted', 'a admitted', 'b admitted']);
    await clock.advance(100);
    await settle();
    expect(ended).toHaveLength(5);
    await clock.advance(100);
    await settle();
    expect(ended).toHaveLength(6);
  });

  it('are refused where they would wait too long, after that time, and owe nothing for it', async () => {
    const { clock, ended, enter } = open();
    const verdicts: Promise<StrangerVerdict>[] = [];
    const pace = new Strangers({ ...LIMITS, maxHeld: 100 }, clock);
    for (let at = 0; at < 20; at += 1) verdicts.push(pace.enter('a'));
    await clock.advance(499);
    await settle();
    let isEnded = false;
    void verdicts.at(-1)?.then(() => {
      isEnded = true;
    });
    await settle();
    expect(isEnded).toBe(false);
    await clock.advance(1);
    await settle();
    expect(await verdicts.at(-1)).toEqual({ kind: 'refused', waitMs: 600 });
    expect((await Promise.all(verdicts)).filter(({ kind }) => kind === 'admitted')).toHaveLength(8);
    // What was refused is not owed: a second later the burst is there again.
    await clock.advance(1_000);
    for (let at = 0; at < 3; at += 1) void enter('a');
    await settle();
    expect(ended).toEqual(['a admitted', 'a admitted', 'a admitted']);
  });

  it('are turned down at once where too many wait', async () => {
    const { clock, ended, enter } = open();
    for (let at = 0; at < 8; at += 1) void enter('a');
    await settle();
    expect(ended.filter((each) => each === 'a crowded')).toHaveLength(1);
    // Another peer within its rate does not wait.
    void enter('b');
    await settle();
    expect(ended).toContain('b admitted');
    await clock.advance(1_000);
    await settle();
    expect(await enter('a')).toEqual({ kind: 'admitted' });
  });

  it('give their places back when they come to work', async () => {
    const { clock, ended, enter } = open();
    for (let round = 0; round < 2; round += 1) {
      for (let at = 0; at < 7; at += 1) void enter('a');
      await settle();
      await clock.advance(1_000);
      await settle();
    }
    expect(ended).toEqual(Array(14).fill('a admitted'));
  });

  it('take no turn of the event loop while none of them waits', async () => {
    const { enter } = open();
    await enter('a');
    await turnOfLoop();
    const immediates = vi.spyOn(globalThis, 'setImmediate');
    try {
      for (let at = 0; at < 3; at += 1) await turnOfLoop();
      expect(immediates).toHaveBeenCalledTimes(3);
    } finally {
      immediates.mockRestore();
    }
  });

  it('count for as much as their answers are long', async () => {
    const { clock, strangers, ended, enter } = open();
    strangers.sent('a', 65_536);
    void enter('a');
    await settle();
    expect(ended).toHaveLength(1);
    strangers.sent('a', 5 * 65_536 + 1);
    void enter('a');
    await settle();
    expect(ended).toHaveLength(1);
    await clock.advance(400);
    await settle();
    expect(ended).toHaveLength(2);
  });
});

it('of more peers than are remembered the one that came least lately begins anew', async () => {
  const strangers = new Strangers({ ...LIMITS, burst: 0, maxHeld: 0 }, new VirtualClock());
  const kinds = async (peers: readonly string[]) =>
    (await Promise.all(peers.map((peer) => strangers.enter(peer)))).map(({ kind }) => kind);
  const others = Array.from({ length: 9_999 }, (_, at) => `peer-${at}`);
  for (const peer of ['first', ...others]) strangers.sent(peer, 200_000);
  expect(await kinds(['first', 'peer-0'])).toEqual(['crowded', 'crowded']);
  // One more: the least lately used is now the second of the others.
  strangers.sent('one more', 200_000);
  expect(await kinds(['first', 'peer-0', 'peer-2'])).toEqual(['crowded', 'crowded', 'crowded']);
  expect(await kinds(['peer-1'])).toEqual(['admitted']);
});
