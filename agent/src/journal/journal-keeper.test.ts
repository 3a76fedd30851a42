import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, describe, expect, it } from 'vitest';
import { JOURNAL_LIMITS, type Journal } from './journal.js';
import { JournalKeeper, KEEPER_LIMITS, type KeeperDeps } from './journal-keeper.js';
import { AT, ENGINES, newHome, openFile, row, tidyUp, write } from './testing/engines.test.support.js';
import { tamper } from './testing/tamper.test.support.js';

afterEach(tidyUp);

const DAY_MS = 24 * 3_600_000;

function keeper(journal: Journal, clock: VirtualClock, more: Partial<KeeperDeps> = {}): JournalKeeper {
  const made = new JournalKeeper({
    journal,
    clock,
    retentionDays: 30,
    gatewayNowMs: () => AT,
    confirmedRow: () => Number.MAX_SAFE_INTEGER,
    contactMs: ({ kind, data }) => (kind === 'contact' ? Number(data.timeMs) : undefined),
    carry: ['contact'],
    summarize: (_reference, before, rows) => ({ rows: Number(before?.rows ?? 0) + rows.length }),
    ...more,
  });
  made.start();
  return made;
}

/** Lets one round pass, and everything that it began. */
async function round(clock: VirtualClock, done: () => boolean | Promise<boolean>): Promise<void> {
  await clock.advance(KEEPER_LIMITS.scrubIntervalMs);
  while (!(await done())) {
    await settle();
    if ((clock.nextTimerInMs() ?? Number.POSITIVE_INFINITY) <= KEEPER_LIMITS.stepIntervalMs)
      await clock.advance(KEEPER_LIMITS.stepIntervalMs);
  }
}

const contact = (ageDays: number) => row('contact', '', { data: { timeMs: AT - ageDays * DAY_MS } });

describe.each(Object.entries(ENGINES))('journal keeper: %s', (_name, engine) => {
  it('removes what lies before a contact that is older than the retention, in bounded steps', async () => {
    const { journal } = await engine.create();
    for (let at = 0; at < 60; at += 1)
      await journal.append(write(...Array.from({ length: 10 }, (_, i) => row('accepted', `S${at}-${i}`))));
    await journal.append(write(contact(31), row('accepted', 'young'), contact(2)));
    const clock = new VirtualClock(AT);
    const steps: number[] = [];
    const kept = keeper(journal, clock, { onCompacted: ({ removedRows }) => steps.push(removedRows) });
    await round(clock, () => steps.length === 2);
    await kept.close();
    expect(steps).toEqual([500, 101]);
    expect((await journal.rowsAfter(0, 3)).map(({ kind, reference }) => [kind, reference])).toEqual([
      ['accepted', 'young'],
      ['contact', ''],
      ['checkpoint', ''],
    ]);
    expect(await journal.kept('S0-0')).toMatchObject({ data: { rows: 1 } });
    expect((await journal.verify()).ok).toBe(true);
  });

  it.each<[string, Partial<KeeperDeps>]>([
    ['the gateway was not reached', { gatewayNowMs: () => undefined }],
    ['the gateway keeps no head', { confirmedRow: () => 0 }],
    ['nothing is old enough', { retentionDays: 40 }],
  ])('removes nothing while %s, whatever the clock of this machine shows', async (_why, more) => {
    const { journal } = await engine.create();
    await journal.append({ ...write(row('accepted', 'A')), atMs: AT - 500 * DAY_MS });
    await journal.append(write(contact(31), row('accepted', 'B')));
    const clock = new VirtualClock(AT + 1_000 * DAY_MS);
    let looked = 0;
    const kept = keeper(journal, clock, {
      ...more,
      gatewayNowMs: () => {
        looked += 1;
        return more.gatewayNowMs ? more.gatewayNowMs() : AT;
      },
    });
    await round(clock, () => looked > 0);
    await kept.close();
    expect(looked).toBe(1);
    expect((await journal.rowsAfter(0, 1))[0]?.reference).toBe('A');
  });

  it('names the sale that holds the next row', async () => {
    const { journal } = await engine.create();
    await journal.append({ ...write(row('accepted', 'A')), sale: { reference: 'A', open: true } });
    await journal.append(write(contact(31), row('accepted', 'B')));
    const clock = new VirtualClock(AT);
    const kept = keeper(journal, clock);
    await round(clock, () => kept.heldBy !== undefined);
    await kept.close();
    expect(kept.heldBy).toBe('A');
    expect(journal.head.row).toBe(3);
  });
});

