import { describe, expect, it } from 'vitest';
import { ForwardProjection } from './forward-projection.js';
import type { JournalRow } from './journal.js';

let rows = 0;
function row(more: Partial<JournalRow>): JournalRow {
  rows += 1;
  return {
    row: rows,
    atMs: rows * 1_000,
    kind: 'reversal',
    reference: 'A',
    terminalId: '11',
    data: { amount: { minor: 100, currency: 'EUR' } },
    sequence: 0,
    hash: new Uint8Array(32),
    ...more,
  };
}
const message = (messageId: string, sequence: number, more: Partial<JournalRow> = {}) =>
  row({ messageId, sequence, inStream: true, ...more });
const deliveryStatus = (kind: 'acknowledged' | 'parked', statusOf: string) =>
  row({ kind, statusOf, data: { text: 'why' } });
const nothing = async () => ({ open: [], nextSequences: new Map() });

describe('forward projection', () => {
  it('keeps the order of each stream by itself', () => {
    const queue = new ForwardProjection();
    for (const each of [message('b1', 1, { terminalId: '22' }), message('a2', 2), message('a1', 1)])
      expect(queue.apply(each)).toBe(true);
    expect(queue.items().map((item) => item.messageId)).toEqual(['a1', 'a2', 'b1']);
    expect(queue.next('11', 0)?.messageId).toBe('a1');
    expect(queue.next('11', 1)?.messageId).toBe('a2');
    expect(queue.next('11', 2)).toBeUndefined();
    expect(queue.positions()).toEqual([
      { terminalId: '22', nextSequence: 1 },
      { terminalId: '11', nextSequence: 1 },
    ]);
  });

  it('continues after what the gateway acknowledged, or what was parked without being sent', () => {
    const queue = new ForwardProjection();
    for (const each of [message('a1', 1), message('a2', 2), message('a3', 3)]) queue.apply(each);
    queue.apply(deliveryStatus('parked', 'a1'));
    expect(queue.positions()).toEqual([{ terminalId: '11', nextSequence: 2 }]);
    queue.apply(deliveryStatus('acknowledged', 'a2'));
    expect(queue.positions()).toEqual([{ terminalId: '11', nextSequence: 3 }]);
    queue.apply(deliveryStatus('parked', 'a3'));
    expect(queue.positions()).toEqual([{ terminalId: '11', nextSequence: 4 }]);
  });

  it('lets go of what the disk has settled without saying so, and keeps what came meanwhile', async () => {
    const queue = new ForwardProjection();
    const [kept, gone] = [message('a1', 1), message('a2', 2)];
    queue.apply(kept);
    queue.apply(gone);
    await queue.load(async () => {
      queue.apply(message('a3', 3));
      return { open: [{ row: kept }], nextSequences: new Map() };
    });
    expect(queue.items().map((item) => item.messageId)).toEqual(['a1', 'a3']);
  });

  it('lets a message go only as acknowledged or parked', () => {
    const queue = new ForwardProjection();
    for (const each of [message('a1', 1), message('a2', 2), message('a3', 3)]) queue.apply(each);
    const oldest = queue.oldestAtMs();
    queue.apply(deliveryStatus('acknowledged', 'a1'));
    queue.apply(deliveryStatus('parked', 'a2'));
    queue.apply(row({ kind: 'ended' }));
    expect(queue.items().map((item) => [item.messageId, item.state, item.reason])).toEqual([
      ['a2', 'parked', 'why'],
      ['a3', 'waiting', undefined],
    ]);
    expect([queue.depth(), queue.parkedCount(), queue.next('11', 0)?.messageId]).toEqual([1, 1, 'a3']);
    expect(queue.oldestAtMs()).toBeGreaterThan(oldest ?? Number.POSITIVE_INFINITY);
  });

  it('counts only waiting offline records as exposure, by terminal and currency', () => {
    const queue = new ForwardProjection();
    const record = (id: string, sequence: number, more: Partial<JournalRow> = {}) =>
      message(id, sequence, { kind: 'offline-record', ...more });
    const usd = { data: { amount: { minor: 7, currency: 'USD' } } };
    for (const each of [
      record('o1', 1),
      record('o2', 2),
      record('o3', 3, usd),
      message('r1', 4),
      record('o4', 1, { terminalId: '22' }),
    ])
      queue.apply(each);
    queue.apply(deliveryStatus('acknowledged', 'o2'));
    expect(queue.exposure()).toEqual([
      { terminalId: '11', currency: 'EUR', minor: 100, count: 1 },
      { terminalId: '11', currency: 'USD', minor: 7, count: 1 },
      { terminalId: '22', currency: 'EUR', minor: 100, count: 1 },
    ]);
  });

  it('loses nothing that is committed while the journal is read, and brings nothing back', async () => {
    const queue = new ForwardProjection();
    const [a1, a2] = [message('a1', 1), message('a2', 2)];
    await queue.load(async () => {
      const open = [{ row: a1 }, { row: a2 }];
      queue.apply(message('a3', 3));
      queue.apply(deliveryStatus('acknowledged', 'a1'));
      return { open, nextSequences: new Map([['11', 3]]) };
    });
    expect(queue.items().map((item) => item.messageId)).toEqual(['a2', 'a3']);
    expect(queue.positions()).toEqual([{ terminalId: '11', nextSequence: 2 }]);
  });

  it('knows the number of the next message of a stream that is all acknowledged', async () => {
    const queue = new ForwardProjection();
    await queue.load(async () => ({ ...(await nothing()), nextSequences: new Map([['11', 9]]) }));
    expect(queue.positions()).toEqual([{ terminalId: '11', nextSequence: 9 }]);
    expect(queue.oldestAtMs()).toBeUndefined();
  });

  it('shows what a row states of its message', () => {
    const queue = new ForwardProjection();
    const data = { amount: { minor: 7, currency: 'USD' }, approval: 'deferred', fingerprint: 'card' };
    expect(queue.apply(message('o1', 1, { kind: 'offline-record', data }))).toBe(true);
    expect(queue.get('o1')).toEqual({
      messageId: 'o1',
      reference: 'A',
      terminalId: '11',
      sequence: 1,
      kind: 'offlineRecord',
      state: 'waiting',
      atMs: rows * 1_000,
      amount: { minor: 7, currency: 'USD' },
      approval: 'deferred',
    });
    queue.apply(message('o2', 2, { data: { approval: 'card-approved' } }));
    queue.apply(message('o3', 3, { data: { approval: 'another', amount: null } }));
    queue.apply(message('o4', 4, { data: { amount: { currency: 'EUR' } } }));
    expect(queue.get('o2')).toMatchObject({ approval: 'card-approved' });
    for (const id of ['o3', 'o4']) {
      expect(queue.get(id)).not.toHaveProperty('approval');
      expect(queue.get(id)).not.toHaveProperty('amount');
    }
  });

  it.each([
    ['reversal', 'reversal'],
    ['preceding-reversal', 'reversal'],
    ['cancel-if-unseen', 'cancelIfUnseen'],
    ['capture', 'capture'],
    ['voice-authorization', 'voiceAuthorization'],
  ] as const)('sends a %s as a %s', (kind, sent) => {
    const queue = new ForwardProjection();
    queue.apply(message('a1', 1, { kind }));
    expect(queue.get('a1')?.kind).toBe(sent);
  });

  it('adds no message of a row without an id, a number or a kind of a stream', () => {
    const queue = new ForwardProjection();
    const { messageId: _, ...withoutId } = message('a1', 1);
    for (const each of [withoutId, message('a1', 0), message('a1', 1, { kind: 'ended' })])
      expect(queue.apply(each)).toBe(false);
    expect(queue.items()).toEqual([]);
    expect(queue.positions()).toEqual([]);
  });

  it('names the terminals that have a message waiting, each once', () => {
    const queue = new ForwardProjection();
    for (const each of [message('a1', 1), message('a2', 2), message('b1', 1, { terminalId: '22' })])
      queue.apply(each);
    expect(queue.terminals()).toEqual(['11', '22']);
    queue.apply(deliveryStatus('parked', 'b1'));
    expect(queue.terminals()).toEqual(['11']);
    expect(queue.next('22', 0)).toBeUndefined();
  });

  it('gives the time of the oldest that waits, whatever its terminal', () => {
    const queue = new ForwardProjection();
    queue.apply(message('b1', 1, { terminalId: '22', atMs: 5 }));
    queue.apply(message('a1', 1, { atMs: 9 }));
    expect(queue.oldestAtMs()).toBe(5);
  });

  it('lists the offline records that wait or are parked, with their cards', () => {
    const queue = new ForwardProjection();
    const record = (id: string, sequence: number, data: JournalRow['data']) =>
      message(id, sequence, { kind: 'offline-record', data });
    for (const each of [
      record('o1', 1, { fingerprint: 'card' }),
      record('o2', 2, { fingerprint: 7 }),
      message('r1', 3),
      record('o3', 4, { amount: { minor: 3, currency: 'EUR' } }),
      record('o4', 5, { amount: { minor: 4, currency: 'EUR' } }),
    ])
      queue.apply(each);
    queue.apply(deliveryStatus('parked', 'o3'));
    expect(queue.unconfirmed().map(({ item, ...more }) => [item.messageId, more])).toStrictEqual([
      ['o1', { fingerprint: 'card' }],
      ['o2', {}],
      ['o3', {}],
      ['o4', {}],
    ]);
    // Those without an amount count for none.
    expect(queue.exposure()).toEqual([{ terminalId: '11', currency: 'EUR', minor: 7, count: 2 }]);
  });

  it('forgets the card of a record that was acknowledged', () => {
    const queue = new ForwardProjection();
    queue.apply(message('o1', 1, { kind: 'offline-record', data: { fingerprint: 'card' } }));
    queue.apply(deliveryStatus('acknowledged', 'o1'));
    queue.apply(message('o1', 1, { kind: 'offline-record' }));
    expect(queue.unconfirmed().map(({ fingerprint }) => fingerprint)).toEqual([undefined]);
  });

  it('parks a message without a reason, and none that is not there', () => {
    const queue = new ForwardProjection();
    queue.apply(message('a1', 1));
    expect(queue.apply(row({ kind: 'parked', statusOf: 'a1', data: {} }))).toBe(false);
    queue.apply(row({ kind: 'parked', statusOf: 'a2', data: {} }));
    expect(queue.items().map(({ state, reason }) => [state, reason])).toEqual([
      ['parked', 'no reason was given'],
    ]);
    queue.apply(message('a3', 3));
    queue.apply(row({ kind: 'sent', statusOf: 'a3' }));
    expect(queue.get('a3')?.state).toBe('waiting');
  });

  it('reads from the journal what waits and what is parked', async () => {
    const queue = new ForwardProjection();
    const [a1, a2] = [message('a1', 1), message('a2', 2)];
    const { messageId: _, ...withoutId } = message('a3', 3);
    await queue.load(async () => ({
      open: [{ row: a1, parked: deliveryStatus('parked', 'a1') }, { row: a2 }, { row: withoutId }],
      nextSequences: new Map([['11', 2]]),
    }));
    expect(queue.items().map(({ messageId, state }) => [messageId, state])).toEqual([
      ['a1', 'parked'],
      ['a2', 'waiting'],
    ]);
    // What changes during a read stays as it is by then.
    await queue.load(async () => {
      queue.apply(deliveryStatus('parked', 'a2'));
      const parked = deliveryStatus('parked', 'a1');
      return { open: [{ row: a1, parked }, { row: a2 }], nextSequences: new Map() };
    });
    expect(queue.items().map(({ state }) => state)).toEqual(['parked', 'parked']);
    // A later read takes what changed during an earlier one as it finds it.
    queue.apply(deliveryStatus('acknowledged', 'a2'));
    expect(queue.items()).toHaveLength(1);
    await queue.load(async () => ({ open: [{ row: a2 }], nextSequences: new Map() }));
    expect(queue.items().map(({ messageId }) => messageId)).toEqual(['a2']);
    expect(queue.positions()).toEqual([{ terminalId: '11', nextSequence: 2 }]);
  });
});
