import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-streams-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each(['stdout', 'stderr'] as const)(
  'goes to %s where the configuration states it, and makes no file',
  (target) => {
    const built = (file: string) => JSON.stringify(new URL(`../../dist/${file}`, import.meta.url).href);
    const program = `
    import { logConfig } from ${built('config/program-settings.js')};
    import { createLog } from ${built('log/log.js')};
    createLog('test', logConfig({ level: 'info', target: '${target}', fileMiB: 1, files: 1, days: 1 }, 'log')).info('here');
  `;
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(ended[target]).toContain('"msg":"here"');
    expect(readdirSync(folder)).toEqual([]);
  },
);
