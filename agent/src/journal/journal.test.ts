import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BlobCipher, BlobError } from './blob-cipher.js';
import { parseCrashPoint } from './crash-point.js';
import { JOURNAL_LIMITS, type Journal, JournalUnavailable } from './journal.js';
import { openDatabase } from './open-database.js';
import { AT, ENGINES, newHome, openFile, row, tidyUp, write } from './testing/engines.test.support.js';
import { describeJournal } from './testing/journal-contract.test.support.js';
import { MemoryJournal } from './testing/memory-journal.test.support.js';
import { migrateJournal } from './testing/newer.test.support.js';
import { tamper } from './testing/tamper.test.support.js';

afterEach(tidyUp);

for (const [name, engine] of Object.entries(ENGINES)) describeJournal(name, engine);

describe('memory journal', () => {
  it('takes nothing while its disk fails', async () => {
    const journal = new MemoryJournal();
    const states: string[] = [];
    journal.onState((state) => states.push(state.kind));
    journal.fail('disk-full');
    await expect(journal.append(write(row('a', 'A')))).rejects.toMatchObject({ reason: 'disk-full' });
    journal.repair();
    expect(await journal.rowsOf('A')).toEqual([]);
    expect(states).toEqual(['unavailable', 'ready']);
  });
});

describe('journal file', () => {
  it('of a newer agent that has only added is continued by an older one, and is sound for both', async () => {
    const home = newHome();
    const before = await openFile(home);
    await before.append(write(row('accepted', 'A')));
    await before.close();
    await migrateJournal(home, 1);
    const older = await openFile(home);
    expect(older.state).toEqual({ kind: 'ready' });
    await older.append(write(row('accepted', 'B')));
    expect(await older.verify()).toMatchObject({ ok: true, rows: 2 });
    expect((await older.rowsOf('A')).map(({ kind }) => kind)).toEqual(['accepted']);
  });

  it('of a newer agent that has taken something away is refused, with the reason', async () => {
    const home = newHome();
    await (await openFile(home)).close();
    await migrateJournal(home, 1000);
    expect((await openFile(home)).state).toMatchObject({
      kind: 'unavailable',
      reason: 'cannot-open',
      detail: expect.stringContaining('builds from step 1000 on can read, and this build knows 1'),
    });
  });

  it('shares one transaction between writes that wait for the disk', async () => {
    const journal = await openFile(newHome());
    const commits = vi.spyOn(SqliteConnection.prototype, 'run');
    await Promise.all(Array.from({ length: 50 }, (_, i) => journal.append(write(row('accepted', `S${i}`)))));
    const count = commits.mock.calls.length;
    commits.mockRestore();
    expect(count).toBe(1);
    expect(journal.head.row).toBe(50);
  });

  it('has neither the clear bytes of a blob nor, once wiped, the sealed ones', async () => {
    const home = newHome();
    const journal = await openFile(home);
    const secret = Buffer.from('SRED-9F0625EEE1D0A1FBF35AAA49CD9CB401');
    const path = join(home, 'journal.db');
    await journal.append({
      ...write(row('offline-record', 'A', { messageId: 'm1' })),
      blobs: [{ messageId: 'm1', bytes: secret }],
    });
    const reader = await openDatabase(path, { access: 'read-only' });
    const found = await reader.get<{ sealed: Uint8Array }>('SELECT sealed FROM blobs');
    const sealed = Buffer.from(found?.sealed ?? []);
    await reader.close();
    const files = () =>
      Buffer.concat(
        readdirSync(home)
          .filter((name) => name !== 'journal.key')
          .map((name) => readFileSync(join(home, name))),
      );
    expect(files().includes(sealed)).toBe(true);
    expect(files().includes(secret)).toBe(false);
    await journal.append({ ...write(row('acknowledged', 'A', { statusOf: 'm1' })), wipe: ['m1'] });
    await journal.close();
    expect(files().includes(sealed)).toBe(false);
    expect(statSync(join(home, 'journal.key')).mode & 0o777).toBe(0o600);
  });

  it('notices a changed, a removed and an added row', async () => {
    const sql = {
      changed: `DROP TRIGGER rows_never_change; UPDATE rows SET data = '{"minor":1}' WHERE row = 2`,
      removed: 'DROP TRIGGER rows_never_go; DELETE FROM rows WHERE row = 2',
      added: `INSERT INTO rows SELECT 4, atMs, 'ended', reference, terminalId, NULL, 0, NULL, data, hash, NULL FROM rows WHERE row = 3`,
    };
    for (const [what, statement] of Object.entries(sql)) {
      const home = newHome();
      const journal = await openFile(home);
      for (const reference of ['A', 'B', 'C'])
        await journal.append(write(row('accepted', reference, { data: { minor: 100 } })));
      await tamper(home, statement);
      expect(await journal.verify(), what).toMatchObject({ ok: false, badRow: what === 'added' ? 4 : 2 });
      await journal.close();
      const again = await openFile(home);
      expect(again.state, what).toMatchObject({ kind: 'unavailable', reason: 'corrupt' });
      await again.close();
    }
  });

  it('refuses to change or delete rows', async () => {
    const home = newHome();
    const journal = await openFile(home);
    await journal.append(write(row('accepted', 'A')));
    await expect(tamper(home, `UPDATE rows SET kind = 'x'`)).rejects.toThrow('append-only');
    await expect(tamper(home, 'DELETE FROM rows')).rejects.toThrow('append-only');
  });

  it('is unavailable on a full disk and reports it, with nothing half written', async () => {
    const journal = await openFile(newHome(), { maxFileBytes: 256 * 1_024 });
    const data = { text: 'x'.repeat(12_000) };
    let written = 0;
    const fill = async () => {
      for (; written < 100; written += 1)
        await journal.append(write(row('a', 'A', { data }), row('a', 'A', { data })));
    };
    await expect(fill()).rejects.toMatchObject({ reason: 'disk-full' });
    expect(written).toBeGreaterThan(3);
    expect(journal.state).toMatchObject({ kind: 'unavailable', reason: 'disk-full' });
    await expect(journal.append(write(row('a', 'B')))).rejects.toThrow(JournalUnavailable);
    expect(journal.head.row).toBe(written * 2);
  });

  it('recognises a file that cannot be written by the error of SQLite', async () => {
    const home = newHome();
    await (await openFile(home)).append(write(row('accepted', 'A')));
    const database = await openDatabase(join(home, 'journal.db'), { access: 'read-only' });
    const tried = database.run("INSERT INTO openSales VALUES ('A')");
    await expect(tried).rejects.toMatchObject({
      reason: 'read-only',
      detail: expect.stringContaining('make the disk writable'),
    });
    await database.close();
  });

  it('waits for a place that is not there yet, and works when it comes', async () => {
    const home = newHome();
    const clock = new VirtualClock(AT);
    const path = join(home, 'later', 'journal.db');
    const journal = await openFile(home, { path, clock });
    expect(journal.state).toMatchObject({ kind: 'unavailable', reason: 'cannot-open' });
    mkdirSync(join(home, 'later'));
    await ready(journal, clock);
    expect((await journal.append(write(row('a', 'A'))))[0]?.row).toBe(1);
  });

  it('comes back from a lock with the rows it had', async () => {
    const home = newHome();
    const clock = new VirtualClock(AT);
    const journal = await openFile(home, { clock });
    await journal.append(write(row('accepted', 'A')));
    const intruder = await openDatabase(join(home, 'journal.db'));
    await intruder.exec('BEGIN IMMEDIATE');
    await expect(journal.append(write(row('accepted', 'B')))).rejects.toMatchObject({ reason: 'locked' });
    await intruder.close();
    await ready(journal, clock);
    expect((await journal.append(write(row('accepted', 'B'))))[0]?.row).toBe(2);
  });

  it('calls a file of something else corrupt and leaves it as it is', async () => {
    const home = newHome();
    const path = join(home, 'journal.db');
    const content = Buffer.alloc(8_192, 'not a database ');
    writeFileSync(path, content);
    const journal = await openFile(home);
    expect(journal.state).toMatchObject({ kind: 'unavailable', reason: 'corrupt' });
    expect(readFileSync(path)).toEqual(content);
  });
});

