import { existsSync, mkdtempSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSerialPipe } from '@tillbridge/agent/ports/serial-pipe.js';
import { openPty, type PtyPipe } from '@tillbridge/hardware-sim/ports/pty.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PROGRAMS, writeConfig } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';

/** Pseudo-terminals that are opened until the number of the dead one comes again; the system gives the lowest that is free. */
const MOST_PTYS = 256;

let home: string;
let simulator: PartProcess | undefined;
const others: PtyPipe[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'killed-simulator-'));
});
afterEach(async () => {
  await simulator?.kill();
  await Promise.all(others.splice(0).map((pty) => pty.close()));
  rmSync(home, { recursive: true });
});

/** Opens lines, as another simulator does, until this device file is most likely in use again, by this process or another. */
function untilTaken(device: string): void {
  while (!existsSync(device) && others.length < MOST_PTYS) others.push(openPty());
}

const { platform } = process;
if (platform !== 'linux')
  console.log(`skipped: paths of a killed simulator, because ${platform} has no /proc`);
it.runIf(platform === 'linux')(
  'a killed simulator leaves no path that leads to the line of another one',
  async () => {
    const config = writeConfig(join(home, 'simulator.yaml'), {
      home,
      port: 0,
      terminals: [{ id: '1001', deviceType: 'GERTEC_PPC930', serial: 'G0001001' }],
    });
    simulator = await startPart({ name: 'simulator', args: [PROGRAMS.simulator, 'run', '--config', config] });
    const [terminal] = simulator.listening.terminals as readonly { readonly path: string }[];
    const path = terminal?.path ?? '';
    const device = realpathSync(path);
    expect(device).toMatch(/^\/dev\/pts\/\d+$/);
    await (await openSerialPipe({ path })).close();

    await simulator.kill();
    expect(readlinkSync(path)).not.toBe('');
    untilTaken(device);
    expect(existsSync(path)).toBe(false);
    await expect(openSerialPipe({ path })).rejects.toThrow(/does not exist/);
  },
);
