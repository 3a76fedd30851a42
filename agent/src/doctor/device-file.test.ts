import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lookAtDeviceFile } from './device-file.js';

it('a port that the system does not let this user look at is there, and may not be used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-ports-'));
  const path = join(folder, 'port');
  try {
    // It leads to itself: a folder of another user fails in the same way, but for root.
    symlinkSync(path, path);
    expect(lookAtDeviceFile(path)).toEqual({ path, exists: true, accessible: false, inGroup: false });
    expect(lookAtDeviceFile(join(folder, 'none'))).toMatchObject({ exists: false });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
