import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PortOpenError } from './port-open-error.js';
import { openSerialPipe } from './serial-pipe.js';

const home = mkdtempSync(join(tmpdir(), 'serial-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('serial pipe', () => {
  it('names a path that does not exist', async () => {
    const path = join(home, 'ttyMISSING');
    const error = await openSerialPipe({ path }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PortOpenError);
    expect(error).toMatchObject({ reason: 'missing', path });
    expect(String(error)).toContain(path);
  });

  it('refuses a file that is no serial port', async () => {
    const path = join(home, 'file');
    writeFileSync(path, 'not a port');
    const error = await openSerialPipe({ path }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PortOpenError);
    expect(String(error)).toContain(path);
  });
});
