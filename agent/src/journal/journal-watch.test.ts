import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type Journal, type JournalHead, RESTORED_ROW } from './journal.js';
import { JournalWatch } from './journal-watch.js';
import { standingRow } from './standing.js';
import { AT, ENGINES, row, tidyUp, write } from './testing/engines.test.support.js';
import { MemoryJournal } from './testing/memory-journal.test.support.js';

afterEach(tidyUp);

const restored = row(RESTORED_ROW, '', { terminalId: '', data: { generation: 2 } });

describe.each(Object.entries(ENGINES))('journal watch: %s', (_name, engine) => {
  async function watched(): Promise<{
    journal: Journal;
    watch: JournalWatch;
    kinds: string[];
    again(): Promise<JournalWatch>;
  }> {
    const { journal, reopen } = await engine.create();
    const kinds: string[] = [];
    const watchOf = (each: Journal) =>
      new JournalWatch({
        journal: each,
        clock: new VirtualClock(AT),
        onStanding: ({ kind }) => kinds.push(kind),
      });
    const again = async () => {
      const watch = watchOf(await reopen());
      await watch.start();
      return watch;
    };
    return { journal, watch: watchOf(journal), kinds, again };
  }

  const standingAfter = async (watch: JournalWatch, kept: JournalHead | undefined): Promise<string> => {
    watch.welcomed([], kept);
    await watch.idle();
    return watch.standing.kind;
  };

  it('finds its own row where the gateway keeps the head, and gives it as anchor', async () => {
    const { journal, watch } = await watched();
    await journal.append(write(row('accepted', 'A'), row('ended', 'A')));
    const first = await journal.hashAt(1);
    expect(await standingAfter(watch, { row: 1, hash: first ?? new Uint8Array() })).toBe('good');
    expect([watch.anchor(), watch.confirmed?.row]).toEqual([{ row: 1, hash: first }, 1]);
    expect(watch.saleHold.hold).toBe('none');
  });

  it('is behind a gateway that keeps a later row, also after a restart, until the gateway knows better', async () => {
    const { journal, watch, again, kinds } = await watched();
    await journal.append(write(row('accepted', 'A')));
    const first = { row: 1, hash: (await journal.hashAt(1)) ?? new Uint8Array() };
    expect(await standingAfter(watch, { row: 9, hash: new Uint8Array(32) })).toBe('behind');
    expect(watch.saleHold).toMatchObject({
      hold: 'offline',
      text: expect.stringContaining('restore --from'),
    });
    const later = await again();
    expect(later.standing).toEqual({
      kind: 'behind',
      detail: 'the gateway keeps row 9, the journal ends at row 1',
    });
    expect(await standingAfter(later, first)).toBe('good');
    expect(kinds).toEqual(['behind', 'behind', 'good']);
  });

  it('is forked where its row has another hash, or where the gateway reports a fork', async () => {
    const { journal, watch } = await watched();
    await journal.append(write(row('accepted', 'A')));
    expect(await standingAfter(watch, { row: 1, hash: new Uint8Array(32) })).toBe('forked');
    expect((await journal.lastOfKind('standing'))?.data).toMatchObject({ standing: 'forked' });
    const { watch: other } = await watched();
    other.judged('behind', { row: 5, hash: new Uint8Array(32) });
    await other.idle();
    expect(other.standing.kind).toBe('behind');
  });

  it('ignores a head that the gateway does not store, and compares its checkpoint for one that was removed here', async () => {
    const { journal, watch } = await watched();
    await journal.append(write(row('a', ''), row('a', ''), row('a', '')));
    await journal.compact({ atMs: AT, upToRow: 2, summarize: () => ({}), carry: [] });
    expect(await standingAfter(watch, undefined)).toBe('good');
    expect(watch.anchor()).toBeUndefined();
    expect(await standingAfter(watch, { row: 1, hash: new Uint8Array(32) })).toBe('good');
    expect(watch.anchor()).toEqual({ row: 2, hash: await journal.hashAt(2) });
  });

  it('holds every new sale after a restore until the gateway has welcomed it, and takes its numbers', async () => {
    const { journal, watch, again } = await watched();
    const message = row('reversal', 'A', { messageId: 'm1', inStream: true });
    await journal.append(write(row('accepted', 'A'), message, restored));
    await watch.start();
    expect([watch.standing.kind, watch.saleHold.hold]).toEqual(['unconfirmed', 'all']);
    const later = await again();
    expect(later.standing.kind).toBe('unconfirmed');
    later.welcomed(
      [
        { terminalId: '1', nextSequence: 7 },
        { terminalId: '9', nextSequence: 3 },
      ],
      undefined,
    );
    await later.idle();
    expect(later.standing.kind).toBe('good');
    const last = await again();
    expect(last.standing.kind).toBe('good');
  });

  it('raises numbers at every welcome, and never lowers them', async () => {
    const { journal, watch } = await watched();
    const message = row('reversal', 'A', { messageId: 'm1', inStream: true });
    await journal.append(write(row('accepted', 'A'), message));
    watch.welcomed([{ terminalId: '1', nextSequence: 6 }], undefined);
    watch.welcomed([{ terminalId: '1', nextSequence: 4 }], undefined);
    await watch.idle();
    expect(journal.head.row).toBe(3);
    const [next] = await journal.append(write(row('reversal', 'A', { messageId: 'm2', inStream: true })));
    expect(next?.sequence).toBe(6);
  });

  it('stays lost, at any head that the gateway stores of the former journal', async () => {
    const { journal, watch } = await watched();
    await journal.append(write(standingRow({ kind: 'lost', detail: '' })));
    expect(await standingAfter(watch, { row: 9, hash: new Uint8Array(32) })).toBe('lost');
    watch.judged('behind', { row: 9, hash: new Uint8Array(32) });
    await watch.idle();
    expect(watch.saleHold.hold).toBe('all');
  });

  it('journals a verdict that came while the disk was away as soon as it comes again', async () => {
    const disk = new MemoryJournal();
    const watch = new JournalWatch({ journal: disk, clock: new VirtualClock(AT) });
    await disk.append(write(row('accepted', 'A')));
    await watch.start();
    disk.fail('disk-full');
    watch.fenced('x');
    await watch.idle();
    expect(watch.saleHold.hold).toBe('all');
    disk.repair();
    expect(await disk.lastOfKind('standing')).toBeUndefined();
    watch.fenced('x');
    await watch.idle();
    expect((await disk.lastOfKind('standing'))?.data).toMatchObject({ standing: 'fenced' });
  });

  it('knows for ever that it was fenced, until it is restored itself', async () => {
    const { journal, watch, again } = await watched();
    watch.fenced('generation 1 was followed by 2');
    await watch.idle();
    expect(watch.saleHold).toMatchObject({
      hold: 'all',
      text: expect.stringContaining('restored elsewhere'),
    });
    expect((await again()).standing).toEqual({ kind: 'fenced', detail: 'generation 1 was followed by 2' });
    void journal;
    const third = await watched();
    third.watch.fenced('x');
    await third.watch.idle();
    await third.journal.append(write(restored));
    expect((await third.again()).standing.kind).toBe('unconfirmed');
  });
});
