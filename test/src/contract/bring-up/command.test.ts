import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { BringUpReport } from '@tillbridge/agent/bring-up/report.js';
import { STEPS } from '@tillbridge/agent/bring-up/steps.js';
import { bringUp } from '@tillbridge/agent/cli/bring-up-command.js';
import { runCommandLine } from '@tillbridge/agent/cli/main-command.js';
import { loadConfig } from '@tillbridge/agent/config/config.js';
import { lockAgentHome } from '@tillbridge/agent/home/home-files.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { decodeTrace } from '@tillbridge/wire/terminals/trace/trace.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LINES } from '../terminals/lines.js';
import { openTerminalHarness, type TerminalHarness } from '../terminals/terminal-harness.js';
import { SCRIPTS } from './walk-through.js';

// The command as a whole, over pseudo-terminals, Unix sockets of HID reports and TCP.

/** A person is slower than the host: what a device answers must not hang on which of both comes first. */
const CARDHOLDER_MS = 150;
let home: string;
let harness: TerminalHarness | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bring-up-'));
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  rmSync(home, { recursive: true });
});

const REPORT = 'report.json';
const folder = (): string => join(home, 'out');
const fileOf = (name: string): string => readFileSync(join(folder(), name), 'utf8');

/** The configuration of an agent with one terminal. */
function configured(terminal: object): string {
  const file = join(home, 'agent.yaml');
  writeFileSync(
    file,
    JSON.stringify({ home: join(home, 'agent'), terminals: [{ id: '1001', ...terminal }] }),
  );
  return file;
}

/** A simulated terminal whose line is free, and the configuration that names it. */
async function simulated([deviceType, transport, maker]: (typeof LINES)[number]): Promise<string> {
  harness = await openTerminalHarness(maker, { wire: 'real', transport, cardholderMs: CARDHOLDER_MS });
  await harness.driver.close();
  return configured({ deviceType, transport, path: harness.plug.path });
}

/** The person at the device, who follows the notes. */
function follow(note: string, scripts = SCRIPTS): void {
  if (!harness) return;
  const { plug, cardholder } = harness;
  const step = STEPS.find(({ name }) => note.trimStart().startsWith(`${name}:`))?.name;
  if (step) cardholder.follow(scripts[step] ?? {});
  if (step === 'unplug') setImmediate(() => void plug.unplug());
  if (note.includes('Plug the terminal in')) void plug.plug();
}

async function run(line: string, onNote: (note: string) => void = follow) {
  const out: string[] = [];
  const notes: string[] = [];
  const note = (text: string): void => {
    notes.push(text);
    onNote(text);
  };
  const output = { out: (text: string) => void out.push(text), note };
  const exitCode = await runCommandLine(line.split(' '), { env: {}, output, run: async () => 0 });
  return { exitCode, out: out.join('\n'), notes: notes.join('\n') };
}

const windows = process.platform === 'win32';
if (windows) console.log('skipped: bring-up on real lines, because Windows has no pseudo-terminals');
describe.skipIf(windows).each(LINES)('%s over %s', (...line) => {
  test('walks every step without a difference, and writes report and trace', async () => {
    const config = await simulated(line);
    const ended = await run(`bring-up --terminal 1001 --yes --config ${config} --output ${folder()}`);
    expect(ended).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('9 steps walked\nno difference to the simulated device'),
    });
    const report: BringUpReport = JSON.parse(fileOf(REPORT));
    expect(report).toMatchObject({ terminalId: '1001', deviceType: line[0], missing: [], differences: [] });
    expect(fileOf('report.md')).toContain('## Differences: 0');
    const { header, events } = decodeTrace(fileOf('trace.jsonl'));
    expect(header).toMatchObject({ deviceType: line[0], transport: line[1] });
    expect(events.at(-1)?.kind).toBe('closed');
    for (const name of [REPORT, 'report.md', 'trace.jsonl']) {
      expect(statSync(join(folder(), name)).mode & 0o777, name).toBe(0o600);
      // Without the zeros that fill a report up: behind a byte that happens to be 42 they look like a test card.
      const content = fileOf(name).replaceAll(/(?:00)+"/g, '"');
      for (const { pan } of Object.values(TEST_CARDS)) expect(content, name).not.toContain(pan);
    }
  });
});

