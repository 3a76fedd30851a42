import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, describe, expect, it } from 'vitest';
import { BlobCipher } from '../blob-cipher.js';
import type { Compaction, Journal, JournalRow, JsonObject } from '../journal.js';
import { AT, newHome, openFile, row, tidyUp, write } from '../testing/engines.test.support.js';
import { MemoryJournal } from '../testing/memory-journal.test.support.js';
import { copiedJournal } from './copied-journal.js';
import { CopyCipher, CopyCipherError } from './copy-cipher.js';
import { CopyKeyError, createCopyKey, readCopyKey } from './copy-key.js';
import type { HomeRecord } from './copy-records.js';
import { copySource, readCopiedHome } from './copy-source.js';
import { COPY_LIMITS, type CopyTarget } from './copy-target.js';
import { CopyUnavailable } from './copy-unavailable.js';
import { COPY_FILE, FileCopy } from './file-copy.js';
import { type CopyMode, type CopyState, JournalCopier } from './journal-copier.js';
import { restoreJournal } from './restore.js';
import { takePlace } from './take-place.js';

const KEY = systemRandom.bytes(32);
const BLOB_KEY = systemRandom.bytes(32);
const cipher = new CopyCipher(KEY, systemRandom);
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await tidyUp();
});

const home = (generation = 1): HomeRecord => ({
  agentId: 'store-1',
  generation,
  files: new Map([
    ['agent-key.pem', Buffer.from('PEM of a private key')],
    ['blob.key', BLOB_KEY],
  ]),
});

interface SaleHarness {
  readonly clock: VirtualClock;
  readonly folder: string;
  readonly states: string[];
  journal: Journal;
  copier: JournalCopier;
}

/** A journal with a copier; the file engine, since only it can be restored. */
async function harness(
  options: { mode?: CopyMode; generation?: number; folder?: string; journal?: Journal } = {},
): Promise<SaleHarness> {
  const clock = new VirtualClock(AT);
  const folder = options.folder ?? newHome();
  const inner =
    options.journal ?? (await openFile(newHome(), { cipher: new BlobCipher(BLOB_KEY, systemRandom), clock }));
  const states: string[] = [];
  const copier = new JournalCopier({
    journal: inner,
    mode: options.mode ?? 'required',
    cipher,
    home: home(options.generation),
    open: () => FileCopy.open(folder),
    clock,
    onState: (state: CopyState) => states.push(state.kind),
  });
  const journal = copiedJournal(inner, copier);
  closing.push(() => journal.close());
  return { clock, folder, states, journal, copier };
}

/** Restores from what is on the second disk: its writer is gone. */
async function restore(folder: string, isOpen: (rows: readonly JournalRow[]) => boolean = () => false) {
  for (const close of closing.splice(0)) await close();
  const target = newHome();
  const source = await FileCopy.openExisting(folder);
  const path = join(target, 'journal.db');
  try {
    const copied = await readCopiedHome(source, cipher);
    const restored = await restoreJournal({
      source: await copySource(source, cipher, copied),
      path,
      nowMs: AT,
      judge: (_kept, rows) => ({ isOpen: isOpen(rows) }),
    });
    takePlace(path, undefined, () => undefined);
    const journal = await openFile(target, { cipher: new BlobCipher(BLOB_KEY, systemRandom) });
    return { restored: { ...restored, home: copied }, journal };
  } finally {
    await source.close();
  }
}

async function sale(journal: Journal, reference: string, acknowledged = false): Promise<void> {
  const messageId = `m-${reference}`;
  const record = row('offline-record', reference, { messageId, inStream: true });
  await journal.append({
    ...write(row('accepted', reference), record),
    blobs: [{ messageId, bytes: Buffer.from(`card of ${reference}`) }],
  });
  if (!acknowledged) return;
  await journal.append({
    ...write(row('acknowledged', reference, { statusOf: messageId })),
    wipe: [messageId],
  });
}

