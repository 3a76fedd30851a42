import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import type { Owner } from '../../../../kernel/nodes/node-lease.js';
import { MemoryStore } from '../../../../kernel/store/testing/memory-store.js';
import { ChangedExchangeError, DuplicateExchangeError } from '../link/link-deps.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';
import { StoreLinkJournal } from './store-link-journal.js';
import {
  NUMBERS_PER_SECOND,
  STAN_BLOCK,
  STAN_BLOCK_KEEP_MS,
  STAN_WINDOW,
  START_SKIP,
  StoreNumbers,
  stanOf,
} from './store-numbers.js';

const AT = '20261123072200';
const record = (
  reference: string,
  sequence: number,
  values: Partial<ExchangeRecord> = {},
): ExchangeRecord => ({
  reference,
  sequence,
  request: {
    kind: 'financial',
    isAdvice: false,
    isResponse: false,
    isRepeat: false,
    stan: stanOf(sequence),
    at: AT,
    amount: { minor: 1_000, currency: 'EUR' },
    terminalId: 'T1',
  },
  purpose: { operation: 'authorization', captureNow: true },
  state: 'sent',
  lateApprovals: 0,
  createdAtMs: 5,
  version: 1,
  ...values,
});
const nodeOf = (id: string, gone: readonly string[] = []): Owner => ({
  id,
  guard: () => ({ op: 'require-field', table: 'nodes', key: [id], column: 'id', equals: id }),
  isHeld: () => true,
  othersEnded: 0,
  mayTake: async (owner) => owner === null || gone.includes(owner),
  asNow: () => nodeOf(id, gone),
});
const startNode = (store: MemoryStore, id: string) =>
  store.commit([{ op: 'insert', table: 'nodes', row: { id, renewedAtMs: 0, startedAtMs: 0, version: 1 } }]);

describe('the journal', () => {
  it('gives back what was written, and refuses a reference or a number twice', async () => {
    const journal = new StoreLinkJournal({ store: new MemoryStore(), acquirer: 'EXTERNAL' });
    await journal.begin(record('a', 0));
    expect(await journal.find('a')).toEqual(record('a', 0));
    expect(await journal.findMessage({ stan: stanOf(0), at: AT })).toEqual(record('a', 0));
    await expect(journal.begin(record('a', 1))).rejects.toThrow(DuplicateExchangeError);
    await expect(journal.begin(record('b', STAN_WINDOW))).rejects.toThrow(DuplicateExchangeError);
  });

  it('takes only a change of what was read', async () => {
    const journal = new StoreLinkJournal({ store: new MemoryStore(), acquirer: 'EXTERNAL' });
    await journal.begin(record('a', 0));
    const changed = await journal.change(record('a', 0, { state: 'reversed' }), 1);
    expect(changed.version).toBe(2);
    expect(await journal.find('a')).toEqual(changed);
    await expect(journal.change(record('a', 0), 1)).rejects.toThrow(ChangedExchangeError);
  });

  it('leaves a tombstone without a request, which refuses what comes late', async () => {
    const journal = new StoreLinkJournal({ store: new MemoryStore(), acquirer: 'EXTERNAL' });
    const { request: _, sequence: __, purpose: ___, ...tombstone } = record('a', 0, { state: 'reversed' });
    await journal.begin(tombstone);
    expect(await journal.find('a')).toEqual(tombstone);
    await expect(journal.begin(record('a', 1))).rejects.toThrow(DuplicateExchangeError);
  });

  it('gives a node what those left that have ended, in its order, and lets a fenced one begin nothing', async () => {
    const store = new MemoryStore();
    await startNode(store, 'one');
    const journal = (node: Owner) => new StoreLinkJournal({ store, acquirer: 'EXTERNAL', node });
    const one = journal(nodeOf('one'));
    await one.begin(record('b', 2, { state: 'reversing' }));
    await one.begin(record('a', 1));
    await one.begin(record('c', 3, { state: 'answered' }));
    expect(await one.open()).toEqual([]);
    expect(await journal(nodeOf('two')).open()).toEqual([]);
    const left = await journal(nodeOf('two', ['one'])).open();
    expect(left.map(({ reference }) => reference)).toEqual(['a', 'b']);
    await store.commit([{ op: 'delete', table: 'nodes', key: ['one'], version: 1 }]);
    await expect(one.begin(record('d', 4))).rejects.toThrow(/nodes/);
  });

  it('keeps apart what belongs to other acquirers', async () => {
    const store = new MemoryStore();
    await new StoreLinkJournal({ store, acquirer: 'EXTERNAL' }).begin(record('a', 0));
    const other = new StoreLinkJournal({ store, acquirer: 'OTHER' });
    expect(await other.find('a')).toBeUndefined();
    expect(await other.open()).toEqual([]);
    await other.begin(record('b', 0));
  });
});

