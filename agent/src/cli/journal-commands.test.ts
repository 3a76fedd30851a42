import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { GoodbyeCode } from '@tillbridge/wire/bridge/messages.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOME_FILES, lockAgentHome, readSecretFiles } from '../home/home-files.js';
import { BlobCipher } from '../journal/blob-cipher.js';
import { copiedJournal } from '../journal/copy/copied-journal.js';
import { CopyCipher } from '../journal/copy/copy-cipher.js';
import { readCopyKey } from '../journal/copy/copy-key.js';
import { FileCopy } from '../journal/copy/file-copy.js';
import { JournalCopier } from '../journal/copy/journal-copier.js';
import type { Journal, NewRow } from '../journal/journal.js';
import { loadOrCreateKey } from '../journal/key-file.js';
import { SqliteJournal } from '../journal/sqlite-journal.js';
import { tamper } from '../journal/testing/tamper.test.support.js';
import { enrolledHome } from '../uplink/enrolled-home.test.support.js';
import { TestGateway } from '../uplink/gateway.test.support.js';
import { readGeneration, writeGeneration } from '../uplink/generation.js';
import { runCommandLine } from './main-command.js';

let folder: string;
let home: string;
let gateway: TestGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-journal-'));
  home = join(folder, 'agent');
  mkdirSync(home, { mode: 0o700 });
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  rmSync(folder, { recursive: true });
});

async function cli(...argv: string[]) {
  const out: string[] = [];
  const notes: string[] = [];
  const exitCode = await runCommandLine(argv, {
    env: { GATEWAY_BRIDGE_URL: gateway?.url ?? 'ws://127.0.0.1:9/bridge', TILLBRIDGE_HOME: folder },
    output: { out: (text) => out.push(text), note: (text) => notes.push(text) },
    run: async () => 0,
  });
  return { exitCode, out: out.join('\n'), notes: notes.join('\n') };
}

const row = (kind: string, reference: string, more: Partial<NewRow> = {}): NewRow => ({
  kind,
  reference,
  terminalId: '1',
  data: {},
  ...more,
});

async function openJournal(at = home): Promise<SqliteJournal> {
  const key = loadOrCreateKey(join(at, HOME_FILES.blobKey), systemRandom);
  return SqliteJournal.open({
    path: join(at, HOME_FILES.journal),
    cipher: new BlobCipher(key, systemRandom),
    clock: new VirtualClock(0),
  });
}

/** A home with an identity and a journal of three rows; the last one holds sealed data. */
async function fill(journal: Journal): Promise<void> {
  await journal.append({ atMs: 1, rows: [row('accepted', 'A', { data: { sale: { type: 'sale' } } })] });
  await journal.append({ atMs: 1, rows: [row('note', 'A')] });
  await journal.append({
    atMs: 1,
    rows: [row('offline-record', 'A', { messageId: 'm1', inStream: true })],
    blobs: [{ messageId: 'm1', bytes: Buffer.from('sealed') }],
  });
}

async function filledHome(): Promise<Uint8Array> {
  enrolledHome(home, 'store-1');
  writeGeneration(home, 1);
  const journal = await openJournal();
  await fill(journal);
  const { hash } = journal.head;
  await journal.close();
  return hash;
}

