import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayProgram } from '@tillbridge/gateway/app/program.js';
import {
  type RunningAcquirerHost,
  startAcquirerHost,
} from '@tillbridge/hardware-sim/hosts/acquirer/run-acquirer-host.js';
import { lockHome } from '@tillbridge/platform/home-lock.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const PAN = '4200000000000000';
let folder: string;
let host: RunningAcquirerHost;
let entity: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'acquirer-try-'));
  vi.stubEnv('GATEWAY_HOME', join(folder, 'gateway'));
  host = await startAcquirerHost({
    host: '127.0.0.1',
    hostNames: [],
    acquirerHost: {
      home: join(folder, 'host'),
      ...{ port: 0, controlPort: 0, dialect: '1987-binary', keyForm: 'tr31', macMethod: 'iso9797Algorithm3' },
    },
    log: { level: 'silent', target: 'stderr' },
  });
  vi.stubEnv(
    'GATEWAY_ACQUIRERS',
    JSON.stringify([{ name: 'EXTERNAL', hosts: host.listening.address, dialect: '1987-binary' }]),
  );
  const { out } = await run('seed', '--json');
  entity = JSON.parse(out).externalMerchant.entityId;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command of the gateway; what it printed and its exit code. */
async function run(...words: string[]): Promise<{ out: string; code: number }> {
  const before = process.exitCode;
  const printed: string[] = [];
  const write = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => printed.push(String(text)) > 0);
  process.exitCode = 0;
  try {
    await gatewayProgram().parseAsync(words, { from: 'user' });
    return { out: printed.join(''), code: Number(process.exitCode) };
  } finally {
    write.mockRestore();
    process.exitCode = before;
  }
}

/** Writes the card of a trial; the path of its file. */
function cardFile(mode = 0o600): string {
  const file = join(folder, 'card.txt');
  writeFileSync(file, `${PAN}\n12/34\n123\n`, { mode });
  return file;
}

const trial = (...words: string[]) => run('acquirer', 'try', 'EXTERNAL', '--entity', entity, ...words);

it('prints each message with its fields masked, a verdict, and leaves nothing to differ', async () => {
  const { out, code } = await trial('--card', cardFile());
  expect(out.trimEnd().split('\n').at(-1)).toBe('verdict: EXTERNAL works: every step passed');
  expect(code).toBe(0);
  expect(out).toMatch(/^sale\n {2}sent .*Z\n {4}MTI message type: 0200/m);
  expect(out).toMatch(/^ {6}2 primary account number: 420000\*{6}0000\n {10}\[digits, up to 19/m);
  expect(out).not.toContain(PAN);
  expect(await run('check')).toMatchObject({ code: 0 });
  const { out: audit } = await run('audit', 'list');
  expect(audit).toContain('acquirer try');
  expect(audit).not.toContain(PAN);
});

it('prints the whole trial as JSON, and exits with 1 where a step fails', async () => {
  const rules = await fetch(`${host.listening.url}/rules`, {
    method: 'PUT',
    body: JSON.stringify([{ responseCode: '05' }]),
    headers: { 'content-type': 'application/json' },
  });
  expect(rules.ok).toBe(true);
  const { out, code } = await trial('--card', cardFile(), '--json', '--amount', '1.00');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    acquirer: 'EXTERNAL',
    amount: '1.00',
    currency: 'EUR',
    verdict: 'failed',
    steps: [
      { step: 'sign-on', outcome: 'passed' },
      { step: 'echo', outcome: 'passed' },
      { step: 'sale', outcome: 'failed', detail: expect.stringContaining('05 (do not honour)') },
      { step: 'reversal', outcome: 'skipped' },
      { step: 'sign-off' },
    ],
  });
});

it('refuses to begin while the gateway of the home runs, and with what cannot be', async () => {
  const file = cardFile();
  const home = join(folder, 'gateway');
  const lock = await lockHome({ home, program: 'gateway', variable: 'GATEWAY_HOME' });
  await expect(trial('--card', file)).rejects.toThrow(/the gateway of .* runs.*: stop it/);
  await lock.release();
  await expect(trial('--card', file, '--amount', '10.01')).rejects.toThrow(/--amount/);
  await expect(trial('--card', file, '--currency', 'XXX')).rejects.toThrow(/--currency/);
  await expect(trial('--card', join(folder, 'none'))).rejects.toThrow(/is missing/);
  await expect(
    run('acquirer', 'try', 'EXTERNAL', '--entity', 'f'.repeat(32), '--card', file),
  ).rejects.toThrow(/there is no entity/);
  rmSync(file);
  await expect(trial('--card', cardFile(0o644))).rejects.toThrow(/chmod 600/);
});
