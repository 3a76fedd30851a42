import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Installation } from './installation.js';
import { uninstallAgent } from './uninstall-agent.js';

const ENV = { HOME: '/home/clerk' };

let root: string;
let installation: Installation;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tillbridge-uninstall-'));
  installation = new Installation('user', ENV, root);
  write('unitFile', 'a unit');
  installation.noteMade('unit');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: 'unitFile' | 'configFile', content: string): void {
  const path = installation.path(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const uninstall = () =>
  uninstallAgent(
    { user: true, root },
    { env: ENV, output: { out: () => undefined, note: () => undefined }, exitCodeOf: () => undefined },
  );

it('an agent whose home a person has moved is left alone: its journal may owe money', async () => {
  write('configFile', 'home: /srv/till\n');
  await expect(uninstall()).rejects.toThrow(
    'the configuration names the home /srv/till, which install did not make: whether money is owed there is not known',
  );
  expect(existsSync(installation.path('unitFile'))).toBe(true);

  rmSync(installation.path('configFile'));
  expect(await uninstall()).toBe(0);
  expect(existsSync(installation.path('unitFile'))).toBe(false);
});

it.each(['', 'mode: test\n', 'home: /home/clerk/.local/state/tillbridge-agent\n'])(
  'a configuration of %j has the home of the installation',
  async (content) => {
    write('configFile', content);
    expect(await uninstall()).toBe(0);
  },
);
