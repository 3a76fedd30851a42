import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogFile } from './log-file.js';

const DAY_MS = 86_400_000;
const LIMITS = { maxBytes: 100, files: 2, maxAgeDays: 10 };

let folder: string;
let path: string;
let nowMs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-file-'));
  path = join(folder, 'agent.log');
  // In whole seconds: a file system keeps the times that a test gives a file exactly.
  nowMs = Math.floor(Date.now() / 1_000) * 1_000;
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (limits = LIMITS, more = {}) =>
  openLogFile(
    path,
    (error) => {
      throw error;
    },
    { limits, nowMs: () => nowMs, ...more },
  );
const line = (letter: string, length = 39) => `${letter.repeat(length)}\n`;
const text = (end = '') => readFileSync(`${path}${end}`, 'utf8');
const files = () => readdirSync(folder).sort();
/** What this process has open of the folder (Linux). */
const openFiles = () =>
  readdirSync('/proc/self/fd')
    .map((each) => readlinkOf(`/proc/self/fd/${each}`))
    .filter((each) => each.startsWith(folder));

function readlinkOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // Closed since.
    return '';
  }
}

describe('a file that is full', () => {
  it('is put aside, and only one of two files', () => {
    const file = open();
    for (const letter of ['a', 'b', 'c', 'd', 'e']) file.write(line(letter));
    expect(text()).toBe(line('e'));
    expect(text('.1')).toBe(line('c') + line('d'));
    expect(files()).toEqual(['agent.log', 'agent.log.1']);
  });

  it('is put aside before those that were, as many as are allowed', () => {
    const file = open({ ...LIMITS, files: 4 });
    for (const letter of 'abcdef') file.write(line(letter, 99));
    expect([text(), text('.1'), text('.2'), text('.3')]).toEqual(
      ['f', 'e', 'd', 'c'].map((each) => line(each, 99)),
    );
    expect(files()).toHaveLength(4);
  });

  it('may be exactly as long as the limit', () => {
    const file = open();
    for (const letter of 'ab') file.write(line(letter, 49));
    expect(files()).toEqual(['agent.log']);
    file.write(line('c', 1));
    expect(text('.1')).toBe(line('a', 49) + line('b', 49));
  });

  it('keeps all rotated files where another process has removed the current one', () => {
    const file = open({ ...LIMITS, files: 4 });
    for (const letter of 'abcd') file.write(line(letter, 99));
    rmSync(path);
    for (const letter of 'ef') file.write(line(letter, 99));
    expect([text(), text('.1'), text('.2'), text('.3')]).toEqual(
      ['f', 'e', 'c', 'b'].map((each) => line(each, 99)),
    );
  });

  it('costs none of those aside where no other can be begun', () => {
    const faults: unknown[] = [];
    const file = openLogFile(path, (error) => faults.push(error), { limits: { ...LIMITS, files: 4 } });
    for (const letter of 'abcd') file.write(line(letter, 99));
    // Where the next file would be, there is what cannot be opened.
    mkdirSync(`${path}.next`);
    for (const letter of 'efghij') file.write(line(letter, 99));
    expect([text('.1'), text('.2'), text('.3')]).toEqual(['c', 'b', 'a'].map((each) => line(each, 99)));
    expect(text()).toBe([...'defghij'].map((each) => line(each, 99)).join(''));
    expect(faults).toHaveLength(6);
    rmSync(`${path}.next`, { recursive: true });
    file.write(line('k', 99));
    expect([text(), text('.2')]).toEqual([line('k', 99), line('c', 99)]);
  });

  it('is written on where no other can be begun, and the reason is reported', () => {
    const faults: string[] = [];
    const file = openLogFile(path, ({ message }) => faults.push(message), { limits: LIMITS });
    file.write(line('a', 99));
    rmSync(folder, { recursive: true });
    for (const letter of 'bc') file.write(line(letter, 99));
    expect(faults).toEqual(Array(2).fill(expect.stringContaining('ENOENT')));
    mkdirSync(folder);
  });

  it('is written on where it cannot be put aside, the reason is reported, and nothing stays open', () => {
    const faults: string[] = [];
    const file = openLogFile(path, ({ message }) => faults.push(message), {
      limits: LIMITS,
      nowMs: () => nowMs,
    });
    file.write(line('a', 99));
    // The last one of those aside cannot be removed.
    mkdirSync(`${path}.1`);
    for (const letter of 'bcd') {
      nowMs += 60_000;
      file.write(line(letter, 99));
    }
    expect(faults).toEqual(Array(3).fill(expect.stringContaining(`${path}.1`)));
    expect(text()).toBe([...'abcd'].map((each) => line(each, 99)).join(''));
    if (process.platform === 'linux') expect(openFiles()).toEqual([path]);
  });

  it('is begun anew where there may be one alone', () => {
    const file = open({ ...LIMITS, files: 1 });
    for (const letter of 'ab') file.write(line(letter, 99));
    expect(text()).toBe(line('b', 99));
    expect(files()).toEqual(['agent.log']);
  });

  it('takes a line that is longer than a file may be, alone', () => {
    const file = open();
    file.write(line('a', 300));
    file.write(line('b'));
    expect([text(), text('.1')]).toEqual([line('b'), line('a', 300)]);
  });

  it('is none while it has no line, however long it stood and however long its first line is', () => {
    const file = open();
    nowMs += 11 * DAY_MS;
    file.write(line('a', 300));
    expect([text(), files()]).toEqual([line('a', 300), ['agent.log']]);
  });

  it('counts what an earlier start has written, and another process', () => {
    open().write(line('a', 79));
    const file = open();
    open(LIMITS, { isOnlyWriter: true }).write(line('b', 79));
    expect(text()).toBe(line('a', 79) + line('b', 79));
    file.write(line('c', 10));
    expect(text()).toBe(line('c', 10));
  });
});