describe('journal keeper on a file', () => {
  it('finds a row that was changed while the agent runs, and the journal takes no more', async () => {
    const home = newHome();
    const journal = await openFile(home);
    for (const reference of ['A', 'B', 'C']) await journal.append(write(row('accepted', reference)));
    await tamper(home, `DROP TRIGGER rows_never_change; UPDATE rows SET reference = 'X' WHERE row = 2`);
    const clock = new VirtualClock(AT);
    const kept = keeper(journal, clock);
    await round(clock, () => journal.state.kind === 'unavailable');
    await kept.close();
    expect(journal.state).toMatchObject({ reason: 'corrupt', detail: expect.stringContaining('row 2') });
    expect(journal.state).toMatchObject({ detail: expect.stringContaining('tillbridge-agent restore') });
    await expect(journal.append(write(row('accepted', 'D')))).rejects.toMatchObject({ reason: 'corrupt' });
  });

  it('verifies a longer journal piece by piece, and begins anew behind its end', async () => {
    const home = newHome();
    const journal = await openFile(home);
    for (let at = 0; at < 12; at += 1) await journal.append(write(row('accepted', `S${at}`)));
    await journal.scrub(5);
    await journal.scrub(5);
    await tamper(home, `DROP TRIGGER rows_never_change; UPDATE rows SET reference = 'X' WHERE row = 3`);
    await journal.scrub(5);
    expect(journal.state.kind).toBe('ready');
    await expect(journal.scrub(5)).rejects.toMatchObject({ reason: 'corrupt' });
  });
});

describe('a damaged page', () => {
  it('that a running agent comes upon ends new writes, with what to do, and its way back is the file', async () => {
    const home = newHome();
    const path = join(home, 'journal.db');
    const clock = new VirtualClock(AT);
    const first = await openFile(home, { clock });
    const data = { text: 'x'.repeat(900) };
    for (let at = 0; at < 300; at += 1) await first.append(write(row('accepted', `S${at}`, { data })));
    await first.close();
    const sound = readFileSync(path);
    const journal = await openFile(home, { clock });
    expect(journal.state.kind).toBe('ready');
    const damaged = Buffer.from(sound);
    damaged.fill(0xff, 20 * 4_096, 60 * 4_096);
    overwrite(path, damaged);
    await expect(journal.verify()).rejects.toMatchObject({ reason: 'corrupt' });
    expect(journal.state).toMatchObject({ reason: 'corrupt', detail: expect.stringContaining('restore') });
    await expect(journal.append(write(row('accepted', 'new')))).rejects.toMatchObject({ reason: 'corrupt' });
    overwrite(path, sound);
    const back = new Promise<void>((resolve) => {
      journal.onState((state) => state.kind === 'ready' && resolve());
    });
    while (clock.nextTimerInMs() === undefined) await settle();
    await clock.advance(JOURNAL_LIMITS.corruptProbeIntervalMs);
    await back;
    expect((await journal.append(write(row('accepted', 'new'))))[0]?.row).toBe(301);
    await expect(journal.append(write(row('accepted', 'S7')))).rejects.toThrow('already journaled');
  });
});

/** Writes into the same file, as a disk that goes bad does: every program that has it open sees it. */
function overwrite(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
}
