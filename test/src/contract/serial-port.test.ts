import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PortState, supervisePort } from '@tillbridge/agent/ports/port-supervisor.js';
import { openSerialPipe } from '@tillbridge/agent/ports/serial-pipe.js';
import { openPty, type PtyPipe } from '@tillbridge/hardware-sim/ports/pty.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

let home: string;
let path: string;
const ptys: PtyPipe[] = [];

/** Plugs a fresh device in behind the stable name. */
function plug(): PtyPipe {
  const pty = openPty();
  ptys.push(pty);
  rmSync(path, { force: true });
  symlinkSync(pty.slavePath, path);
  return pty;
}

/** Resolves when so many bytes have come. */
function receive(pipe: BytePipe, length: number): Promise<Buffer> {
  return new Promise((resolve) => {
    let got = Buffer.alloc(0);
    const stop = pipe.onData((bytes) => {
      got = Buffer.concat([got, bytes]);
      if (got.length < length) return;
      stop();
      resolve(got);
    });
  });
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'serial-contract-'));
  path = join(home, 'terminal');
});
afterEach(async () => {
  await Promise.all(ptys.splice(0).map((pty) => pty.close()));
  rmSync(home, { recursive: true, force: true });
});

describe('a serial port on a pseudo-terminal', () => {
  it('carries every byte unchanged, both ways, and again after the agent reopened it', async () => {
    const device = plug();
    for (let round = 0; round < 2; round += 1) {
      const host = await openSerialPipe({ path });
      const atDevice = receive(device, ALL_BYTES.length);
      await host.write(ALL_BYTES);
      expect(await atDevice).toEqual(ALL_BYTES);
      const atHost = receive(host, ALL_BYTES.length);
      await device.write(ALL_BYTES);
      expect(await atHost).toEqual(ALL_BYTES);
      const closed = new Promise<string>((resolve) => host.onClose(resolve));
      await host.close();
      expect(await closed).toBe('closed by this side');
      await expect(host.write(ALL_BYTES)).rejects.toThrow(/closed/);
    }
  });

  it('notices that the device was unplugged and finds the next one behind the same name', async () => {
    const first = plug();
    const supervisor = supervisePort({ clock: systemClock, open: () => openSerialPipe({ path }) });
    const becomes = (kind: PortState['kind']) =>
      new Promise<PortState>((resolve) => {
        if (supervisor.state.kind === kind) resolve(supervisor.state);
        const stop = supervisor.onState((state) => {
          if (state.kind !== kind) return;
          stop();
          resolve(state);
        });
      });
    await becomes('open');
    const lost = becomes('waiting');
    rmSync(path);
    await first.close();
    await lost;
    const second = plug();
    const found = await becomes('open');
    if (found.kind !== 'open') throw new Error('the port is open');
    const atDevice = receive(second, 3);
    await found.pipe.write(Buffer.from([1, 2, 3]));
    expect(await atDevice).toEqual(Buffer.from([1, 2, 3]));
    await supervisor.close();
  });
});
