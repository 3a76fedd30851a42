import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureToken } from '../access/token.js';
import { runCommandLine } from './main-command.js';

let folder: string;
let home: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'support-'));
  home = join(folder, 'agent');
  file = join(folder, 'bundle.txt');
  mkdirSync(home, { mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function bundle() {
  const out: string[] = [];
  const notes: string[] = [];
  const exitCode = await runCommandLine(['support-bundle', '--output', file], {
    env: { TILLBRIDGE_HOME: folder, GATEWAY_BRIDGE_URL: 'ws://127.0.0.1:9/bridge' },
    output: { out: (text) => out.push(text), note: (text) => notes.push(text) },
    run: async () => 0,
  });
  return { exitCode, out: out.join('\n'), notes: notes.join('\n') };
}

const log = (text: string) => writeFileSync(join(home, 'agent.log'), text);

it('writes one file with versions, configuration, doctor, verify and masked logs', async () => {
  ensureToken(home);
  log('{"level":30,"msg":"sale began"}\n{"msg":"4200000000000000"}\n');
  writeFileSync(join(home, 'security.log'), '{"securityEvent":"started"}\n');
  expect(await bundle()).toMatchObject({ exitCode: 0, out: file });
  const text = readFileSync(file, 'utf8');
  const names = [...text.matchAll(/^===== (.*) =====$/gm)].map(([, name]) => name);
  expect(names).toEqual(['versions', 'configuration', 'doctor', 'verify', 'agent.log', 'security.log']);
  expect(text).toContain(process.version);
  expect(text).toContain('"bridgeUrl": "ws://127.0.0.1:9/bridge"');
  expect(text).toContain('there is no journal');
  expect(text).toContain('420000******0000');
  expect(text).toContain('{"securityEvent":"started"}');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(await bundle()).toMatchObject({ exitCode: 2, notes: expect.stringContaining('EEXIST') });
});

it('writes nothing where card data or a secret stand, and names the place', async () => {
  const token = ensureToken(home);
  const passphrase = 'a passphrase of the tills';
  writeFileSync(
    join(home, 'nexo-key.json'),
    JSON.stringify({ identifier: 'store', version: 1, passphrase }, null, 2),
  );
  log(`fine\ncard4200000000000000x\n{"why":"${token}"}\n{"why":"${passphrase}"}\n`);
  const refused = await bundle();
  expect(refused.exitCode).toBe(1);
  expect(refused.notes).toContain('agent.log, line 2, column 5: card number');
  expect(refused.notes).toContain(`agent.log, line 3: content of ${join(home, 'till-token')}`);
  expect(refused.notes).toContain(`agent.log, line 4: content of ${join(home, 'nexo-key.json')}`);
  expect(refused.notes).not.toContain('4200000000000000');
  expect(refused.notes).not.toContain(token);
  expect(existsSync(file)).toBe(false);
});
