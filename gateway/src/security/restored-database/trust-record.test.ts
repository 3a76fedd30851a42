import { expect, it } from 'vitest';
import { TrustRecord } from './trust-record.js';

const counter = (id: string, count: number, atMs = count) =>
  ({ kind: 'counter', id, atMs, counter: count }) as const;
const token = (id: string, atMs: number) => ({ kind: 'token', id, atMs }) as const;
const device = (state: 'active' | 'suspended', atMs: number) =>
  ({ kind: 'device', id: 's', atMs, state }) as const;

it('has the newest of each, in whatever order it comes, and tells whether there is news', () => {
  const record = new TrustRecord({ beganMs: 1, entries: [counter('s', 5)] });
  record.note(counter('s', 4));
  record.note(counter('s', 5));
  record.note(undefined);
  record.note(device('active', 2));
  expect(record.revision).toBe(0);
  record.note(counter('s', 9));
  record.note(device('suspended', 4));
  record.note(device('active', 3));
  expect(record.entries).toEqual([counter('s', 9), device('suspended', 4)]);
  record.note(device('active', 5));
  record.note(token('t', 6));
  record.note(token('t', 6));
  expect(record.entries).toEqual([counter('s', 9), device('active', 5), token('t', 6)]);
  expect(record.revision).toBe(4);
});

it('takes of an agent what was in the later session, and of a device what changed its state', () => {
  const agent = (epoch: number) =>
    ({ kind: 'agent', id: 'a', atMs: 1, epoch, isRevoked: epoch === 9, key: 'k', generation: 1 }) as const;
  const record = new TrustRecord({ beganMs: 1, entries: [] });
  for (const epoch of [7, 9, 9, 8]) record.note(agent(epoch));
  expect([record.entries, record.revision]).toEqual([[agent(9)], 2]);
  for (const atMs of [4, 4, 6]) record.note(device('suspended', atMs));
  record.note(device('active', 4));
  expect([record.entries, record.revision]).toEqual([[agent(9), device('suspended', 4)], 3]);
});

it('drops the oldest beyond its bounds, and says from when on it lacks nothing', () => {
  const record = new TrustRecord({ beganMs: 1, entries: [] });
  for (const atMs of [30, 10, 20]) record.note(token(`t${atMs}`, atMs));
  for (const id of ['a', 'b']) record.note(counter(id, 7, 15));
  record.bound({ revoked: 3, counters: 2 });
  expect(record.beganMs).toBe(1);
  record.bound({ revoked: 2, counters: 2 });
  expect(record.beganMs).toBe(11);
  expect(record.entries.map(({ id }) => id)).toEqual(['t30', 't20', 'a', 'b']);
  record.bound({ revoked: 2, counters: 1 });
  expect(record.beganMs).toBe(16);
});
