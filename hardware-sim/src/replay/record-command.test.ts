import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { decodeTrace } from '@tillbridge/wire/terminals/trace/trace.js';
import { SerialPort } from 'serialport';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TerminalPort } from '../ports/terminal-port.js';
import { RecordingError, type RecordResult, record } from './record-command.js';

const FULL_DISK = '/dev/full';
const hasFullDisk = existsSync(FULL_DISK);
if (!hasFullDisk) console.log(`skipped: a recording on a full disk, because there is no ${FULL_DISK}`);

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'record-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A terminal, the recording, and an agent's port at the other end of it. */
async function standBetween(file: string) {
  let line: BytePipe | undefined;
  const terminal = new TerminalPort(join(home, 'terminal'), (pipe) => {
    line = pipe;
  });
  await terminal.plug();
  if (!line) throw new Error('the terminal has no line');
  const printed: string[] = [];
  let begun: () => void = () => undefined;
  let stop: () => void = () => undefined;
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const path = join(home, 'agent');
  const print = (text: string): void => {
    printed.push(text);
    if (text.startsWith('records')) begun();
  };
  const deviceType = 'VERIFONE_P400';
  const ended: Promise<RecordResult> = record({
    device: terminal.path,
    baudRate: 115_200,
    deviceType,
    path,
    file,
    print,
    stopped,
  });
  await beginning;
  const agent = new SerialPort({ path, baudRate: 115_200 });
  await once(agent, 'open');
  return { terminal, line, agent, printed, stop, ended };
}

/** A port whose line has gone closes, too. */
function closed(port: SerialPort): Promise<void> {
  return new Promise((resolve) => port.close(() => resolve()));
}

/** Sends from one end, and waits for it at the other. */
async function tell(line: BytePipe, agent: SerialPort, text: string): Promise<void> {
  const received = once(agent, 'data');
  await line.write(Buffer.from(text, 'latin1'));
  expect((await received)[0].toString('latin1')).toBe(text);
}

describe.skipIf(process.platform === 'win32')('a recording between an agent and a terminal', () => {
  test('passes everything on, and keeps it masked, wherever the line cut a card number', async () => {
    const file = join(home, 'traces', 'field.jsonl');
    const { terminal, line, agent, stop, ended } = await standBetween(file);
    const forwarded = new Promise<string>((resolve) =>
      line.onData((bytes) => resolve(Buffer.from(bytes).toString('latin1'))),
    );
    agent.write(Buffer.from('card?'));
    expect(await forwarded).toBe('card?');
    await tell(line, agent, '54545454');
    await tell(line, agent, '54545454');
    stop();
    expect(await ended).toEqual({ pieces: 3 });
    await closed(agent);
    await terminal.unplug();
    const { header, events } = decodeTrace(readFileSync(file, 'utf8'));
    expect(header).toMatchObject({ deviceType: 'VERIFONE_P400', transport: 'serial' });
    expect(
      events.map((event) => event.kind === 'bytes' && [event.from, event.bytes.toString('latin1')]),
    ).toEqual([
      ['host', 'card?'],
      ['device', '54545400'],
      ['device', '00005454'],
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('ends when the terminal is unplugged, and reports that', async () => {
    const { terminal, agent, ended } = await standBetween(join(home, 'trace.jsonl'));
    await terminal.unplug();
    expect((await ended).gone).toBeTruthy();
    await closed(agent);
    expect(existsSync(join(home, 'agent'))).toBe(false);
  });

  test.skipIf(!hasFullDisk)('goes on passing when the disk takes nothing more', async () => {
    const { terminal, line, agent, printed, stop, ended } = await standBetween(FULL_DISK);
    await tell(line, agent, 'still here');
    stop();
    await ended;
    await closed(agent);
    await terminal.unplug();
    expect(printed.filter((text) => text.includes('ENOSPC'))).toHaveLength(1);
  });

  test('lets go of the port where it cannot begin', async () => {
    const terminal = new TerminalPort(join(home, 'terminal'), () => undefined);
    await terminal.plug();
    const { path: device } = terminal;
    const path = join(home, 'agent');
    const command = { device, baudRate: 9_600, deviceType: 'MIURA_M020', path, print: () => undefined };
    const stopped = new Promise<void>(() => undefined);
    await expect(record({ ...command, file: home, stopped })).rejects.toThrow('EISDIR');
    const again = new SerialPort({ path: device, baudRate: 9_600 });
    await once(again, 'open');
    await closed(again);
    await terminal.unplug();
    const missing = record({ ...command, device: join(home, 'none'), file: join(home, 'x'), stopped });
    await expect(missing).rejects.toThrow(RecordingError);
  });
});
