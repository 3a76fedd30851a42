import { join } from 'node:path';
import { BlobCipher } from '@tillbridge/agent/journal/blob-cipher.js';
import type {
  Compaction,
  Journal,
  JournalRow,
  JournalWrite,
  NewRow,
} from '@tillbridge/agent/journal/journal.js';
import { SEALING_KEY_BYTES } from '@tillbridge/agent/journal/sealed-bytes.js';
import { SqliteJournal } from '@tillbridge/agent/journal/sqlite-journal.js';
import { MemoryJournal } from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { type Workload, workload } from './workload.js';

type Commit = JournalWrite | { readonly compact: Compaction };

const AT = Date.UTC(2026, 10, 20, 12);
const SALES = 24;
/** Of this many sales one is sold without a network, its card data next to the row until it is acknowledged. */
const OFFLINE_EVERY = 3;
const COMPACT_EVERY = 8;
const REOPEN_AFTER = 13;
const BLOB_BYTES = 300;

const COMPACT: Commit = {
  compact: {
    atMs: AT,
    upToRow: Number.MAX_SAFE_INTEGER,
    carry: [],
    summarize: (_reference, before, rows) => ({
      kinds: [...((before?.kinds as string[]) ?? []), ...rows.map(({ kind }) => kind)],
    }),
  },
};

/** The agent's journal: sales with and without a network, messages of the queue, sealed card data that is wiped, compactions. */
export const journalWorkload: Workload = workload<Journal, Commit>({
  steps: steps(),
  open: openJournal,
  inMemory: () => new MemoryJournal(),
  carryOut: (journal, commit) =>
    'compact' in commit ? journal.compact(commit.compact) : journal.append(withOwnBytes(commit)),
  show,
  examine,
  close: (journal) => journal.close(),
});

function steps(): readonly (readonly Commit[] | 'reopen')[] {
  const made: (readonly Commit[] | 'reopen')[] = [];
  for (let sale = 1; sale <= SALES; sale += 1) {
    const commits = sale % OFFLINE_EVERY === 0 ? offlineSale(sale) : onlineSale(sale);
    // Two tills at once share a transaction.
    if (sale % 4 === 1) made.push(...commits.slice(0, 2).map((commit, at) => [commit, note(sale, at)]));
    else made.push(...commits.slice(0, 2).map((commit) => [commit]));
    made.push(...commits.slice(2).map((commit) => [commit]));
    if (sale % COMPACT_EVERY === 0) made.push([COMPACT]);
    if (sale === REOPEN_AFTER) made.push('reopen');
  }
  return made;
}

function row(kind: string, sale: number, more: Partial<NewRow> = {}): NewRow {
  const data = {
    amount: { minor: 100 * sale, currency: 'EUR' },
    text: `step ${kind} `.repeat(1 + (sale % 30)),
  };
  return { kind, reference: `S-${sale}`, terminalId: String(1 + (sale % 2)), data, ...more };
}

function note(sale: number, at: number): Commit {
  const data = { sale, at };
  return { atMs: AT + sale, rows: [{ kind: 'contact', reference: '', terminalId: '', data }] };
}

function accepted(sale: number): Commit {
  const open = { reference: `S-${sale}`, open: true };
  return { atMs: AT + sale, rows: [row('accepted', sale)], sale: open };
}

function onlineSale(sale: number): readonly Commit[] {
  const write = (...rows: readonly NewRow[]): JournalWrite => ({ atMs: AT + sale, rows });
  const ended = { reference: `S-${sale}`, open: false };
  return [
    accepted(sale),
    write(row('authorizing', sale, { messageId: `a-${sale}` })),
    write(row('answered', sale)),
    { ...write(row('completed', sale), row('ended', sale)), sale: ended },
  ];
}

function offlineSale(sale: number): readonly Commit[] {
  const messageId = `o-${sale}`;
  const record = row('offline-record', sale, { messageId, inStream: true });
  const bytes = Buffer.alloc(BLOB_BYTES, sale);
  return [
    accepted(sale),
    { atMs: AT + sale, rows: [record], blobs: [{ messageId, bytes }] },
    { atMs: AT + sale, rows: [row('completed', sale)] },
    {
      atMs: AT + sale,
      rows: [row('acknowledged', sale, { statusOf: messageId }), row('ended', sale)],
      sale: { reference: `S-${sale}`, open: false },
      wipe: [messageId],
    },
  ];
}

/** A journal may wipe the bytes it was given. */
function withOwnBytes(write: JournalWrite): JournalWrite {
  const blobs = (write.blobs ?? []).map(({ messageId, bytes }) => ({ messageId, bytes: Buffer.from(bytes) }));
  return { ...write, blobs };
}

async function openJournal(folder: string): Promise<Journal> {
  const journal = await SqliteJournal.open({
    path: join(folder, 'journal.db'),
    cipher: new BlobCipher(Buffer.alloc(SEALING_KEY_BYTES, 7), systemRandom),
    clock: new VirtualClock(AT),
  });
  const { state } = journal;
  if (state.kind === 'ready') return journal;
  await journal.close();
  throw new Error(`the journal does not open (${state.reason}): ${state.detail}`);
}

/** Without hashes: sealed bytes differ each time. The chain is verified apart. */
async function show(journal: Journal): Promise<string> {
  const rows = await journal.rowsAfter(0, 1_000);
  const messages = rows.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId]));
  const blobs = await Promise.all(messages.map(async (id) => [id, await sealedText(journal, id)]));
  const kept = [];
  for (let sale = 1; sale <= SALES; sale += 1) kept.push((await journal.kept(`S-${sale}`))?.data ?? null);
  const waiting = (await journal.openMessages()).map((open) => open.row.messageId);
  return JSON.stringify({ rows: rows.map(shownRow), blobs, kept, waiting, open: await journal.openSales() });
}

function shownRow({
  row,
  atMs,
  kind,
  reference,
  terminalId,
  messageId,
  statusOf,
  sequence,
  data,
}: JournalRow) {
  // A checkpoint contains hashes, which differ.
  const content = kind === 'checkpoint' ? null : data;
  return [row, atMs, kind, reference, terminalId, messageId ?? null, statusOf ?? null, sequence, content];
}

async function sealedText(journal: Journal, messageId: string): Promise<string | null> {
  const bytes = await journal.blob(messageId);
  return bytes ? toHex(bytes) : null;
}

async function examine(journal: Journal): Promise<void> {
  await verify(journal);
  await journal.append({ atMs: AT, rows: [{ kind: 'later', reference: 'L', terminalId: '', data: {} }] });
  await verify(journal);
}

async function verify(journal: Journal): Promise<void> {
  const report = await journal.verify();
  if (!report.ok) throw new Error(`row ${report.badRow} (${report.damage}): ${report.problem}`);
}
