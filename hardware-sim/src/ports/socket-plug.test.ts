import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BytePipe, PipeClosedError } from '@tillbridge/wire/seams/byte-pipe.js';
import { HID_REPORT_BYTES } from '@tillbridge/wire/seams/report-pipe.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memorySlot } from '../state/state-slot.js';
import { hidPlug, type TcpPortState, tcpPlug } from './socket-plug.js';
import type { TerminalPlug } from './terminal-plug.js';

let home: string;
let plug: TerminalPlug;
let arrived: (line: BytePipe) => void;
const sockets: Socket[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plug-'));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await plug.unplug();
  rmSync(home, { recursive: true });
});

const nextLine = (): Promise<BytePipe> =>
  new Promise((resolve) => {
    arrived = resolve;
  });

async function open(target: string | { host: string; port: number }): Promise<Socket> {
  const socket = typeof target === 'string' ? connect(target) : connect(target);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

describe('a simulated HID device', () => {
  test('carries whole reports, however the bytes come, and is gone while unplugged', async () => {
    const file = join(home, '1.hid');
    plug = hidPlug(file, (line) => arrived(line));
    expect(plug.path).toBe(`unix:${file}`);
    const [line, host] = await Promise.all([nextLine(), plug.plug().then(() => open(file))]);
    const reports: Uint8Array[] = [];
    const two = new Promise<void>((resolve) => {
      line.onData((report) => {
        if (reports.push(Uint8Array.from(report)) === 2) resolve();
      });
    });
    const bytes = Buffer.from(Array.from({ length: 2 * HID_REPORT_BYTES }, (_, at) => at));
    host.write(bytes.subarray(0, 70));
    host.write(bytes.subarray(70));
    await two;
    expect(Buffer.concat(reports)).toEqual(bytes);
    expect(reports.map(({ length }) => length)).toEqual([HID_REPORT_BYTES, HID_REPORT_BYTES]);
    const gone = once(host, 'close');
    await plug.unplug();
    await gone;
    expect(existsSync(file)).toBe(false);
    await expect(line.write(bytes)).rejects.toThrow(PipeClosedError);
  });

  test('is not plugged in without its file, and plugging in makes it again', async () => {
    const file = join(home, '1.hid');
    plug = hidPlug(file, () => undefined);
    await plug.plug();
    rmSync(file);
    expect(plug.plugged).toBe(false);
    await plug.plug();
    expect(plug.plugged).toBe(true);
    await open(file);
  });

  test('moves to the temporary folder, always to the same name, when its path is too long for a socket', async () => {
    const file = join(home, 'a'.repeat(90), '1.hid');
    plug = hidPlug(file, () => undefined);
    expect(hidPlug(file, () => undefined).path).toBe(plug.path);
    await plug.plug();
    await open(plug.path.slice('unix:'.length));
  });
});

describe('a terminal in the network', () => {
  test('keeps its port across restarts; the newest host has the line', async () => {
    const slot = memorySlot<TcpPortState>();
    plug = tcpPlug(slot, (line) => arrived(line));
    await plug.plug();
    const { path } = plug;
    const target = { host: '127.0.0.1', port: Number(path.split(':')[1]) };
    const [, first] = await Promise.all([nextLine(), open(target)]);
    const dropped = once(first, 'close');
    const [line, second] = await Promise.all([nextLine(), open(target)]);
    await dropped;
    const got = once(second, 'data');
    await line.write(Buffer.from('hello'));
    expect(String((await got)[0])).toBe('hello');
    await plug.unplug();
    plug = tcpPlug(slot, () => undefined);
    await plug.plug();
    expect(plug.path).toBe(path);
  });
});
