import { beforeEach, describe, expect, it } from 'vitest';
import type { ParkedRow } from '../../kernel/store/rows.js';
import { CommitConflict } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import type { StreamItem } from './backlog-machine.js';
import { heldBackBy, type PlaceInSale, parkedOfSale, saleOf, stillParked } from './same-sale.js';

const PLACE: PlaceInSale = { agentId: 'store-1', terminalId: '1', reference: 'R-1', sequence: 5 };
const parked = (messageId: string, more: Partial<ParkedRow> = {}): ParkedRow =>
  ({
    agentId: 'store-1',
    messageId,
    entityId: 'e',
    terminalId: '1',
    sequence: 3,
    kind: 'offlineRecord',
    reference: 'R-1',
    reasonCode: 'behind-parked',
    reason: '',
    note: null,
    message: null,
    keyId: null,
    state: 'waiting',
    atMs: 1,
    version: 1,
    ...more,
  }) as ParkedRow;

let store: MemoryStore;
beforeEach(() => {
  store = new MemoryStore();
});
const park = (...rows: readonly ParkedRow[]) =>
  store.commit(rows.map((row) => ({ op: 'insert', table: 'parked', row }) as const));

describe('the sale of a message', () => {
  const capture = (reference: string): StreamItem => ({
    id: 'm',
    terminalId: '1',
    sequence: 1,
    kind: 'capture',
    body: { originalMessageId: 'o', reference, amount: { minor: 1, currency: 'EUR' }, final: true },
  });

  it('is that of its reference', () => expect(saleOf(capture('R-1'))).toBe('R-1'));
  it('is none where it names none', () => expect(saleOf(capture(''))).toBeNull());
  it('is none where it cannot be read', () => {
    const unreadable = { kind: 'unreadable', id: 'm', terminalId: '1', sequence: 1, fault: 'x' } as const;
    expect(saleOf({ ...unreadable, bytes: new Uint8Array() })).toBeNull();
  });
});

describe('parked messages of a sale', () => {
  it('are those of its terminal that wait or are to be tried', async () => {
    await park(
      parked('waits'),
      parked('again', { state: 'retry' }),
      parked('resolved', { state: 'resolved' }),
      parked('elsewhere', { terminalId: '2' }),
      parked('another', { reference: 'R-2' }),
      parked('foreign', { agentId: 'store-2' }),
    );
    const found = await parkedOfSale(store, PLACE);
    expect(found.map(({ messageId }) => messageId).toSorted()).toEqual(['again', 'waits']);
  });

  it('are none of a message without a reference', async () => {
    await park(parked('waits', { reference: null }));
    expect(await parkedOfSale(store, { ...PLACE, reference: null })).toEqual([]);
  });
});

describe('a message is held back', () => {
  const heldBack = async (place: Partial<PlaceInSale>, kind: Parameters<typeof heldBackBy>[1] = 'capture') =>
    (await heldBackBy(store, kind, { ...PLACE, ...place }))?.messageId;

  it.each([
    ['offlineRecord', 'first'],
    ['voiceAuthorization', 'first'],
    ['capture', 'first'],
    ['reversal', undefined],
    ['cancelIfUnseen', undefined],
  ] as const)('where it is of the kind %s: by %s', async (kind, by) => {
    await park(parked('first'));
    expect(await heldBack({}, kind)).toBe(by);
  });

  it('by an earlier message alone', async () => {
    await park(parked('first'));
    expect(await heldBack({ sequence: 4 })).toBe('first');
    expect(await heldBack({ sequence: 3 })).toBeUndefined();
    expect(await heldBack({ sequence: 2 })).toBeUndefined();
  });

  it('by one without a number, never without one of its own', async () => {
    await park(parked('first', { sequence: null }));
    expect(await heldBack({ sequence: 1 })).toBe('first');
    expect(await heldBack({ sequence: null })).toBeUndefined();
  });
});

it('keeps a commit from waiting for a message that is resolved by now', async () => {
  const row = parked('first');
  await park(row);
  await store.commit([stillParked(row)]);
  await store.commit([{ op: 'update', table: 'parked', row: { ...row, state: 'resolved' } }]);
  await expect(store.commit([stillParked(row)])).rejects.toThrow(CommitConflict);
});
