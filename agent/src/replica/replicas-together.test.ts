import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readToken } from '../access/token.js';
import { AgentClient } from '../cli/agent-client.js';
import { runCommandLine } from '../cli/main-command.js';
import { loadConfig } from '../config/config.js';
import { TILL_TOKEN_FILE } from '../home/home-files.js';
import { type Agent, startAgent } from '../run/agent.js';
import { enrolledHome } from '../uplink/enrolled-home.test.support.js';
import { readGeneration } from '../uplink/generation.js';

let folder: string;
const running: Agent[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replicas-'));
});
afterEach(async () => {
  for (const agent of running.splice(0)) await agent.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

async function start(name: string, more: object): Promise<AgentClient> {
  const home = join(folder, name);
  const config = { home, port: 0, gateway: { bridgeUrl: 'ws://127.0.0.1:9/bridge' }, ...more };
  const agent = await startAgent(
    loadConfig(file(`${name}.yaml`, JSON.stringify(config)), {}),
    pino({ level: 'silent' }),
  );
  running.push(agent);
  return new AgentClient({ url: agent.url, token: readToken(join(home, TILL_TOKEN_FILE)) });
}

it('one agent holds the copy of another, which comes back from it into a new home', async () => {
  const port = await reservedPort();
  const secretFile = file('secret', 'a-secret-of-two-replicas\n');
  const keyFile = file('copy.key', `${'3c'.repeat(32)}\n`);
  const caFile = file('ca.pem', TEST_CERTIFICATE);
  const tls = { certificateFile: caFile, keyFile: file('tls.key', TEST_CERTIFICATE_KEY) };
  for (const name of ['left', 'right']) enrolledHome(join(folder, name), name);
  const url = `https://127.0.0.1:${port}`;

  const copy = { url, secretFile, caFile, keyFile, mode: 'required' };
  const right = await start('right', { journal: { copy } });
  await expect.poll(async () => (await right.status()).journal.copy?.state).toBe('failed');

  await start('left', { replica: { port, tls, peers: [{ agentId: 'right', secretFile }] } });
  await expect
    .poll(async () => (await right.status()).journal.copy)
    .toMatchObject({ state: 'in-sync', rowsBehind: 0 });

  const out: string[] = [];
  const notes: string[] = [];
  const parts = {
    env: {},
    output: { out: (text: string) => out.push(text), note: (text: string) => notes.push(text) },
    run: async () => 0,
  };
  const target = join(folder, 'new');
  const args = [
    'restore',
    '--from',
    url,
    '--agent',
    'right',
    '--secret-file',
    secretFile,
    '--ca-file',
    caFile,
  ];
  expect(
    await runCommandLine(['restore', '--from', url, '--key-file', keyFile, '--home', target], parts),
  ).toBe(2);
  expect(notes.join()).toContain('--agent ID');
  expect(await runCommandLine([...args, '--key-file', keyFile, '--home', target, '--json'], parts)).toBe(0);
  expect(JSON.parse(out.join(''))).toMatchObject({ agentId: 'right', generation: 2 });
  expect(readGeneration(target)).toBe(2);
  expect(readToken(join(target, TILL_TOKEN_FILE))).toBe(readToken(join(folder, 'right', TILL_TOKEN_FILE)));

  // The restored agent takes the copy over; the old one, still running, may not write it any more and stops selling.
  const renewed = await start('new', { journal: { copy } });
  await expect.poll(async () => (await renewed.status()).journal.copy?.state).toBe('in-sync');
  const sale = { reference: 'A', amount: '1.00', currency: 'EUR', type: 'sale' } as const;
  await running.splice(0, 1)[0]?.close();
  const old = await start('right', { journal: { copy } });
  await expect.poll(async () => (await old.status()).journal.copy?.state).toBe('taken');
  await expect(old.sale(sale)).rejects.toThrow('restored elsewhere');
});
