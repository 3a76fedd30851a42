import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommitConflict } from '../store/store.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { LEASE_LIMITS } from './lease-limits.js';
import { NodeLease, type Owner } from './node-lease.js';

const { leaseMs, renewMs, maxGapMs } = LEASE_LIMITS;
const NOW_MS = 1_000_000;

let store: MemoryStore;
let faults: string[];
beforeEach(() => {
  store = new MemoryStore();
  faults = [];
});

/** A clock of a process that may be frozen: time goes on and no timer fires. */
class ProcessClock extends VirtualClock {
  #frozenMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.#frozenMs;
  }

  freeze(ms: number): void {
    this.#frozenMs += ms;
  }
}

/** A node with its own clock, which stands while the node is frozen. */
async function node(isSingleNode = false, nowMs = NOW_MS) {
  const clock = new ProcessClock(nowMs);
  const lease = await NodeLease.begin({
    store,
    clock,
    random,
    isSingleNode,
    onFault: (what) => faults.push(what),
  });
  return { clock, lease };
}

const guarded = (lease: Owner) => store.commit([lease.guard()]);
const ids = async () => (await store.findAfter('nodes', undefined)).map(({ id }) => id);

describe('the lease of a node', () => {
  it('is one row, which shows when the node began', async () => {
    const { clock, lease } = await node();
    const row = { id: lease.id, startedAtMs: NOW_MS };
    expect(await store.get('nodes', [lease.id])).toEqual({ ...row, renewedAtMs: NOW_MS, version: 1 });
    await clock.advance(renewMs);
    const renewedAtMs = NOW_MS + renewMs;
    expect(await store.get('nodes', [lease.id])).toEqual({ ...row, renewedAtMs, version: 2 });
  });

  it('shows how long it holds', async () => {
    const { clock, lease } = await node();
    expect(lease.leftMs).toBe(leaseMs);
    clock.freeze(renewMs);
    expect(lease.leftMs).toBe(leaseMs - renewMs);
    clock.freeze(leaseMs);
    expect(lease.leftMs).toBe(0);
    await clock.advance(renewMs);
    expect(lease.leftMs).toBe(leaseMs);
  });

  it('lets the node go on with its own work, and with that of no node', async () => {
    const { lease } = await node();
    expect(await lease.mayTake(null)).toBe(true);
    expect(await lease.mayTake(lease.id)).toBe(true);
    // Its own row stands: it has taken the work from no other node.
    expect(await ids()).toEqual([lease.id]);
  });

  it('is ended by another node that has seen it silent, although nothing is taken over', async () => {
    const [a, b] = [await node(), await node()];
    expect(b.lease.othersEnded).toBe(0);
    await b.clock.advance(leaseMs);
    expect(await ids()).toEqual([b.lease.id]);
    await expect(guarded(a.lease)).rejects.toBeInstanceOf(CommitConflict);
    await b.clock.advance(renewMs);
    expect(b.lease.othersEnded).toBe(1);
  });

  it('of the next process on a database of a single node is left alone', async () => {
    const { clock } = await node(true);
    const next = { id: 'next', renewedAtMs: NOW_MS, startedAtMs: NOW_MS, version: 1 };
    await store.commit([{ op: 'insert', table: 'nodes', row: next }]);
    await clock.advance(10 * leaseMs);
    expect(await ids()).toContain('next');
  });

  it('as it was stays lost, when the node has come back with another one', async () => {
    const [a, b] = [await node(), await node()];
    const { id } = a.lease;
    const before = a.lease.asNow();
    expect([before.id, before.isHeld(), before.asNow()]).toEqual([id, true, before]);
    expect(await before.mayTake(b.lease.id)).toBe(false);
    expect(await before.mayTake(null)).toBe(true);
    await guarded(before);
    await b.clock.advance(leaseMs);
    await a.clock.advance(renewMs);
    expect(a.lease.timesLost).toBe(1);
    expect([before.id, before.isHeld(), a.lease.isHeld()]).toEqual([id, false, true]);
    await expect(guarded(before)).rejects.toBeInstanceOf(CommitConflict);
    await guarded(a.lease);
  });

  it('is renewed while the node runs, and no node takes over', async () => {
    const [a, b] = [await node(), await node()];
    for (let passedMs = 0; passedMs < 10 * leaseMs; passedMs += renewMs) {
      await a.clock.advance(renewMs);
      await b.clock.advance(renewMs);
      expect(await b.lease.mayTake(a.lease.id)).toBe(false);
      expect(a.lease.isHeld()).toBe(true);
    }
    await guarded(a.lease);
  });

  it.each([-3_600_000, 3_600_000])(
    'counts by no wall clock: one that is %i ms off takes over from no node',
    async (offMs) => {
      const [a, b] = [await node(), await node(false, NOW_MS + offMs)];
      for (let passedMs = 0; passedMs < 4 * leaseMs; passedMs += renewMs) {
        for (const { clock } of [a, b]) await clock.advance(renewMs);
        expect([await a.lease.mayTake(b.lease.id), await b.lease.mayTake(a.lease.id)]).toEqual([
          false,
          false,
        ]);
      }
      await b.clock.advance(leaseMs);
      expect(await b.lease.mayTake(a.lease.id)).toBe(true);
    },
  );

  it('reports a wall clock that differs from another one, and none that does not', async () => {
    const [a, b] = [await node(), await node()];
    for (let passedMs = 0; passedMs < 2 * leaseMs; passedMs += renewMs)
      for (const { clock } of [a, b]) await clock.advance(renewMs);
    expect([a.lease.clockFault, b.lease.clockFault]).toEqual([undefined, undefined]);
    const c = await node(false, NOW_MS - 3_600_000);
    for (let round = 0; round < 2; round += 1) for (const { clock } of [c, a]) await clock.advance(renewMs);
    expect(a.lease.clockFault).toContain(c.lease.id);
  });

  it('is not taken by a node that stood still itself, before it has seen the other silent anew', async () => {
    const [a, b] = [await node(), await node()];
    b.clock.freeze(leaseMs + maxGapMs);
    expect(await b.lease.mayTake(a.lease.id)).toBe(false);
    await b.clock.advance(renewMs);
    expect(await b.lease.mayTake(a.lease.id)).toBe(false);
    await b.clock.advance(leaseMs);
    expect(await b.lease.mayTake(a.lease.id)).toBe(true);
  });

  it('of a frozen node goes to another one after its time, and the frozen one commits nothing more', async () => {
    const [a, b] = [await node(), await node()];
    const { id } = a.lease;
    await b.clock.advance(leaseMs - 1);
    expect(await b.lease.mayTake(id)).toBe(false);
    await b.clock.advance(1);
    expect(await b.lease.mayTake(id)).toBe(true);
    await expect(guarded(a.lease)).rejects.toBeInstanceOf(CommitConflict);
    expect(faults).toEqual([]);
    // It comes back as another one, which owns nothing of before.
    await a.clock.advance(renewMs);
    expect(faults).toEqual(['another node has taken over from this one, which was silent for too long']);
    expect(a.lease.id).not.toBe(id);
    expect(await b.lease.mayTake(id)).toBe(true);
    expect(await b.lease.mayTake(a.lease.id)).toBe(false);
    await guarded(a.lease);
  });

  it('is over by its own time while the database cannot be reached', async () => {
    const { clock, lease } = await node();
    await store.close();
    await clock.advance(leaseMs - 1);
    expect(lease.isHeld()).toBe(true);
    await clock.advance(1);
    expect(lease.isHeld()).toBe(false);
    expect(faults).toContain('the lease of this node was not renewed');
  });

  it('is given back at the end: others go on at once', async () => {
    const [a, b] = [await node(), await node()];
    await a.lease.end();
    expect(a.lease.isHeld()).toBe(false);
    expect(await b.lease.mayTake(a.lease.id)).toBe(true);
  });

  it('is ignored for a process that has left its database to the next one', async () => {
    const before = await node(true);
    const after = await node(true);
    expect(await after.lease.mayTake(before.lease.id)).toBe(true);
    expect(await ids()).toEqual([after.lease.id]);
  });

  it('lets one of several take over from the same node, and the others see it gone', async () => {
    const [a, b, c] = [await node(), await node(), await node()];
    for (const { clock } of [b, c]) await clock.advance(leaseMs);
    const taken = await Promise.all([b, c].map(({ lease }) => lease.mayTake(a.lease.id)));
    expect(taken).toContain(true);
    expect(await b.lease.mayTake(a.lease.id)).toBe(true);
    expect(await c.lease.mayTake(a.lease.id)).toBe(true);
  });
});
