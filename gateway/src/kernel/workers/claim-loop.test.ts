import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveryOf } from '../events/event-changes.js';
import type { DeliveryRow } from '../store/rows.js';
import { type Change, type Store, StoreUnavailableError } from '../store/store.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { CLAIM_LIMITS, ClaimLoop, type ClaimLoopDeps } from './claim-loop.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const ENDPOINT = 'w1';
const { concurrency, leaseMs, maxClaims, pollMs, renewAfterMs, retryMs } = CLAIM_LIMITS;

type Deps = ClaimLoopDeps<DeliveryRow>;

let store: MemoryStore;
let clock: VirtualClock;
let faults: unknown[];
beforeEach(async () => {
  store = new MemoryStore();
  clock = new VirtualClock(NOW_MS);
  faults = [];
  await store.commit([
    {
      op: 'insert',
      table: 'deliveryCounters',
      row: { endpointId: ENDPOINT, lastSequence: 0, version: 1 },
    },
  ]);
});

/** A node with its own loop. */
function node(work: Deps['work'], more: Partial<Deps> = {}): ClaimLoop<DeliveryRow> {
  return new ClaimLoop({
    store,
    clock,
    random: systemRandom,
    update: (row) => ({ op: 'update', table: 'deliveries', row }),
    due: (from, below, page) =>
      store.findRange('deliveries', 'due', { equals: [ENDPOINT], from, below, ...page }),
    work,
    poisoned: (row) => ({ row: { ...row, state: 'givenUp', dueAtMs: null } }),
    onFault: (error) => faults.push(error),
    ...more,
  });
}

const add = (...events: string[]) =>
  store.commit(events.map((eventId): Change => deliveryOf(ENDPOINT, eventId, NOW_MS)));
const rows = () => store.findAfter('deliveries', undefined);
const states = async () => (await rows()).map(({ state }) => state);
const delivered = (row: DeliveryRow) => ({ row: { ...row, state: 'delivered', dueAtMs: null } as const });
const never = () => new Promise<never>(() => undefined);
const tick = () => clock.advance(0);

/** Work that goes on until all of it is let go on. */
function gated() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const begun: string[] = [];
  const work: Deps['work'] = async (row) => {
    begun.push(row.eventId);
    await opened;
    return delivered(row);
  };
  return { begun, work, open: () => open() };
}

/** Looks for due rows that are counted. */
function watched() {
  const seen = {
    count: 0,
    now: 0,
    most: 0,
    due: async (...[from, below, page]: Parameters<Deps['due']>) => {
      seen.count += 1;
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      const found = await store.findRange('deliveries', 'due', { equals: [ENDPOINT], from, below, ...page });
      seen.now -= 1;
      return found;
    },
  };
  return seen;
}

