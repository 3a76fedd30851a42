import { expect, it } from 'vitest';
import type { NotedEntry, TrustEntry } from './trust-entry.js';
import { TrustRecord } from './trust-record.js';

const counter = (id: string, count: number, atMs = 1) =>
  ({ kind: 'counter', id, atMs, counter: count }) as const;
const token = (id: string, atMs = 1) => ({ kind: 'token', id, atMs }) as const;
const agent = (id: string, epoch = 1, atMs = 1) =>
  ({ kind: 'agent', id, atMs, epoch, isRevoked: true, key: 'k', generation: 1 }) as const;
const device = (state: 'active' | 'suspended', atMs: number) =>
  ({ kind: 'device', id: 's', atMs, state }) as const;
const link = (sequence: number) => ({ kind: 'link', id: 'EXTERNAL', atMs: 1, sequence }) as const;
const noted = (entry: TrustEntry, notedMs: number): NotedEntry => ({ ...entry, notedMs });

const EMPTY = { beganMs: 1, entries: [] };

it('has the newest of each, in whatever order it comes, and knows whether there is news', () => {
  let nowMs = 10;
  const record = new TrustRecord({ beganMs: 1, entries: [noted(counter('s', 5), 2)] }, () => nowMs);
  record.note(counter('s', 4));
  record.note(counter('s', 5));
  record.note(undefined);
  record.recall(undefined);
  record.note(device('active', 2));
  expect(record.revision).toBe(0);
  record.note(counter('s', 9));
  record.note(device('suspended', 4));
  record.note(device('active', 3));
  expect(record.known).toEqual({
    beganMs: 1,
    entries: [noted(counter('s', 9), 10), noted(device('suspended', 4), 10)],
  });
  nowMs = 11;
  record.note(token('t', 6));
  record.note(token('t', 6));
  record.note(device('active', 5));
  expect(record.known.entries).toEqual([
    noted(counter('s', 9), 10),
    noted(token('t', 6), 11),
    noted(device('active', 5), 11),
  ]);
  expect(record.revision).toBe(4);
});

it('takes of an agent what was in the later session, and of a device what changed its state', () => {
  const record = new TrustRecord(EMPTY, () => 7);
  for (const epoch of [7, 9, 9, 8]) record.note(agent('a', epoch));
  expect([record.known.entries, record.revision]).toEqual([[noted(agent('a', 9), 7)], 2]);
  for (const atMs of [4, 4, 6]) record.note(device('suspended', atMs));
  record.note(device('active', 4));
  expect(record.known.entries).toEqual([noted(agent('a', 9), 7), noted(device('suspended', 4), 7)]);
  expect(record.revision).toBe(3);
});

it('knows the last exchange with an acquirer', () => {
  const record = new TrustRecord(EMPTY, () => 1);
  expect(record.lastExchange('EXTERNAL')).toBeUndefined();
  for (const sequence of [7, 9, 9, 8]) record.note(link(sequence));
  expect([record.lastExchange('EXTERNAL'), record.lastExchange('OTHER'), record.revision]).toEqual([
    9,
    undefined,
    2,
  ]);
});

const LIMITS = { revoked: 3, counters: 2 };

it('leaves out what was noted first beyond its bounds, and states since when it lacks nothing', () => {
  let nowMs = 0;
  const record = new TrustRecord(EMPTY, () => nowMs, LIMITS);
  for (const entry of [token('t', 900), counter('a', 1), link(1), agent('b'), counter('c', 1), token('d')]) {
    nowMs += 10;
    record.note(entry);
  }
  expect(record.written()).toEqual(record.known);
  nowMs = 70;
  record.note(token('e'));
  expect(record.written()).toMatchObject({
    beganMs: 11,
    entries: ['a', 'EXTERNAL', 'b', 'c', 'd', 'e'].map((id) => ({ id })),
  });
  nowMs = 80;
  record.note(counter('a', 2));
  record.note(counter('f', 2));
  expect(record.written()).toMatchObject({
    beganMs: 51,
    entries: ['EXTERNAL', 'b', 'd', 'e', 'a', 'f'].map((id) => ({ id })),
  });
  // In memory it has all of it.
  expect(record.known).toMatchObject({ beganMs: 1, entries: { length: 8 } });
});

it('lacks what it left out from the mark on, whatever clock the rows have', () => {
  let nowMs = 1_000;
  const record = new TrustRecord(EMPTY, () => nowMs, LIMITS);
  // Revoked by a clock that was set back.
  record.note(token('t', 5));
  nowMs = 900;
  for (const id of ['a', 'b', 'c']) record.note(token(id, 6));
  expect(record.written()).toMatchObject({
    beganMs: 1_001,
    entries: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
  });
  expect(record.known.entries.map(({ notedMs }) => notedMs)).toEqual([1_000, 1_000, 1_000, 1_000]);
});

it('does not grow younger by a start: what it left out before is as old as it was', () => {
  const entries = [counter('a', 1), counter('b', 1)].map((entry) => noted(entry, 50));
  const record = new TrustRecord({ beganMs: 41, entries }, () => 90, LIMITS);
  for (const id of ['x', 'y', 'a', 'b']) record.recall(counter(id, 1, 90));
  expect(record.written()).toMatchObject({ beganMs: 41, entries });
  record.note(counter('x', 2));
  expect(record.written()).toMatchObject({ beganMs: 51, entries: [{ id: 'b' }, { id: 'x', notedMs: 90 }] });
  // Revoked while no gateway ran.
  const revoked = ['a', 'b', 'c'].map((id) => noted(token(id), 50));
  const tokens = new TrustRecord({ beganMs: 41, entries: revoked }, () => 90, LIMITS);
  for (const [id, atMs] of [['d', 7] as const, ['e', 60] as const, ['f', 99] as const])
    tokens.recall(token(id, atMs));
  expect(tokens.written()).toMatchObject({
    beganMs: 51,
    entries: [{ id: 'c' }, { id: 'e', notedMs: 60 }, { id: 'f', notedMs: 90 }],
  });
});

it('takes what it finds at the start for new where it has left out nothing', () => {
  const entries = [noted(counter('a', 1), 50)];
  const record = new TrustRecord({ beganMs: 1, entries }, () => 90, LIMITS);
  record.recall(counter('b', 1));
  record.recall(link(4));
  expect(record.written()).toMatchObject({
    beganMs: 1,
    entries: [{ id: 'a' }, { id: 'b', notedMs: 90 }, { sequence: 4 }],
  });
});

it('takes a token that it finds at the start for new where only counters were left out', () => {
  const entries = [counter('a', 1), counter('b', 1)].map((entry) => noted(entry, 50));
  const record = new TrustRecord({ beganMs: 41, entries }, () => 90, LIMITS);
  record.recall(token('t', 60));
  expect(record.known.entries).toContainEqual(noted(token('t', 60), 90));
});

it('notes nothing before what was written down, though the clock was set back since', () => {
  const record = new TrustRecord({ beganMs: 1, entries: [noted(token('a'), 50)] }, () => 40);
  record.note(token('b'));
  expect(record.known.entries[1]).toEqual(noted(token('b'), 50));
});
