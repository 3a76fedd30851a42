import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BlobCipher } from '@tillbridge/agent/journal/blob-cipher.js';
import { SqliteJournal } from '@tillbridge/agent/journal/sqlite-journal.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';

/** Writes twenty sales, removes half of them, and dies at the moment that the test names. */
const PROGRAM = `
const [,, path, moment] = process.argv;
const load = (name) => import(new URL(name, process.env.AGENT_DIST));
const { SqliteJournal } = await load('journal/sqlite-journal.js');
const { BlobCipher } = await load('journal/blob-cipher.js');
const { systemClock } = await load('../../protocol/platform/dist/system-clock.js');
const { systemRandom } = await load('../../protocol/platform/dist/system-random.js');
const crashAt = moment ? { kind: 'checkpoint', moment } : undefined;
const cipher = new BlobCipher(new Uint8Array(32), systemRandom);
const journal = await SqliteJournal.open({ path, cipher, clock: systemClock, crashAt });
const row = (kind, reference) => ({ kind, reference, terminalId: '1', data: {} });
for (let at = 0; at < 20; at += 1) await journal.append({ atMs: 1, rows: [row('accepted', 'S' + at)] });
const summarize = (reference, before, rows) => ({ reference, rows: rows.length });
await journal.compact({ atMs: 2, upToRow: 10, summarize, carry: [] });
await journal.close();
process.exit(0);
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-compaction-'));
  writeFileSync(join(folder, 'compact.mjs'), PROGRAM);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function runUntilItDies(moment: string): Promise<string | null> {
  const dist = pathToFileURL(join(ROOT, 'agent', 'dist', '/')).href;
  const child = spawn(process.execPath, [join(folder, 'compact.mjs'), join(folder, 'journal.db'), moment], {
    stdio: 'ignore',
    env: { ...process.env, AGENT_DIST: dist },
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

describe('kill -9 at a compaction', () => {
  it.each([
    ['before', 'SIGKILL', 0, 20],
    ['after', 'SIGKILL', 10, 21],
    ['', null, 10, 21],
  ])('%s its commit leaves all of it or nothing', async (moment, signal, removedTo, rows) => {
    expect(await runUntilItDies(moment)).toBe(signal);
    const journal = await SqliteJournal.open({
      path: join(folder, 'journal.db'),
      cipher: new BlobCipher(new Uint8Array(32), systemRandom),
      clock: systemClock,
    });
    expect(await journal.verify()).toMatchObject({ ok: true, rows, removedTo });
    for (const reference of ['S0', 'S9', 'S10', 'S19']) {
      const there = (await journal.rowsOf(reference)).length;
      const kept = (await journal.kept(reference)) ? 1 : 0;
      expect(there + kept, reference).toBe(1);
      const again = { kind: 'accepted', reference, terminalId: '1', data: {} };
      await expect(journal.append({ atMs: 3, rows: [again] }), reference).rejects.toThrow('already');
    }
    await journal.close();
  });
});
