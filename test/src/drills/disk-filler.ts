import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileRecorder } from '../power-loss/record-run.js';

/** Fills the disk under a process that was started with its variables: no file of it can grow. */
export interface DiskFiller {
  readonly env: NodeJS.ProcessEnv;
  fill(): void;
  empty(): void;
  /** Removes the library. */
  remove(): void;
}

/** Compiles the library of the power-loss tests; a text gives the reason where that is not possible. */
export async function compileFiller(): Promise<DiskFiller | string> {
  const recorder = await compileRecorder();
  if (typeof recorder === 'string') return recorder;
  // The server may run as another user.
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-disk-full-'));
  chmodSync(folder, 0o755);
  const library = join(folder, 'disk-log.so');
  copyFileSync(recorder.library, library);
  chmodSync(library, 0o755);
  recorder.remove();
  const full = join(folder, 'full');
  return {
    env: { LD_PRELOAD: library, DISK_FULL_FILE: full },
    fill: () => writeFileSync(full, ''),
    empty: () => {
      if (existsSync(full)) rmSync(full);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