describe('verify', () => {
  it('reports that a journal is sound, also while its agent runs', async () => {
    await filledHome();
    const journal = await openJournal();
    const lock = await lockAgentHome(home);
    const running = await cli('verify', '--home', home, '--no-gateway');
    expect(running).toMatchObject({ exitCode: 0, out: expect.stringContaining('journal   sound, 3 rows') });
    await journal.append({ atMs: 2, rows: [row('note', 'A')] });
    await lock.release();
    await journal.close();
    const { exitCode, out } = await cli('verify', '--home', home, '--json', '--no-gateway');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, rows: 4, removedTo: 0, file: 'ok' });
  });

  it.each([
    ['changed-row', 2, `DROP TRIGGER rows_never_change; UPDATE rows SET data = '{"x":1}' WHERE row = 2`],
    ['changed-row', 1, `DROP TRIGGER rows_never_change; UPDATE rows SET data = 'no json' WHERE row = 1`],
    ['missing-row', 2, 'DROP TRIGGER rows_never_go; DELETE FROM rows WHERE row = 2'],
    ['changed-blob', 3, `UPDATE blobs SET sealed = x'00'`],
    ['missing-blob', 3, 'DELETE FROM blobs'],
    ['changed-kept', 1, `INSERT INTO kept VALUES (1, 'A', '[]', '{}', x'00')`],
  ])('names a %s, and the first broken place', async (damage, badRow, sql) => {
    await filledHome();
    await tamper(home, sql);
    const { exitCode, out } = await cli('verify', '--home', home, '--json', '--no-gateway');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, damage, badRow });
    expect((await cli('verify', '--home', home, '--no-gateway')).out).toContain('DAMAGED at');
  });

  it('reports a damaged file otherwise than a damaged row', async () => {
    await filledHome();
    const path = join(home, HOME_FILES.journal);
    const journal = await openJournal();
    for (let at = 0; at < 300; at += 1)
      await journal.append({ atMs: 1, rows: [row('note', `S${at}`, { data: { text: 'x'.repeat(900) } })] });
    await journal.close();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 40 * 4_096, 44 * 4_096);
    writeFileSync(path, bytes);
    const { exitCode, out } = await cli('verify', '--home', home, '--json', '--no-gateway');
    expect(exitCode).toBe(1);
    const found = JSON.parse(out) as { ok: boolean; file: string; badRow: number };
    expect(found.ok).toBe(false);
    expect(found.file).not.toBe('ok');
    const again = await openJournal();
    expect(again.state).toMatchObject({ kind: 'unavailable', reason: 'corrupt' });
    expect(again.state).toMatchObject({ detail: expect.stringContaining('tillbridge-agent restore') });
    await again.close();
    truncateSync(path, 4_096);
    expect((await cli('verify', '--home', home, '--no-gateway')).exitCode).toBe(1);
  });

  it('names the place where it finds no journal', async () => {
    const { exitCode, notes } = await cli('verify', '--home', join(folder, 'nowhere'));
    expect([exitCode, notes.includes('there is no journal')]).toEqual([2, true]);
  });

  it.each([
    ['agrees with the gateway', 0, 'agrees (it keeps row 3)', (hash: Uint8Array) => ({ row: 3, hash })],
    ['is behind', 1, 'KNOWS LATER ROWS', (hash: Uint8Array) => ({ row: 9, hash })],
    ['is forked', 1, 'KNOWS OTHER ROWS', () => ({ row: 2, hash: new Uint8Array(32) })],
    ['is unknown', 0, 'keeps no head', () => undefined],
  ])('reports that the journal of a stopped agent %s', async (_name, code, text, kept) => {
    const hash = await filledHome();
    gateway = await TestGateway.listen();
    const verifying = cli('verify', '--home', home);
    const session = await gateway.session();
    const journalHead = kept(hash);
    await session.welcome(journalHead ? { journalHead } : {});
    const { exitCode, out } = await verifying;
    expect(out).toContain(text);
    expect(exitCode).toBe(code);
  });

  it('reports that the journal is fenced, and when no gateway answers', async () => {
    await filledHome();
    const alone = await cli('verify', '--home', home);
    expect(alone).toMatchObject({ exitCode: 0, out: expect.stringContaining('not compared: unreachable') });
    gateway = await TestGateway.listen();
    const verifying = cli('verify', '--home', home);
    const session = await gateway.session();
    session.send('goodbye', {
      code: GoodbyeCode.FENCED,
      reason: 'generation 1 was followed by 2',
      retryAfterMs: 0,
    });
    expect(await verifying).toMatchObject({ exitCode: 1, out: expect.stringContaining('followed by 2') });
  });
});

