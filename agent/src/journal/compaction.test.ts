import { afterEach, describe, expect, it } from 'vitest';
import {
  type Compaction,
  DuplicateKey,
  JOURNAL_LIMITS,
  type Journal,
  type JournalRow,
  type JsonObject,
} from './journal.js';
import { AT, ENGINES, row, tidyUp, write } from './testing/engines.test.support.js';

afterEach(tidyUp);

/** Folds a sale into the kinds of its rows, so that a test sees what was folded. */
const summarize = (
  _reference: string,
  before: JsonObject | undefined,
  rows: readonly JournalRow[],
): JsonObject => ({
  kinds: [...((before?.kinds as string[]) ?? []), ...rows.map(({ kind }) => kind)],
});
const step = (upToRow: number): Compaction => ({ atMs: AT, upToRow, summarize, carry: ['contact'] });

/** A sale with one stream message, acknowledged or not. */
async function sale(journal: Journal, reference: string, acknowledged = true): Promise<void> {
  const messageId = `m-${reference}`;
  const record = row('offline-record', reference, { messageId, inStream: true });
  await journal.append({
    ...write(row('accepted', reference), record),
    blobs: [{ messageId, bytes: Buffer.from(`sealed ${reference}`) }],
  });
  if (!acknowledged) return;
  await journal.append({
    ...write(row('acknowledged', reference, { statusOf: messageId })),
    wipe: [messageId],
  });
}