describe('an exchange without an answer', () => {
  it('is found by the time in which it began, and nothing else', async () => {
    const store = new MemoryStore();
    const clock = new VirtualClock(Date.UTC(2026, 10, 23, 7, 22));
    const journal = new StoreLinkJournal({ store, acquirer: 'EXTERNAL' });
    const numbers = new StoreNumbers({ store, clock, acquirer: 'EXTERNAL' });
    const begin = async (reference: string, values: Partial<ExchangeRecord> = {}) => {
      const { sequence } = await numbers.next();
      await journal.begin(record(reference, sequence, { createdAtMs: clock.nowMs(), ...values }));
    };
    const answer = { ...record('x', 0).request, responseCode: '05' } as NonNullable<ExchangeRecord['answer']>;
    await begin('before', { state: 'reversed' });
    // Numbers of a block are used up to the last moment.
    await clock.advance(STAN_BLOCK_KEEP_MS - 1);
    const fromMs = clock.nowMs();
    await begin('reversed', { state: 'reversed' });
    await begin('answered', { state: 'answered', answer });
    await begin('declined', { state: 'reversed', answer });
    await clock.advance(1_000);
    await begin('reversing', { state: 'reversing' });
    await begin('sent');
    const untilMs = clock.nowMs() + 1;
    await clock.advance(1);
    await begin('behind', { state: 'reversed' });
    const other = new StoreLinkJournal({ store, acquirer: 'OTHER' });
    await other.begin(record('other', (await numbers.next()).sequence, { createdAtMs: fromMs }));
    const found: string[] = [];
    for await (const { reference } of journal.unanswered({ fromMs, untilMs })) found.push(reference);
    expect(found).toEqual(['reversed', 'reversing', 'sent']);
  });
});

describe('numbers', () => {
  it('of several nodes are never the same within their window', async () => {
    const store = new MemoryStore();
    const clock = new VirtualClock(Date.UTC(2026, 10, 23, 7, 22));
    const nodes = Array.from(
      { length: 3 },
      () => new StoreNumbers({ store, clock, acquirer: 'EXTERNAL', block: 7 }),
    );
    const taken = await Promise.all(
      Array.from({ length: 300 }, (_, i) => (nodes[i % nodes.length] as StoreNumbers).next()),
    );
    expect(new Set(taken.map(({ stan }) => stan)).size).toBe(300);
    expect(new Set(taken.map(({ at }) => at))).toEqual(new Set(['20261123072200']));
  });

  it('come round after 999,999, and are never 000000', () => {
    expect(stanOf(0)).toBe('000001');
    expect(stanOf(STAN_WINDOW - 1)).toBe('999999');
    expect(stanOf(STAN_WINDOW)).toBe('000001');
  });

  it('of a block are used only for a time', async () => {
    const clock = new VirtualClock(0);
    const numbers = new StoreNumbers({ store: new MemoryStore(), clock, acquirer: 'EXTERNAL', block: 10 });
    expect((await numbers.next()).sequence).toBe(0);
    await clock.advance(STAN_BLOCK_KEEP_MS);
    const { sequence } = await numbers.next();
    expect(sequence).toBe((STAN_BLOCK_KEEP_MS / 1_000) * NUMBERS_PER_SECOND);
    expect(86_400 * NUMBERS_PER_SECOND).toBeLessThan(STAN_WINDOW);
  });

  it('go on in a restored database behind those that it has forgotten', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 10, 23, 7, 22));
    const parts = (store: MemoryStore) => ({ store, clock, acquirer: 'EXTERNAL' });
    const store = new MemoryStore();
    const before = new StoreNumbers(parts(store));
    const first = await before.next();
    const backup = await store.get('linkNumbers', ['EXTERNAL']);
    // More than the clock lets pass.
    await clock.advance(60_000);
    const used = [first];
    for (let i = 0; i < START_SKIP / 2; i += 1) used.push(await before.next());
    const restored = new MemoryStore();
    if (backup)
      await restored.commit([{ op: 'insert', table: 'linkNumbers', row: { ...backup, version: 1 } }]);
    const next = await new StoreNumbers(parts(restored)).next();
    expect(next.sequence).toBeGreaterThan(used.at(-1)?.sequence ?? 0);
    expect(used.map(({ stan }) => stan)).not.toContain(next.stan);
  });

  it('go on behind those of processes that began since the backup, and run no further ahead with each of them', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 10, 23, 7, 22));
    const parts = (store: MemoryStore) => ({ store, clock, acquirer: 'EXTERNAL' });
    const [store, restored] = [new MemoryStore(), new MemoryStore()];
    await new StoreNumbers(parts(store)).next();
    const backup = await store.get('linkNumbers', ['EXTERNAL']);
    if (!backup) throw new Error('no number was ever taken');
    await restored.commit([{ op: 'insert', table: 'linkNumbers', row: { ...backup, version: 1 } }]);
    const used: number[] = [];
    for (let start = 0; start < 50; start += 1) {
      const numbers = new StoreNumbers(parts(store));
      for (let i = 0; i < STAN_BLOCK; i += 1) used.push((await numbers.next()).sequence);
      await clock.advance(30_000);
    }
    expect(new Set(used).size).toBe(used.length);
    const last = Math.max(...used);
    expect((await new StoreNumbers(parts(restored)).next()).sequence).toBeGreaterThan(last);
    const byClock = (clock.nowMs() * NUMBERS_PER_SECOND) / 1_000;
    expect(last - byClock).toBeLessThan(START_SKIP);
  });
});