/** Lets the journal probe until it is ready. */
async function ready(journal: Journal, clock: VirtualClock): Promise<void> {
  const changed = new Promise<void>((resolve) => {
    journal.onState((state) => state.kind === 'ready' && resolve());
  });
  while (clock.nextTimerInMs() === undefined) await settle();
  await clock.advance(JOURNAL_LIMITS.probeIntervalMs);
  await changed;
}

describe('blob cipher', () => {
  it('opens a blob only for its message and under its key', () => {
    const cipher = new BlobCipher(systemRandom.bytes(32), systemRandom);
    const sealed = cipher.seal('m1', Buffer.from('data'));
    expect(cipher.open('m1', sealed)).toEqual(Buffer.from('data'));
    expect(() => cipher.open('m2', sealed)).toThrow(BlobError);
    expect(() => new BlobCipher(systemRandom.bytes(32), systemRandom).open('m1', sealed)).toThrow(BlobError);
    expect(() => cipher.open('m1', sealed.subarray(0, 20))).toThrow(BlobError);
  });
});

describe('crash point', () => {
  it('reads a kind and a moment, and names the form of anything else', () => {
    expect(parseCrashPoint(undefined)).toBeUndefined();
    expect(parseCrashPoint('authorizing:after')).toEqual({ kind: 'authorizing', moment: 'after' });
    for (const text of ['authorizing', ':after', 'a:now', 'a:after:b']) {
      expect(() => parseCrashPoint(text)).toThrow('<journal kind>:<before|after>');
    }
  });

  it('follows a file that a test writes and removes', () => {
    const file = join(newHome(), 'crash-at');
    const point = parseCrashPoint(`@${file}`);
    expect(point?.kind).toBe('');
    writeFileSync(file, 'authorizing:after');
    expect(point).toMatchObject({ kind: 'authorizing', moment: 'after' });
    rmSync(file);
    expect(point?.kind).toBe('');
  });
});
