import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TerminalPort } from './terminal-port.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'port-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe.skipIf(process.platform === 'win32')('TerminalPort', () => {
  test('the same path leads to a live line after every plugging; unplugged it is gone', async () => {
    const lines: BytePipe[] = [];
    const port = new TerminalPort(join(home, 'ports', '1001'), (pipe) => lines.push(pipe));
    for (let at = 0; at < 2; at += 1) {
      await port.plug();
      await port.plug();
      const line = lines[at];
      expect(lines).toHaveLength(at + 1);
      const arrived = new Promise<string>((resolve) =>
        line?.onData((bytes) => resolve(Buffer.from(bytes).toString())),
      );
      const host = openSync(port.path, constants.O_RDWR | constants.O_NOCTTY);
      writeSync(host, 'OPN');
      expect(await arrived).toBe('OPN');
      closeSync(host);
      await port.unplug();
      await port.unplug();
      expect(existsSync(port.path)).toBe(false);
      expect(port.plugged).toBe(false);
    }
  });

  test('a line without its link is not plugged in, and plugging in makes the link again', async () => {
    const lines: BytePipe[] = [];
    const port = new TerminalPort(join(home, 'ports', '1001'), (pipe) => lines.push(pipe));
    await port.plug();
    const target = readlinkSync(port.path);
    rmSync(join(home, 'ports'), { recursive: true });
    expect(port.plugged).toBe(false);
    await port.plug();
    expect(port.plugged).toBe(true);
    expect(readlinkSync(port.path)).toBe(target);
    expect(lines).toHaveLength(1);
    await port.unplug();
  });

  test('a link that a killed process left behind is replaced', async () => {
    const path = join(home, '1001');
    symlinkSync('/dev/pts/nowhere', path);
    const port = new TerminalPort(path, () => undefined);
    await port.plug();
    expect(readlinkSync(path)).not.toBe('/dev/pts/nowhere');
    await port.unplug();
  });
});
