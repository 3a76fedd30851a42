import { describe, expect, it } from 'vitest';
import { DuplicateKey, JOURNAL_LIMITS, JournalLimitError, JournalUnavailable } from '../journal.js';
import { AT, type Engine, row, write } from './engines.test.support.js';

/** What every engine of the journal promises. */
export function describeJournal(name: string, engine: Engine): void {
  describe(`journal contract: ${name}`, () => {
    it('numbers rows without gaps and gives them back after a restart', async () => {
      const { journal, reopen } = await engine.create();
      const data = { minor: 1234, currency: 'EUR', nested: { list: [1, 'a', null, true] } };
      const [first] = await journal.append(write(row('accepted', 'A', { data })));
      const later = await journal.append(write(row('authorizing', 'A'), row('accepted', 'B')));
      expect([first?.row, ...later.map((each) => each.row)]).toEqual([1, 2, 3]);
      const again = await reopen();
      expect((await again.rowsOf('A')).map((each) => [each.row, each.kind, each.data])).toEqual([
        [1, 'accepted', data],
        [2, 'authorizing', {}],
      ]);
      expect(again.head).toMatchObject({ row: 3 });
      expect((await again.append(write(row('ended', 'A'))))[0]?.row).toBe(4);
      expect(await again.verify()).toMatchObject({ ok: true, rows: 4 });
      expect((await again.rowsAfter(2, 1)).map((each) => each.row)).toEqual([3]);
      expect((await again.lastOfKind('accepted'))?.reference).toBe('B');
    });

    it('gives the rows of a kind and a time, in pages, also where the clock went back', async () => {
      const { journal } = await engine.create();
      const at = (atMs: number, reference: string) => ({
        ...write(row('accepted', reference), row('ended', reference)),
        atMs,
      });
      for (const [atMs, reference] of [
        [AT, 'A'],
        [AT + 2_000, 'B'],
        [AT + 1_000, 'C'],
        [AT + 3_000, 'D'],
        [AT + 4_000, 'E'],
      ] as const)
        await journal.append(at(atMs, reference));
      const range = { sinceMs: AT + 1_000, untilMs: AT + 4_000, afterRow: 0, limit: 2 };
      const first = await journal.rowsOfKind('accepted', range);
      expect(first.map((each) => each.reference)).toEqual(['B', 'C']);
      const afterRow = first.at(-1)?.row ?? 0;
      const second = await journal.rowsOfKind('accepted', { ...range, afterRow });
      expect(second.map((each) => each.reference)).toEqual(['D']);
      const newest = await journal.rowsOfKind('accepted', { ...range, newestFirst: true });
      expect(newest.map((each) => each.reference)).toEqual(['D', 'C']);
      const behind = { ...range, newestFirst: true, afterRow: newest.at(-1)?.row ?? 0 };
      expect((await journal.rowsOfKind('accepted', behind)).map((each) => each.reference)).toEqual(['B']);
      expect(
        await journal.rowsOfKind('accepted', { ...range, sinceMs: AT + 9_000, untilMs: AT + 9_001 }),
      ).toEqual([]);
    });

    it('takes one first row per reference, also of two writes at the same moment', async () => {
      const { journal } = await engine.create();
      const both = await Promise.allSettled([
        journal.append(write(row('accepted', 'A'))),
        journal.append(write(row('accepted', 'A'))),
        journal.append(write(row('accepted', 'B'))),
      ]);
      expect(both.map((each) => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(both[1]).toMatchObject({ reason: expect.any(DuplicateKey) });
      expect((await journal.rowsAfter(0, 10)).map((each) => each.reference)).toEqual(['A', 'B']);
      expect(await journal.verify()).toMatchObject({ ok: true, rows: 2 });
    });

    it('refuses a repeated message id, and the whole write with it', async () => {
      const { journal } = await engine.create();
      await journal.append(write(row('authorizing', 'A', { messageId: 'm1' })));
      await expect(
        journal.append(write(row('note', 'B'), row('reversal', 'B', { messageId: 'm1', inStream: true }))),
      ).rejects.toThrow(DuplicateKey);
      expect(await journal.rowsOf('B')).toEqual([]);
      expect(await journal.nextSequences()).toEqual(new Map());
    });

    it('numbers each stream by itself, in the order of the rows', async () => {
      const { journal, reopen } = await engine.create();
      const stream = (messageId: string, terminalId: string) =>
        row('reversal', 'A', { messageId, terminalId, inStream: true });
      const rows = await journal.append(write(stream('m1', '1'), stream('m2', '2'), stream('m3', '1')));
      expect(rows.map((each) => each.sequence)).toEqual([1, 1, 2]);
      const again = await reopen();
      expect(await again.nextSequences()).toEqual(
        new Map([
          ['1', 3],
          ['2', 2],
        ]),
      );
      expect((await again.append(write(stream('m4', '1'))))[0]?.sequence).toBe(3);
    });

    it('lists stream messages until they are acknowledged, parked ones with their reason', async () => {
      const { journal } = await engine.create();
      const stream = (messageId: string) => row('reversal', 'A', { messageId, inStream: true });
      await journal.append(write(stream('m1'), stream('m2'), stream('m3')));
      await journal.append(write(row('acknowledged', 'A', { statusOf: 'm1' })));
      await journal.append(write(row('parked', 'A', { statusOf: 'm3', data: { text: 'unknown card' } })));
      const open = await journal.openMessages();
      expect(open.map((each) => [each.row.messageId, each.parked?.data])).toEqual([
        ['m2', undefined],
        ['m3', { text: 'unknown card' }],
      ]);
      expect((await journal.rowOfMessage('m2'))?.sequence).toBe(2);
      expect(await journal.rowOfMessage('m9')).toBeUndefined();
    });

    it('keeps the mark of open sales in the same write as their rows', async () => {
      const { journal, reopen } = await engine.create();
      const open = (reference: string) => ({ reference, open: true });
      await journal.append({ ...write(row('accepted', 'B')), sale: open('B') });
      await journal.append({ ...write(row('accepted', 'A')), sale: open('A') });
      await expect(
        journal.append({ ...write(row('accepted', 'A')), sale: { reference: 'B', open: false } }),
      ).rejects.toThrow();
      expect(await journal.openSales()).toEqual(['B', 'A']);
      await journal.append({ ...write(row('ended', 'B')), sale: { reference: 'B', open: false } });
      expect(await (await reopen()).openSales()).toEqual(['A']);
    });

    it('keeps blobs until they are wiped, in one write with the row of the wipe', async () => {
      const { journal, reopen } = await engine.create();
      const bytes = Buffer.from('enciphered');
      await journal.append({
        ...write(row('offline-record', 'A', { messageId: 'm1' })),
        blobs: [{ messageId: 'm1', bytes }],
      });
      const again = await reopen();
      expect(Buffer.from((await again.blob('m1')) ?? [])).toEqual(bytes);
      await again.append({ ...write(row('acknowledged', 'A', { statusOf: 'm1' })), wipe: ['m1'] });
      expect(await again.blob('m1')).toBeUndefined();
    });

    it('remembers the highest time ever written, whatever was written last', async () => {
      const { journal } = await engine.create();
      expect(await journal.highestAtMs()).toBe(0);
      await journal.append({ atMs: AT + 5_000, rows: [row('a', '')] });
      await journal.append({ atMs: AT - 5_000, rows: [row('a', '')] });
      expect(await journal.highestAtMs()).toBe(AT + 5_000);
      expect(await journal.highestAtMsAfter(0)).toBe(AT + 5_000);
      expect(await journal.highestAtMsAfter(1)).toBe(AT - 5_000);
      expect(await journal.highestAtMsAfter(journal.head.row)).toBe(0);
    });

    it('refuses what breaks a limit and stays ready', async () => {
      const { journal } = await engine.create();
      const data = { text: 'x'.repeat(JOURNAL_LIMITS.maxDataBytes) };
      await expect(journal.append(write(row('a', 'A', { data })))).rejects.toThrow(JournalLimitError);
      const bytes = Buffer.alloc(JOURNAL_LIMITS.maxBlobBytes + 1);
      const withId = write(row('a', 'A', { messageId: 'm' }));
      await expect(journal.append({ ...withId, blobs: [{ messageId: 'm', bytes }] })).rejects.toThrow(
        JournalLimitError,
      );
      const other = [{ messageId: 'other', bytes: Buffer.from('x') }];
      await expect(journal.append({ ...withId, blobs: other })).rejects.toThrow('none of its rows');
      expect(journal.state.kind).toBe('ready');
      expect((await journal.append(write(row('a', 'A'))))[0]?.row).toBe(1);
    });

    it('refuses everything once closed', async () => {
      const { journal } = await engine.create();
      await journal.close();
      await expect(journal.append(write(row('a', 'A')))).rejects.toMatchObject({ reason: 'closed' });
      await expect(journal.rowsOf('A')).rejects.toThrow(JournalUnavailable);
    });
  });
}