describe.each(Object.entries(ENGINES))('compaction: %s', (_name, engine) => {
  it('puts a checkpoint in the place of removed rows; the chain verifies before, after and after a restart', async () => {
    const { journal, reopen } = await engine.create();
    for (const reference of ['A', 'B', 'C']) await sale(journal, reference);
    const hashOfSix = await journal.hashAt(6);
    expect(await journal.verify()).toMatchObject({ ok: true, rows: 9, removedTo: 0 });
    expect(await journal.compact(step(6))).toEqual({ removedRows: 6, removedTo: 6 });
    const check = async (each: Journal) => {
      expect(await each.verify()).toMatchObject({ ok: true, rows: 10, removedTo: 6 });
      expect((await each.rowsAfter(0, 100)).map((r) => [r.row, r.kind])).toEqual([
        [7, 'accepted'],
        [8, 'offline-record'],
        [9, 'acknowledged'],
        [10, 'checkpoint'],
      ]);
      expect(await each.hashAt(6)).toEqual(hashOfSix);
      expect(await each.hashAt(5)).toBeUndefined();
    };
    await check(journal);
    const again = await reopen();
    await check(again);
    await sale(again, 'D');
    expect(await again.compact(step(9))).toEqual({ removedRows: 3, removedTo: 9 });
    expect(await again.verify()).toMatchObject({ ok: true, removedTo: 9 });
    expect((await (await reopen()).verify()).ok).toBe(true);
  });

  it('keeps of every removed sale its fold and its message ids, and refuses both as new', async () => {
    const { journal, reopen } = await engine.create();
    await sale(journal, 'A');
    await sale(journal, 'B');
    await journal.compact(step(3));
    const again = await reopen();
    expect(await again.rowsOf('A')).toEqual([]);
    expect(await again.kept('A')).toMatchObject({
      data: { kinds: ['accepted', 'offline-record', 'acknowledged'] },
      messageIds: ['m-A'],
    });
    expect(await again.kept('B')).toBeUndefined();
    await expect(again.append(write(row('accepted', 'A')))).rejects.toThrow(DuplicateKey);
    const repeated = row('reversal', 'X', { messageId: 'm-A', inStream: true });
    await expect(again.append(write(repeated))).rejects.toThrow(DuplicateKey);
    expect(again.state.kind).toBe('ready');
  });

  it('folds what comes later on top of what is kept already', async () => {
    const { journal } = await engine.create();
    await sale(journal, 'A');
    await journal.append(write(row('note', 'A', { messageId: 'm-late' })));
    await journal.append(write(row('other', '')));
    await journal.compact(step(2));
    await journal.compact(step(4));
    expect(await journal.kept('A')).toMatchObject({
      data: { kinds: ['accepted', 'offline-record', 'acknowledged', 'note'] },
      messageIds: ['m-A', 'm-late'],
    });
    expect((await journal.verify()).ok).toBe(true);
  });

  it('stops before the first sale that is open or has an unacknowledged message', async () => {
    const { journal } = await engine.create();
    await sale(journal, 'A');
    await sale(journal, 'B', false);
    await sale(journal, 'C');
    expect(await journal.compact(step(100))).toEqual({ removedRows: 3, removedTo: 3, heldBy: 'B' });
    expect(await journal.compact(step(100))).toEqual({ removedRows: 0, removedTo: 3, heldBy: 'B' });
    await journal.append(write(row('parked', 'B', { statusOf: 'm-B', data: { text: 'why' } })));
    expect(await journal.compact(step(100))).toMatchObject({ heldBy: 'B' });
    expect((await journal.openMessages()).map((open) => open.row.messageId)).toEqual(['m-B']);
    expect(Buffer.from((await journal.blob('m-B')) ?? [])).toEqual(Buffer.from('sealed B'));
    const open = { reference: 'B', open: true };
    await journal.append({
      ...write(row('acknowledged', 'B', { statusOf: 'm-B' })),
      wipe: ['m-B'],
      sale: open,
    });
    expect(await journal.compact(step(100))).toMatchObject({ removedTo: 3, heldBy: 'B' });
    await journal.append({ ...write(row('ended', 'B')), sale: { reference: 'B', open: false } });
    expect(await journal.compact(step(100))).toEqual({ removedRows: 8, removedTo: 11 });
  });

  it('remembers numbers of streams, the highest time and carried rows of what it removed', async () => {
    const { journal, reopen } = await engine.create();
    await journal.append({ atMs: AT + 9_000, rows: [row('contact', '', { data: { timeMs: 7 } })] });
    await sale(journal, 'A');
    await journal.append(write(row('streams', '', { data: { 1: 40, 2: 7 } })));
    await sale(journal, 'B');
    await journal.compact(step(6));
    const again = await reopen();
    expect(await again.nextSequences()).toEqual(
      new Map([
        ['1', 41],
        ['2', 7],
      ]),
    );
    expect(await again.highestAtMs()).toBe(AT + 9_000);
    expect(await again.lastOfKind('contact')).toMatchObject({ row: 1, data: { timeMs: 7 } });
    await again.compact(step(9));
    expect(await (await reopen()).lastOfKind('contact')).toMatchObject({ row: 1, data: { timeMs: 7 } });
  });

  it('finds a sale that is open again after its first rows were removed, in its place', async () => {
    const { journal, reopen } = await engine.create();
    await sale(journal, 'A');
    await sale(journal, 'B');
    await journal.compact(step(3));
    const open = (reference: string) => ({ sale: { reference, open: true } });
    await journal.append({ ...write(row('accepted', 'C')), ...open('C') });
    await journal.append({
      ...write(row('reversal', 'A', { messageId: 'r', inStream: true })),
      ...open('A'),
    });
    await journal.append({
      ...write(row('reversal', 'B', { messageId: 's', inStream: true })),
      ...open('B'),
    });
    expect(await (await reopen()).openSales()).toEqual(['B', 'C', 'A']);
  });

  it('removes a bounded number of rows at a time, and never the last one', async () => {
    const { journal } = await engine.create();
    const many = JOURNAL_LIMITS.maxRowsPerCompaction + 20;
    const rows = Array.from({ length: many }, () => row('note', ''));
    for (let at = 0; at < many; at += 10) await journal.append(write(...rows.slice(at, at + 10)));
    const first = await journal.compact(step(1_000_000));
    expect(first.removedRows).toBe(JOURNAL_LIMITS.maxRowsPerCompaction);
    expect(await journal.compact(step(1_000_000))).toMatchObject({ removedRows: 20, removedTo: many });
    expect(await journal.verify()).toMatchObject({ ok: true, rows: many + 2, removedTo: many });
  });

  it('gives a copy what stands behind a place, with the sealed blobs that are still needed', async () => {
    const { journal } = await engine.create();
    await sale(journal, 'A');
    await sale(journal, 'B', false);
    await journal.append({ ...write(row('accepted', 'C')), sale: { reference: 'C', open: true } });
    const all = await journal.part(0, 0, 100);
    expect(all.rows.map((each) => each.row)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(all.blobs.map(({ messageId }) => messageId)).toEqual(['m-B']);
    expect([all.wiped, all.base.row]).toEqual([['m-A'], 0]);
    expect((await journal.part(4, 0, 1)).rows.map((each) => each.row)).toEqual([5]);
    await journal.compact(step(3));
    const after = await journal.part(6, 0, 100);
    expect(after.kept.map(({ reference }) => reference)).toEqual(['A']);
    expect(after.base.row).toBe(3);
    expect((await journal.part(6, 1, 100)).kept).toEqual([]);
  });
});
