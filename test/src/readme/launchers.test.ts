import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';

const PACKAGES = [
  ['agent', 'tillbridge-agent'],
  ['gateway', 'tillbridge-gateway'],
  ['hardware-sim', 'tillbridge-sim'],
] as const;

/** With the folder of what all launchers call. */
const FOLDERS = ['protocol/platform', ...PACKAGES.map(([folder]) => folder)];

/** npm contacts no registry: a name that is not linked must not be looked up there, where anybody may have published it. */
const OFFLINE = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' };

let clone: string;

function run(command: string, ...args: readonly string[]) {
  return new Promise<{ code: number; errors: string }>((resolve) => {
    const child = execFile(command, args, { cwd: clone, env: OFFLINE }, (_error, _out, errors) =>
      resolve({ code: child.exitCode ?? -1, errors }),
    );
  });
}

/** A checkout as git makes it, without anything built; the packages need nothing else to be linked. */
function checkOut(folder: string): void {
  const from = join(ROOT, folder);
  const to = join(clone, folder);
  mkdirSync(to, { recursive: true });
  const { name, version, type, bin, exports } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  writeFileSync(join(to, 'package.json'), JSON.stringify({ name, version, type, bin, exports }));
  cpSync(join(from, 'bin'), join(to, 'bin'), { recursive: true });
}

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'launchers-'));
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ private: true, workspaces: FOLDERS }));
  for (const folder of FOLDERS) checkOut(folder);
  expect(await run('npm', 'install', '--no-audit', '--no-fund')).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(clone, { recursive: true }));

describe('the programs of a checkout that is installed and not built', () => {
  it.each(PACKAGES)('%s: npx %s states what to do', async (_folder, program) => {
    const { code, errors } = await run('npx', program, '--help');
    expect(errors).toContain(`${program} is not built yet: run npm start`);
    expect(code).toBe(2);
  });
});