describe('a claim loop', () => {
  it('works on each due row once, however many nodes look', async () => {
    await add('a', 'b', 'c', 'd', 'e', 'f');
    const done: string[] = [];
    const work: Deps['work'] = async (row) => {
      done.push(row.eventId);
      return delivered(row);
    };
    const nodes = [node(work), node(work), node(work)];
    for (const each of nodes) each.wake();
    await tick();
    await Promise.all(nodes.map((each) => each.stop()));
    expect(done.sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await states()).toEqual(Array(6).fill('delivered'));
    expect((await rows()).every(({ leasedBy, claims }) => leasedBy === null && claims === 0)).toBe(true);
  });

  it('touches no row before it is due, and looks again by itself', async () => {
    await add('a');
    const tries: number[] = [];
    const loop = node(async (row) => {
      tries.push(clock.nowMs() - NOW_MS);
      return tries.length === 1 ? { row: { ...row, dueAtMs: clock.nowMs() + 5_000 } } : delivered(row);
    });
    loop.wake();
    await clock.advance(4_999);
    expect(tries).toEqual([0]);
    await clock.advance(1 + pollMs);
    expect(tries).toEqual([0, 5_000]);
    await loop.stop();
  });

  it('takes a row that is named before it is due, once, and not from a node that has it', async () => {
    await add('a');
    const [row] = await rows();
    if (!row) throw new Error('there is no row');
    const later = { ...row, dueAtMs: NOW_MS + leaseMs };
    await store.commit([{ op: 'update', table: 'deliveries', row: later }]);
    const named = { ...later, version: 2 };
    const [first, second] = [node(async (each) => delivered(each)), node(never)];
    expect(await Promise.all([first.take(named), second.take(named)])).toEqual([true, false]);
    expect(await states()).toEqual(['delivered']);
    expect(await second.take({ ...named, leasedBy: 'another' })).toBe(false);
    // Neither was woken to look for rows.
    await clock.advance(10 * pollMs);
    expect(await states()).toEqual(['delivered']);
    await first.stop();
    expect(await first.take(named)).toBe(false);
  });

  it('works on so many at once, and on the next as soon as one has ended', async () => {
    await add('a', 'b', 'c', 'd', 'e');
    let now = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const loop = node(
      async (row) => {
        now += 1;
        most = Math.max(most, now);
        await new Promise<void>((resolve) => ends.push(resolve));
        now -= 1;
        return delivered(row);
      },
      { limits: { concurrency: 2 } },
    );
    loop.wake();
    while ((await states()).includes('waiting')) {
      await tick();
      ends.shift()?.();
    }
    expect(most).toBe(2);
    expect(clock.nowMs()).toBe(NOW_MS);
    await loop.stop();
  });

  it('takes over what a node that died had claimed, when its lease has ended and not before', async () => {
    await add('a');
    const dead = node(never);
    dead.wake();
    await tick();
    expect((await rows())[0]).toMatchObject({ claims: 1 });
    // The clock of its process stands still: it renews nothing.
    const later = new VirtualClock(NOW_MS);
    const heir = node(async (row) => delivered(row), { clock: later });
    heir.wake();
    await later.advance(leaseMs - 1);
    expect(await states()).toEqual(['waiting']);
    await later.advance(1 + pollMs);
    expect(await states()).toEqual(['delivered']);
  });

  describe('of several nodes', () => {
    const named = (id: string, othersEnded: () => number = () => 0) => ({
      id,
      get othersEnded() {
        return othersEnded();
      },
      mayTake: async (other: string) => other === id || othersEnded() > 0,
    });
    const dies = async (): Promise<void> => {
      const dead = node(never, { node: named('dead') });
      dead.wake();
      await tick();
      expect((await rows())[0]?.leasedBy).toMatch(/^dead\./);
    };

    it('takes over at its next look what a node had claimed that has ended, however many rows are before it', async () => {
      await add('a');
      await dies();
      // Due later, and not claimed.
      await add('b', 'c');
      for (const row of (await rows()).slice(1))
        await store.commit([
          { op: 'update', table: 'deliveries', row: { ...row, dueAtMs: NOW_MS + leaseMs - 1 } },
        ]);
      let ended = 0;
      const later = new VirtualClock(NOW_MS);
      const heir = node(async (row) => delivered(row), {
        clock: later,
        node: named('heir', () => ended),
        limits: { page: 2 },
      });
      heir.wake();
      await later.advance(2 * pollMs);
      expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
      ended = 1;
      await later.advance(2 * pollMs);
      expect(await states()).toEqual(['delivered', 'waiting', 'waiting']);
      await heir.stop();
    });

    it('takes over when it begins what a node before it had claimed, and leaves its own claims and those of no node', async () => {
      await add('a');
      await dies();
      const own: string[] = [];
      await add('b', 'c');
      for (const [at, leasedBy] of [
        [1, 'heir.x'],
        [2, 'another'],
      ] as const) {
        const row = (await rows())[at];
        if (row)
          await store.commit([
            { op: 'update', table: 'deliveries', row: { ...row, leasedBy, dueAtMs: NOW_MS + leaseMs } },
          ]);
      }
      const later = new VirtualClock(NOW_MS);
      const heir = node(
        async (row) => {
          own.push(row.eventId);
          return delivered(row);
        },
        { clock: later, node: named('heir', () => 1) },
      );
      heir.wake();
      await later.advance(pollMs);
      expect(own).toEqual(['a']);
      await heir.stop();
    });

    it('looks through the claims once for so many nodes that have ended', async () => {
      const looks = watched();
      let ended = 0;
      const loop = node(never, { due: looks.due, node: named('one', () => ended) });
      const looksOf = async (): Promise<number> => {
        const before = looks.count;
        await clock.advance(pollMs);
        return looks.count - before;
      };
      loop.wake();
      await tick();
      expect(looks.count).toBe(2);
      expect([await looksOf(), await looksOf()]).toEqual([1, 1]);
      ended = 1;
      expect([await looksOf(), await looksOf()]).toEqual([2, 1]);
      await loop.stop();
    });

    it('poisons a row that ends every node that claims it, as fast as they end', async () => {
      await add('a');
      let ended = 0;
      for (let claim = 1; claim <= maxClaims; claim += 1) {
        const victim = node(never, { node: named(`node${claim}`, () => claim) });
        victim.wake();
        await clock.advance(0);
        expect((await rows())[0]).toMatchObject({ claims: claim });
        ended = claim;
      }
      const last = node(async (row) => delivered(row), { node: named('last', () => ended) });
      last.wake();
      await clock.advance(0);
      expect(await states()).toEqual(['givenUp']);
      await last.stop();
    });
  });

  it('takes a row whose lease is over at this moment, and none whose lease has a millisecond left', async () => {
    await add('a');
    const [row] = await rows();
    if (!row) throw new Error('there is no row');
    const leased = { ...row, leasedBy: 'another', dueAtMs: NOW_MS + 1 };
    await store.commit([{ op: 'update', table: 'deliveries', row: leased }]);
    const loop = node(async (each) => delivered(each));
    expect(await loop.take({ ...leased, version: 2 })).toBe(false);
    await clock.advance(1);
    expect(await loop.take({ ...leased, version: 2 })).toBe(true);
    expect(await states()).toEqual(['delivered']);
  });

  it('takes a row until the work on it has ended, and looks for no other one', async () => {
    await add('a', 'b');
    const gate = gated();
    const loop = node(gate.work);
    const [row] = await rows();
    let isTaken = false;
    const taken = row && loop.take(row).then(() => (isTaken = true));
    await tick();
    expect([gate.begun, isTaken]).toEqual([['a'], false]);
    gate.open();
    await taken;
    await clock.advance(10 * pollMs);
    expect(gate.begun).toEqual(['a']);
    expect(await states()).toEqual(['delivered', 'waiting']);
  });

  it('looks once where it was called once, and once more where it was called while it looked', async () => {
    const looks = watched();
    const loop = node(never, { due: looks.due });
    loop.wake();
    await tick();
    expect(looks.count).toBe(1);
    await clock.advance(pollMs - 1);
    expect(looks.count).toBe(1);
    loop.wake();
    loop.wake();
    loop.wake();
    await tick();
    expect([looks.count, looks.most]).toEqual([3, 1]);
    await clock.advance(pollMs);
    expect(looks.count).toBe(4);
    await loop.stop();
  });

  it('does not look while it works on as many as it may', async () => {
    await add(...Array.from({ length: concurrency }, (_, at) => `e${at}`));
    const looks = watched();
    const gate = gated();
    const loop = node(gate.work, { due: looks.due });
    loop.wake();
    await tick();
    expect([gate.begun.length, looks.count]).toEqual([concurrency, 1]);
    await clock.advance(3 * pollMs);
    expect(looks.count).toBe(1);
    gate.open();
    await tick();
    expect(looks.count).toBeGreaterThan(1);
    await loop.stop();
  });

  it('begins nothing after its stop, not even what it was looking for, and sets no timer', async () => {
    await add('a', 'b');
    const gate = gated();
    const looks = watched();
    const stopped: Promise<void>[] = [];
    const loop = node(gate.work, {
      due: async (...range) => {
        const found = await looks.due(...range);
        stopped.push(loop.stop());
        return found;
      },
    });
    loop.wake();
    await tick();
    await Promise.all(stopped);
    loop.wake();
    await tick();
    const [row] = await rows();
    expect(row && (await loop.take(row))).toBe(false);
    expect([gate.begun, looks.count, clock.nextTimerInMs()]).toEqual([[], 1, undefined]);
  });

  it('waits longer after each try that throws, and gives the row back meanwhile', async () => {
    await add('a');
    const loop = node(() => Promise.reject(new Error('a fault of ours')));
    loop.wake();
    await tick();
    const first = { leasedBy: null, claims: 1, dueAtMs: NOW_MS + retryMs, eventId: 'a', state: 'waiting' };
    expect(await rows()).toMatchObject([first]);
    await clock.advance(retryMs - 1);
    expect(await rows()).toMatchObject([first]);
    await clock.advance(pollMs);
    const [again] = await rows();
    expect(again).toMatchObject({ leasedBy: null, claims: 2 });
    expect(again?.dueAtMs).toBeGreaterThanOrEqual(NOW_MS + 3 * retryMs);
    expect(again?.dueAtMs).toBeLessThan(NOW_MS + 3 * retryMs + pollMs);
    await loop.stop();
  });

  it('renews a lease again where the database could not be reached once, and reports that', async () => {
    await add('a');
    let isAway = false;
    const away: Pick<Store, 'commit'> = {
      commit: (changes) => (isAway ? Promise.reject(new Error('away')) : store.commit(changes)),
    };
    const gate = gated();
    const loop = node(gate.work, { store: away });
    loop.wake();
    await tick();
    isAway = true;
    await clock.advance(renewAfterMs);
    isAway = false;
    expect(faults).toHaveLength(1);
    expect((await rows())[0]?.dueAtMs).toBe(NOW_MS + leaseMs);
    await clock.advance(renewAfterMs);
    expect((await rows())[0]?.dueAtMs).toBe(NOW_MS + 2 * renewAfterMs + leaseMs);
    gate.open();
    await loop.stop();
    expect(await states()).toEqual(['delivered']);
  });

  it('renews a lease no more that it has lost', async () => {
    await add('a');
    let commits = 0;
    const counted: Pick<Store, 'commit'> = {
      commit: (changes) => {
        commits += 1;
        return store.commit(changes);
      },
    };
    const gate = gated();
    const loop = node(gate.work, { store: counted });
    const [row] = await rows();
    void (row && loop.take(row));
    await tick();
    const [claimed] = await rows();
    if (!claimed) throw new Error('no row');
    await store.commit([{ op: 'update', table: 'deliveries', row: { ...claimed, leasedBy: 'another' } }]);
    await clock.advance(10 * renewAfterMs);
    expect(commits).toBe(2);
    gate.open();
    await loop.stop();
    expect(commits).toBe(2);
  });

  it('keeps a row while its work goes on', async () => {
    await add('a');
    let end: () => void = () => undefined;
    let claims = 0;
    const work: Deps['work'] = async (row) => {
      claims += 1;
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return delivered(row);
    };
    const nodes = [node(work), node(work)];
    for (const each of nodes) each.wake();
    await clock.advance(10 * leaseMs);
    expect(claims).toBe(1);
    end();
    await tick();
    expect(await states()).toEqual(['delivered']);
    await Promise.all(nodes.map((each) => each.stop()));
  });

  it('commits nothing once its lease is lost, and reports it to the work', async () => {
    await add('a');
    let signal: AbortSignal | undefined;
    let end: () => void = () => undefined;
    const loop = node(async (row, lost) => {
      signal = lost;
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return delivered(row);
    });
    loop.wake();
    await tick();
    const [row] = await rows();
    if (!row) throw new Error('no row');
    // Another node has taken it over and given it up.
    await store.commit([
      { op: 'update', table: 'deliveries', row: { ...row, state: 'givenUp', dueAtMs: null } },
    ]);
    await clock.advance(leaseMs);
    expect(signal?.aborted).toBe(true);
    end();
    await loop.stop();
    expect(await states()).toEqual(['givenUp']);
  });

  it('poisons a row whose work never comes to an end', async () => {
    await add('a');
    const error = new Error('a fault of ours');
    let tries = 0;
    const loop = node(async () => {
      tries += 1;
      throw error;
    });
    loop.wake();
    for (let claim = 1; claim <= maxClaims; claim += 1) await clock.advance(claim * retryMs + pollMs);
    expect(tries).toBe(maxClaims);
    expect(faults).toEqual(Array(maxClaims).fill(error));
    expect(await rows()).toMatchObject([{ state: 'givenUp', dueAtMs: null, leasedBy: null }]);
    await loop.stop();
  });

  it('leaves a row as a commit of the work itself has made it', async () => {
    await add('a');
    const loop = node(async (row) => {
      await store.commit([
        { op: 'update', table: 'deliveries', row: delivered({ ...row, leasedBy: null }).row },
      ]);
      return undefined;
    });
    loop.wake();
    await tick();
    await loop.stop();
    expect(await rows()).toMatchObject([{ state: 'delivered', version: 3, leasedBy: null }]);
    expect(faults).toEqual([]);
  });

  it('commits what the work brings in the same commit as its end, or neither', async () => {
    await add('a');
    const away: Pick<Store, 'commit'> = {
      commit: async (changes) => {
        if (changes.length > 1) throw new StoreUnavailableError('disk-full', 'the disk is full');
        return store.commit(changes);
      },
    };
    const clear: Change = { op: 'clear-alert', id: 'x', atMs: 1 };
    const work: Deps['work'] = async (row) => ({ ...delivered(row), changes: [clear] });
    const loop = node(work, { store: away });
    loop.wake();
    await tick();
    await loop.stop();
    expect(faults).toHaveLength(1);
    expect(await states()).toEqual(['waiting']);
    const next = node(work);
    next.wake();
    await clock.advance(leaseMs + pollMs);
    await next.stop();
    expect(await states()).toEqual(['delivered']);
  });
});