describe('a file of two processes', () => {
  const limits = { ...LIMITS, files: 9 };
  const all = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');

  it('is put aside by one of them, and the other goes on with the new one', () => {
    const [one, other] = [open(limits), open(limits)];
    one.write(line('a', 99));
    one.write(line('b', 49));
    // Its own is full, and aside by now.
    other.write(line('c', 49));
    expect([text(), text('.1')]).toEqual([line('b', 49) + line('c', 49), line('a', 99)]);
    other.write(line('d', 49));
    one.write(line('e', 49));
    expect(text()).toBe(line('d', 49) + line('e', 49));
    expect(files()).toEqual(['agent.log', 'agent.log.1', 'agent.log.2']);
  });

  it('loses no line while both write', () => {
    const both = [open({ ...limits, files: 999 }), open({ ...limits, files: 999 })];
    for (let at = 0; at < 200; at += 1) both[(at * 7 + (at >> 2)) % 2]?.write(`${at}\n`.padStart(30, '.'));
    const found = all().match(/\d+(?=\n)/g);
    expect(found).toHaveLength(200);
    expect(new Set(found).size).toBe(200);
  });

  it('is written on while the other one puts it aside, also where that one has ended at it', () => {
    const file = open(limits);
    file.write(line('a', 99));
    writeFileSync(`${path}.next`, '');
    file.write(line('b', 99));
    expect(text()).toBe(line('a', 99) + line('b', 99));
    // Files have times of the system; the injected one is behind by what the test has taken.
    nowMs += 60_000;
    file.write(line('c', 99));
    expect([text(), files()]).toEqual([line('c', 99), ['agent.log', 'agent.log.1']]);
  });
});

describe('the next file of another process', () => {
  it.each([
    [-9_999, false],
    [9_999, false],
    [-10_000, true],
    [10_000, true],
  ])('with a time %i ms from now is taken over: %s', (ms, isTakenOver) => {
    const file = open();
    file.write(line('a', 99));
    writeFileSync(`${path}.next`, '');
    utimesSync(`${path}.next`, (nowMs + ms) / 1_000, (nowMs + ms) / 1_000);
    file.write(line('b', 99));
    expect(text()).toBe(isTakenOver ? line('b', 99) : line('a', 99) + line('b', 99));
  });
});