const summarize = (_r: string, before: JsonObject | undefined, rows: readonly JournalRow[]): JsonObject => ({
  count: Number(before?.count ?? 0) + rows.length,
});
const compaction = (upToRow: number): Compaction => ({ atMs: AT, upToRow, summarize, carry: [] });

describe('copy of the journal', () => {
  it('has each row when the append of a required copy resolves, and restores it with ids, numbers and blobs', async () => {
    const { journal, folder, copier } = await harness();
    await sale(journal, 'A', true);
    await sale(journal, 'B');
    await sale(journal, 'C');
    expect([copier.rowsBehind, copier.state.kind]).toEqual([0, 'in-sync']);
    const hashOfSeven = await journal.hashAt(7);
    // The disk of the journal is gone from here on: nothing but the copy is looked at.
    const { restored, journal: again } = await restore(folder, (rows) => rows[0]?.reference === 'C');
    expect(restored).toMatchObject({ generation: 2, rows: 7, openSales: 1, from: { row: 7 } });
    expect(Buffer.from(restored.home.files.get('blob.key') ?? [])).toEqual(Buffer.from(BLOB_KEY));
    expect((await again.openMessages()).map(({ row: r }) => [r.messageId, r.sequence])).toEqual([
      ['m-B', 2],
      ['m-C', 3],
    ]);
    expect(Buffer.from((await again.blob('m-B')) ?? [])).toEqual(Buffer.from('card of B'));
    expect(await again.blob('m-A')).toBeUndefined();
    expect(await again.openSales()).toEqual(['C']);
    expect(await again.hashAt(7)).toEqual(hashOfSeven);
    expect(await again.lastOfKind('restored')).toMatchObject({
      row: 8,
      data: { generation: 2, fromGeneration: 1, fromRow: 7 },
    });
    expect(await again.verify()).toMatchObject({ ok: true, rows: 8 });
  });

  it('has no write by half, wherever it ends', async () => {
    const clock = new VirtualClock(AT);
    const folder = newHome();
    const inner = await openFile(newHome(), { cipher: new BlobCipher(BLOB_KEY, systemRandom), clock });
    for (let at = 0; at < COPY_LIMITS.maxEntriesPerBatch; at += 1)
      await inner.append(write(row('accepted', `S${at}`), row('note', `S${at}`), row('ended', `S${at}`)));
    let batches = 0;
    const open = async (): Promise<CopyTarget> => {
      const target = await FileCopy.open(folder);
      return {
        get: (...entry) => target.get(...entry),
        list: (...page) => target.list(...page),
        beginAnew: () => target.beginAnew(),
        close: () => target.close(),
        write: async (batch) => {
          batches += 1;
          if (batches > 3) throw new CopyUnavailable('the journal and this machine are gone');
          await target.write(batch);
        },
      };
    };
    const copier = new JournalCopier({
      journal: inner,
      mode: 'best-effort',
      cipher,
      home: home(),
      open,
      clock,
    });
    closing.push(async () => {
      await copier.close();
      await inner.close();
    });
    await copier.reached(inner.head.row);
    expect(copier.state.kind).toBe('failed');
    const { restored } = await restore(folder);
    expect(restored.from.row).toBeGreaterThan(COPY_LIMITS.maxEntriesPerBatch);
    expect(restored.from.row % 3).toBe(0);
  });

  it('shows nothing of what it holds without the key', async () => {
    const { journal, folder } = await harness();
    await journal.append({
      ...write(
        row('accepted', 'REFERENCE-77'),
        row('reversal', 'REFERENCE-77', { messageId: 'm1', inStream: true }),
      ),
      blobs: [{ messageId: 'm1', bytes: Buffer.from('card of 77') }],
    });
    await journal.close();
    const bytes = readFileSync(join(folder, COPY_FILE));
    for (const secret of ['REFERENCE-77', 'card of', 'PEM of', 'store-1'])
      expect(bytes.includes(secret), secret).toBe(false);
    const source = await FileCopy.open(folder);
    const other = new CopyCipher(systemRandom.bytes(32), systemRandom);
    await expect(readCopiedHome(source, other)).rejects.toThrow(CopyCipherError);
    await expect(copySource(source, other, home())).rejects.toThrow(CopyCipherError);
    await source.close();
  });

  it('catches up with rows that were journaled while the copy was away, and reports that', async () => {
    const folder = join(newHome(), 'later');
    const { journal, clock, copier, states } = await harness({ folder });
    await sale(journal, 'A');
    expect(copier.state).toMatchObject({ kind: 'failed', detail: expect.stringContaining(folder) });
    expect(copier.rowsBehind).toBe(2);
    mkdirSync(folder);
    while (copier.state.kind !== 'in-sync') {
      await clock.advance(COPY_LIMITS.retryMaxMs);
      await settle();
    }
    expect(states).toEqual(['failed', 'in-sync']);
    const { restored } = await restore(folder);
    expect(restored.rows).toBe(2);
  });

  it('waits for a required copy only so long', async () => {
    const inner = new MemoryJournal();
    const clock = new VirtualClock(AT);
    const copier = new JournalCopier({
      journal: inner,
      mode: 'required',
      cipher,
      home: home(),
      open: () => new Promise(() => undefined),
      clock,
    });
    const journal = copiedJournal(inner, copier);
    const appended = journal.append(write(row('accepted', 'A')));
    while (clock.nextTimerInMs() === undefined) await settle();
    await clock.advance(COPY_LIMITS.waitMs);
    expect((await appended)[0]?.row).toBe(1);
    expect(copier.state.kind).toBe('behind');
  });

  it('does not wait for a best-effort copy', async () => {
    const inner = new MemoryJournal();
    const copier = new JournalCopier({
      journal: inner,
      mode: 'best-effort',
      cipher,
      home: home(),
      open: () => new Promise(() => undefined),
      clock: new VirtualClock(AT),
    });
    const rows = await copiedJournal(inner, copier).append(write(row('accepted', 'A')));
    expect([rows[0]?.row, copier.rowsBehind]).toEqual([1, 1]);
  });

  it('follows compaction, and restores a compacted journal', async () => {
    const { journal, folder } = await harness();
    for (const reference of ['A', 'B', 'C']) await sale(journal, reference, true);
    await sale(journal, 'D');
    await journal.compact(compaction(6));
    await sale(journal, 'E');
    const { restored, journal: again } = await restore(folder);
    expect(restored).toMatchObject({ keptSales: 2 });
    expect(await again.kept('A')).toMatchObject({ data: { count: 3 }, messageIds: ['m-A'] });
    expect(await again.verify()).toMatchObject({ ok: true, removedTo: 6 });
    expect(Buffer.from((await again.blob('m-D')) ?? [])).toEqual(Buffer.from('card of D'));
    await expect(again.append(write(row('accepted', 'B')))).rejects.toThrow('already journaled');
    const source = await FileCopy.open(folder);
    const numbers = (await source.list('row', { number: -1, name: '' }, 100)).map(({ number }) => number);
    expect(numbers[0]).toBe(7);
    await source.close();
  });

  it('begins anew for a later generation on other rows, whose oldest are gone, and keeps the old copy aside', async () => {
    const folder = newHome();
    const first = await harness({ folder });
    await sale(first.journal, 'OLD', true);
    await first.journal.close();
    const clock = new VirtualClock(AT);
    const inner = await openFile(newHome(), { cipher: new BlobCipher(BLOB_KEY, systemRandom), clock });
    for (const reference of ['A', 'B', 'C']) await sale(inner, reference, true);
    await inner.compact(compaction(6));
    const { journal } = await harness({ folder, journal: inner, generation: 2 });
    await sale(journal, 'D');
    const aside = join(folder, 'journal-copy-1.db');
    const old = await FileCopy.openExisting(aside);
    expect(await old.list('row', { number: -1, name: '' }, 9)).toHaveLength(3);
    await old.close();
    const { journal: again } = await restore(folder);
    expect((await again.rowsAfter(0, 100))[0]?.row).toBe(7);
    expect(await again.verify()).toMatchObject({ ok: true, removedTo: 6 });
  });

  it('begins anew when compaction has passed the place where it stopped', async () => {
    const [folder, place] = [newHome(), newHome()];
    const open = () => openFile(place, { cipher: new BlobCipher(BLOB_KEY, systemRandom) });
    const first = await harness({ folder, journal: await open() });
    await sale(first.journal, 'A', true);
    await first.journal.close();
    const alone = await open();
    for (const reference of ['B', 'C']) await sale(alone, reference, true);
    await alone.compact(compaction(6));
    const again = await harness({ folder, journal: alone });
    await sale(again.journal, 'D');
    expect(again.copier.state.kind).toBe('in-sync');
    const { journal } = await restore(folder);
    expect(await journal.verify()).toMatchObject({ ok: true, removedTo: 6 });
    expect(await journal.kept('A')).toBeDefined();
  });

  it('keeps off a copy that has more than the journal, until a person has decided', async () => {
    const folder = newHome();
    const first = await harness({ folder });
    for (const reference of ['A', 'B']) await sale(first.journal, reference);
    await first.journal.close();
    const younger = await harness({ folder });
    await sale(younger.journal, 'A');
    expect(younger.copier.state).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('--replace'),
    });
    const { restored } = await restore(folder);
    expect(restored.rows).toBe(4);
    await younger.journal.close();
    const asIs = await harness({ folder, generation: 2 });
    await sale(asIs.journal, 'C');
    expect(asIs.copier.state.kind).toBe('in-sync');
    expect((await restore(join(folder, 'journal-copy-1.db'))).restored).toMatchObject({
      rows: 4,
      generation: 2,
    });
    expect((await restore(folder)).restored).toMatchObject({ rows: 2, generation: 3 });
  });

  it('stays off a copy that a later generation writes', async () => {
    const folder = newHome();
    const later = await harness({ folder, generation: 2 });
    await sale(later.journal, 'A');
    const { journal, copier, clock } = await harness({ folder, generation: 1 });
    await sale(journal, 'B');
    expect(copier.state).toMatchObject({ kind: 'failed', detail: expect.stringContaining('locked') });
    await later.journal.append(write(row('note', 'A')));
    expect(later.copier.rowsBehind).toBe(0);
    await later.journal.close();
    while (copier.state.kind !== 'taken') {
      await clock.advance(COPY_LIMITS.retryMaxMs);
      await settle();
    }
    expect(copier.state).toMatchObject({ generation: 2 });
    await journal.close();
    expect((await restore(folder)).restored).toMatchObject({ rows: 3, generation: 3 });
  });

  it('names the first row of a copy that was damaged', async () => {
    const { journal, folder } = await harness();
    for (const reference of ['A', 'B']) await sale(journal, reference);
    await journal.close();
    const source = await FileCopy.open(folder);
    const [second] = await source.list('row', { number: 1, name: '' }, 1);
    await source.write({
      put: [{ ...second, kind: 'row', number: 3, name: '', sealed: second?.sealed ?? new Uint8Array() }],
      dropBlobs: [],
      dropRowsTo: 0,
    });
    await source.close();
    await expect(restore(folder)).rejects.toThrow('row 3 of the copy does not open');
  });

  it('refuses a folder that is not there, since a disk may only not be mounted', async () => {
    const missing = join(newHome(), 'usb');
    await expect(FileCopy.open(missing)).rejects.toThrow(CopyUnavailable);
    expect(existsSync(missing)).toBe(false);
  });
});

describe('copy key', () => {
  it('is 64 hex digits that only its owner reads; a second one is never made over it', () => {
    const path = join(newHome(), 'copy.key');
    expect(() => readCopyKey(path)).toThrow('tillbridge-agent copy-key');
    createCopyKey(path, systemRandom);
    expect(readFileSync(path, 'utf8')).toMatch(/^[0-9A-F]{64}\n$/);
    expect(readCopyKey(path)).toHaveLength(32);
    expect(() => createCopyKey(path, systemRandom)).toThrow('exists already');
    rmSync(path);
    expect(() => createCopyKey(join(path, 'x'), systemRandom)).toThrow(CopyKeyError);
  });
});