describe.skipIf(windows)('bring-up', () => {
  const [serial] = LINES;
  if (!serial) throw new Error('no line');

  test('exits 1 and names the difference', async () => {
    const config = await simulated(serial);
    const scripts = { ...SCRIPTS, tap: { cards: [{ card: 'visa-tap-magstripe' }] } };
    const { exitCode, out } = await run(
      `bring-up --terminal 1001 --yes --config ${config} --output ${folder()}`,
      (note) => follow(note, scripts),
    );
    expect(exitCode).toBe(1);
    expect(out).toContain('tap: entry mode: NFC_MAGSTRIPE; the simulated device: NFC_ICC');
    expect(fileOf('report.md')).toContain('| tap | entry mode | NFC_ICC | NFC_MAGSTRIPE |');
  });

  test('states which steps work with a private card, before the walk and at each step', async () => {
    const config = loadConfig(await simulated(serial), {});
    const input = new PassThrough();
    input.end('s\n'.repeat(STEPS.length));
    const notes: string[] = [];
    const output = { out: () => {}, note: (text: string) => void notes.push(text) };
    const person = { input, interrupted: new AbortController().signal };
    await bringUp(config, { terminal: '1001', output: folder() }, output, person);
    expect(notes[0]).toContain(
      'Without a card: identify, display, cancel, unplug. With a private card: chip, tap, decline.',
    );
    expect(notes[0]).toContain('With a test card alone: swipe, pin.');
    const about = (step: string) => notes.find((note) => note.startsWith(`\n${step}:`));
    expect(about('tap')).toContain('A private card works, too');
    expect(about('pin')).toContain('A private card does not work: never enter a private PIN.');
    expect(about('cancel')).not.toContain('private');
  });

  test('asks before each step, and skips what is left when its input ends', async () => {
    const config = loadConfig(await simulated(serial), {});
    const input = new PassThrough();
    input.end('\n\ny\ns\n');
    const notes: string[] = [];
    const output = { out: () => {}, note: (text: string) => void notes.push(text) };
    const person = { input, interrupted: new AbortController().signal };
    expect(await bringUp(config, { terminal: '1001', output: folder() }, output, person)).toBe(0);
    const report: BringUpReport = JSON.parse(fileOf(REPORT));
    expect(report.walked.map(({ step }) => step)).toEqual(['identify', 'display']);
    expect(notes.join('\n')).toContain('Did the terminal show "BRING-UP"?');
  });

  test('writes the report of what was walked when Ctrl-C ends it', async () => {
    const config = loadConfig(await simulated(serial), {});
    const ending = new AbortController();
    const reports: BringUpReport[] = [];
    const output = {
      out: () => {},
      note: (text: string) => {
        if (text.startsWith('tap:')) reports.push(JSON.parse(fileOf(REPORT)));
        if (text.startsWith('tap:')) setImmediate(() => ending.abort());
        else follow(text);
      },
    };
    const options = { terminal: '1001', output: folder(), yes: true };
    const person = { input: new PassThrough(), interrupted: ending.signal };
    expect(await bringUp(config, options, output, person)).toBe(1);
    const missing = ['swipe', 'pin', 'decline', 'cancel', 'unplug'].map((step) => ({
      step,
      why: 'not reached',
    }));
    expect(reports).toMatchObject([{ missing: [{ step: 'tap', why: 'not reached' }, ...missing] }]);
    const report: BringUpReport = JSON.parse(fileOf(REPORT));
    expect(report).toMatchObject({ missing: [{ step: 'tap', why: 'interrupted' }, ...missing] });
    expect(report.walked.map(({ step }) => step)).toEqual(['identify', 'display', 'chip']);
    expect(fileOf('report.md')).toContain('- missing steps: tap (interrupted), swipe (not reached)');
    expect(decodeTrace(fileOf('trace.jsonl')).events.at(-1)?.kind).toBe('closed');
  });

  test('refuses while an agent runs on the home', async () => {
    const config = configured({ deviceType: 'MIURA_M020', transport: 'tcp', path: '127.0.0.1:1' });
    const lock = await lockAgentHome(join(home, 'agent'));
    const { exitCode, notes } = await run(`bring-up --terminal 1001 --yes --config ${config}`);
    await lock.release();
    expect({ exitCode, notes }).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('stop it first'),
    });
  });

  test('refuses a folder that cannot be written before anybody walks', async () => {
    const config = configured({ deviceType: 'MIURA_M020', transport: 'tcp', path: '127.0.0.1:1' });
    expect(await run(`bring-up --terminal 1001 --config ${config} --output ${config}`)).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('cannot be written'),
    });
  });

  test('refuses a terminal that is not configured, and a call without one', async () => {
    const config = configured({ deviceType: 'MIURA_M020', transport: 'tcp', path: '127.0.0.1:1' });
    expect(await run(`bring-up --terminal 7 --config ${config}`)).toMatchObject({
      exitCode: 2,
      notes: 'terminal 7 is not configured; configured: 1001',
    });
    expect(await run(`bring-up --config ${config}`)).toMatchObject({ exitCode: 2 });
  });
});