describe('a symbolic link', () => {
  it('in place of the file stays, and leads to the newest lines', () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(join(elsewhere, 'real.log'), path);
    const file = open();
    for (const letter of 'ab') file.write(line(letter, 99));
    expect(readdirSync(elsewhere).sort()).toEqual(['real.log', 'real.log.1']);
    expect([text(), files()]).toEqual([line('b', 99), ['agent.log', 'elsewhere']]);
  });

  it('that another process has put where the next file begins is not followed', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'as it was');
    symlinkSync(victim, `${path}.next`);
    const file = open();
    for (const letter of 'abc') file.write(line(letter, 99));
    expect(readFileSync(victim, 'utf8')).toBe('as it was');
    expect([text(), text('.1')]).toEqual([line('c', 99), line('b', 99)]);
  });
});

describe('a file that is old', () => {
  const dated = (letter: string) => `{"level":30,"time":${nowMs},"msg":"${letter}"}\n`;

  it('is put aside when its first line is', () => {
    const long = { ...LIMITS, maxBytes: 1_000 };
    open(long).write(dated('a'));
    nowMs += 10 * DAY_MS - 1;
    const file = open(long);
    file.write(dated('b'));
    expect(files()).toEqual(['agent.log']);
    nowMs += 1;
    file.write(dated('c'));
    expect(text()).toBe(dated('c'));
    expect(text('.1').match(/\n/g)).toHaveLength(2);
  });

  it('counts from its opening where its first line has no time', () => {
    writeFileSync(path, 'of another program\n');
    const file = open({ ...LIMITS, maxBytes: 1_000 });
    nowMs += 10 * DAY_MS - 1;
    file.write(dated('a'));
    expect(files()).toEqual(['agent.log']);
    nowMs += 1;
    file.write(dated('b'));
    expect(text()).toBe(dated('b'));
  });

  it('is put aside again when the one after it is', () => {
    const file = open({ ...LIMITS, maxBytes: 1_000 });
    for (const letter of ['a', 'b', 'c']) {
      nowMs += 10 * DAY_MS;
      file.write(dated(letter));
      expect(text()).toBe(dated(letter));
    }
  });

  it('stays where another process puts it aside', () => {
    writeFileSync(`${path}.1`, 'x');
    utimesSync(`${path}.1`, 0, 0);
    open(LIMITS, { isOnlyWriter: true }).write(line('a'));
    expect(files()).toEqual(['agent.log', 'agent.log.1']);
  });

  it('is removed when its last line is, at the start and when another is put aside', () => {
    const limits = { ...LIMITS, files: 9 };
    const aside = (number: number, ageDays: number) => {
      writeFileSync(`${path}.${number}`, 'x');
      utimesSync(`${path}.${number}`, nowMs / 1_000, (nowMs - ageDays * DAY_MS) / 1_000);
    };
    aside(1, 9);
    aside(2, 10);
    aside(9, 0);
    aside(12, 0);
    for (const end of ['1.gz', 'x2']) writeFileSync(`${path}.${end}`, 'of another program');
    utimesSync(`${path}.x2`, 0, 0);
    const file = open(limits);
    expect(files()).toEqual(['agent.log', 'agent.log.1', 'agent.log.1.gz', 'agent.log.x2']);
    nowMs += DAY_MS;
    file.write(line('a', 99));
    file.write(line('b', 99));
    expect(files()).toEqual(['agent.log', 'agent.log.1', 'agent.log.1.gz', 'agent.log.x2']);
    expect(text('.1')).toBe(line('a', 99));
  });
});

it.runIf(process.platform === 'linux')(
  'reports a full disk once, and keeps nothing of the lost lines',
  () => {
    const faults: string[] = [];
    const file = openLogFile('/dev/full', ({ message }) => faults.push(message));
    for (let at = 0; at < 3; at += 1) file.write(line('a'));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/ENOSPC/);
  },
);