describe('restore', () => {
  const keyFile = () => join(folder, 'copy.key');
  const copyFolder = () => join(folder, 'copy');

  async function copiedHome(): Promise<void> {
    enrolledHome(home, 'store-1');
    writeGeneration(home, 1);
    writeFileSync(join(home, 'till-token'), 'a-token-of-the-tills\n', { mode: 0o600 });
    mkdirSync(copyFolder());
    expect((await cli('copy-key', keyFile())).exitCode).toBe(0);
    const inner = await openJournal();
    const copier = new JournalCopier({
      journal: inner,
      mode: 'required',
      cipher: new CopyCipher(readCopyKey(keyFile()), systemRandom),
      home: { agentId: 'store-1', generation: 1, files: readSecretFiles(home) },
      open: () => FileCopy.open(copyFolder()),
      clock: new VirtualClock(0),
    });
    const journal = copiedJournal(inner, copier);
    await fill(journal);
    await journal.close();
  }

  it('makes a new home that goes on as the same agent, in a new generation', async () => {
    await copiedHome();
    const target = join(folder, 'new', 'agent');
    const { exitCode, out } = await cli(
      'restore',
      '--from',
      copyFolder(),
      '--key-file',
      keyFile(),
      '--home',
      target,
    );
    expect(exitCode).toBe(0);
    expect(out).toContain(`restored into ${target}: 3 rows`);
    expect(readGeneration(target)).toBe(2);
    for (const name of ['agent-id', 'agent-key.pem', 'blob.key', 'till-token']) {
      expect(readFileSync(join(target, name)), name).toEqual(readFileSync(join(home, name)));
      expect(statSync(join(target, name)).mode & 0o777, name).toBe(0o600);
    }
    const journal = await openJournal(target);
    expect((await journal.openMessages()).map(({ row: each }) => each.messageId)).toEqual(['m1']);
    expect(Buffer.from((await journal.blob('m1')) ?? []).toString()).toBe('sealed');
    await journal.close();
    expect((await cli('verify', '--home', target, '--no-gateway')).exitCode).toBe(0);
  });

  it('is not shown to the gateway by a mere look at it, which would end the agent that it was copied from', async () => {
    await copiedHome();
    const target = join(folder, 'exercise');
    const args = ['restore', '--from', copyFolder(), '--key-file', keyFile(), '--home', target];
    expect((await cli(...args)).exitCode).toBe(0);
    gateway = await TestGateway.listen();
    const { exitCode, out } = await cli('verify', '--home', target);
    expect([exitCode, out]).toEqual([0, expect.stringContaining('not compared: it was restored')]);
  });

  it('leaves nothing that could take the place of a journal that was used since', async () => {
    await filledHome();
    const built = join(home, 'journal.db.restored');
    writeFileSync(built, 'what an interrupted restore has built, out of date by now');
    expect((await cli('restore', '--as-is', '--home', home)).exitCode).toBe(0);
    expect(existsSync(built)).toBe(false);
  });

  it('is not taken for a lost journal while it waits for its end, and ends separately', async () => {
    writeFileSync(join(home, 'journal.db.restored'), 'built from a copy');
    const looked = await cli('verify', '--home', home, '--no-gateway');
    expect(looked).toMatchObject({ exitCode: 2, notes: expect.stringContaining('interrupted') });
    const salvaged = await cli('restore', '--salvage', '--home', home);
    expect(salvaged).toMatchObject({ exitCode: 2, notes: expect.stringContaining('--from') });
  });

  it('overwrites no journal without the option to set it aside; the generation is above both', async () => {
    await copiedHome();
    writeGeneration(home, 7);
    const args = ['restore', '--from', copyFolder(), '--key-file', keyFile(), '--home', home];
    const refused = await cli(...args);
    expect(refused).toMatchObject({ exitCode: 2, notes: expect.stringContaining('--replace') });
    expect(readGeneration(home)).toBe(7);
    expect((await cli(...args, '--replace')).exitCode).toBe(0);
    expect(readGeneration(home)).toBe(8);
    expect(existsSync(join(home, 'journal.db.replaced-1'))).toBe(true);
  });

  it('takes nothing over from the log of a journal that is gone', async () => {
    await copiedHome();
    // Another life of the home left its log behind: a separate journal, cut off from its file.
    const journal = await openJournal();
    for (const reference of ['X', 'Y', 'Z'])
      await journal.append({ atMs: 9, rows: [row('accepted', reference, { data: { sale: {} } })] });
    const log = readFileSync(join(home, `${HOME_FILES.journal}-wal`));
    await journal.close();
    rmSync(join(home, HOME_FILES.journal));
    writeFileSync(join(home, `${HOME_FILES.journal}-wal`), log);
    const args = ['restore', '--from', copyFolder(), '--key-file', keyFile(), '--home', home];
    expect((await cli(...args)).exitCode).toBe(0);
    const restored = await openJournal();
    expect(await restored.rowsOf('X')).toEqual([]);
    expect(await restored.verify()).toMatchObject({ ok: true });
    await restored.close();
    expect(readFileSync(join(home, 'journal.db.replaced-1-wal'))).toEqual(log);
  });

  it('leaves a home of another agent, and a home whose agent runs, as they are', async () => {
    await copiedHome();
    const other = join(folder, 'other');
    enrolledHome(other, 'store-2');
    const args = ['restore', '--from', copyFolder(), '--key-file', keyFile(), '--home'];
    expect(await cli(...args, other)).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('store-2'),
    });
    const target = join(folder, 'busy');
    mkdirSync(target);
    const lock = await lockAgentHome(target);
    expect(await cli(...args, target)).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('in use'),
    });
    await lock.release();
    expect(existsSync(join(target, HOME_FILES.journal))).toBe(false);
  });

  it('opens only with the right key, and reports what is missing', async () => {
    await copiedHome();
    const target = join(folder, 'new');
    const other = join(folder, 'other.key');
    await cli('copy-key', other);
    const wrong = await cli('restore', '--from', copyFolder(), '--key-file', other, '--home', target);
    expect(wrong).toMatchObject({ exitCode: 2, notes: expect.stringContaining('does not open') });
    const nowhere = await cli(
      'restore',
      '--from',
      join(folder, 'usb'),
      '--key-file',
      other,
      '--home',
      target,
    );
    expect(nowhere).toMatchObject({ exitCode: 2, notes: expect.stringContaining('usb') });
    expect((await cli('restore', '--home', target)).notes).toContain('--from COPY');
    expect((await cli('restore', '--home', target, '--as-is', '--salvage')).notes).toContain('give one of');
    expect((await cli('restore', '--from', copyFolder(), '--home', target)).notes).toContain('--key-file');
    expect(await cli('copy-key', other)).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('exists'),
    });
  });

  it('--as-is begins a new generation of the journal that is there', async () => {
    await filledHome();
    const { exitCode, out } = await cli('restore', '--as-is', '--home', home, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual({ generation: 2, fromGeneration: 1, fromRow: 3 });
    expect(readGeneration(home)).toBe(2);
    const journal = await openJournal();
    expect(await journal.lastOfKind('restored')).toMatchObject({ row: 4, data: { generation: 2 } });
    await journal.close();
  });

  it.each([
    ['a changed row', `DROP TRIGGER rows_never_change; UPDATE rows SET data = '{}' WHERE row = 5`],
    ['a missing row', 'DROP TRIGGER rows_never_go; DELETE FROM rows WHERE row = 5'],
  ])('--salvage brings over what stands in front of %s, queue and all', async (_what, sql) => {
    await filledHome();
    const journal = await openJournal();
    for (const reference of ['B', 'C', 'D'])
      await journal.append({
        atMs: 2,
        rows: [row('accepted', reference, { data: { sale: { type: 'sale' } } })],
      });
    await journal.close();
    await tamper(home, sql);
    const broken = await openJournal();
    expect(broken.state).toMatchObject({ reason: 'corrupt' });
    await broken.close();
    const { exitCode, out } = await cli('restore', '--salvage', '--home', home, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      generation: 2,
      fromRow: 4,
      rows: 4,
      openSales: 0,
      inDoubt: ['A', 'B'],
    });
    const again = await openJournal();
    expect((await again.openMessages()).map(({ row: each }) => each.messageId)).toEqual(['m1']);
    expect(Buffer.from((await again.blob('m1')) ?? []).toString()).toBe('sealed');
    expect((await again.rowsOf('B')).map(({ kind }) => kind)).toEqual(['accepted', 'overdue']);
    await again.close();
    expect((await cli('verify', '--home', home, '--no-gateway')).exitCode).toBe(0);
    expect(existsSync(join(home, 'journal.db.replaced-1'))).toBe(true);
  });

  it('--salvage raises an alert for staff to the sale whose last write may be there by half', async () => {
    await filledHome();
    const journal = await openJournal();
    const ended = { outcome: 'approved', mode: 'offline-card', reason: 'approved-offline' };
    await journal.append({
      atMs: 2,
      rows: [row('accepted', 'B', { data: { sale: { type: 'sale' } } }), row('ended', 'B', { data: ended })],
    });
    await journal.append({ atMs: 3, rows: [row('note', 'B'), row('ended', 'B', { data: ended })] });
    await journal.close();
    await tamper(home, `DROP TRIGGER rows_never_change; UPDATE rows SET data = '{}' WHERE row = 7`);
    const { out } = await cli('restore', '--salvage', '--home', home, '--json');
    expect(JSON.parse(out)).toMatchObject({ fromRow: 6, inDoubt: ['A', 'B'] });
  });

  it('--salvage brings over what stands in front of pages that cannot be read', async () => {
    await filledHome();
    const journal = await openJournal();
    const data = { text: 'x'.repeat(900) };
    for (let at = 0; at < 300; at += 1) await journal.append({ atMs: 1, rows: [row('note', '', { data })] });
    await journal.close();
    const path = join(home, HOME_FILES.journal);
    const bytes = readFileSync(path);
    bytes.fill(0xff, Math.floor(bytes.length / 2), bytes.length - 8 * 4_096);
    writeFileSync(path, bytes);
    const { exitCode, out } = await cli('restore', '--salvage', '--home', home, '--json');
    expect(exitCode).toBe(0);
    const { rows, end } = JSON.parse(out) as { rows: number; end: string };
    expect(rows).toBeGreaterThan(10);
    expect(rows).toBeLessThan(303);
    expect(end).toMatch(/cannot be read|missing|changed/);
    const again = await openJournal();
    expect(again.state.kind).toBe('ready');
    expect((await again.openMessages()).map(({ row: each }) => each.messageId)).toEqual(['m1']);
    await again.close();
  });
});
