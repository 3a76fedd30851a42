import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readToken } from '../access/token.js';
import type { StatusAnswer } from '../cli/agent-client.js';
import { AgentClient } from '../cli/agent-client.js';
import { runCommandLine } from '../cli/main-command.js';
import { loadConfig } from '../config/config.js';
import { TILL_TOKEN_FILE } from '../home/home-files.js';
import { enrolledHome } from '../uplink/enrolled-home.test.support.js';
import { TestGateway } from '../uplink/gateway.test.support.js';
import { readGeneration } from '../uplink/generation.js';
import { type Agent, startAgent } from './agent.js';

const LOG = pino({ level: 'silent' });

let folder: string;
let home: string;
let agent: Agent | undefined;
let gateway: TestGateway;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-home-'));
  home = join(folder, 'agent');
  enrolledHome(home, 'store-1');
  gateway = await TestGateway.listen();
});
afterEach(async () => {
  await stop();
  await gateway.close();
  rmSync(folder, { recursive: true });
});

async function start(journal: object = {}): Promise<AgentClient> {
  const file = join(folder, 'config.yaml');
  writeFileSync(
    file,
    JSON.stringify({ home, port: 0, linkWaitMs: 0, journal, gateway: { bridgeUrl: gateway.url } }),
  );
  agent = await startAgent(loadConfig(file, {}), LOG);
  return new AgentClient({ url: agent.url, token: readToken(join(home, TILL_TOKEN_FILE)) });
}

async function stop(): Promise<void> {
  await agent?.close();
  agent = undefined;
}

const journalOf = async (client: AgentClient): Promise<StatusAnswer['journal']> =>
  (await client.status()).journal;

/** The service's answer to a sale; there is no terminal, so that is its last objection. */
async function objection(client: AgentClient): Promise<string> {
  const call = { reference: 'A', amount: '1.00', currency: 'EUR', type: 'sale' } as const;
  return client.sale(call).then(String, (error: Error) => error.message);
}
const NO_TERMINAL = /terminalId is needed/;

describe('a home and its journal', () => {
  it('sells with a new journal, and with the same one again', async () => {
    expect(await objection(await start())).toMatch(NO_TERMINAL);
    await stop();
    expect(readGeneration(home)).toBe(1);
    const again = await start();
    expect(await objection(again)).toMatch(NO_TERMINAL);
    expect(await journalOf(again)).toMatchObject({ state: 'ready', generation: 1, standing: 'good' });
  });

  it('does not take a lost journal for a new one, until a person decides so and the gateway knows', async () => {
    await start();
    await stop();
    for (const name of readdirSync(home).filter((each) => each.startsWith('journal.db')))
      rmSync(join(home, name));
    const lost = await start();
    expect(await objection(lost)).toMatch(/journal of this home is gone.*restore --from/);
    expect(await journalOf(lost)).toMatchObject({ generation: 1, standing: 'lost' });
    await stop();
    expect(await objection(await start())).toMatch(/is gone/);
    await stop();
    const output = { out: () => undefined, note: () => undefined };
    const parts = { env: {}, output, run: async () => 0 };
    expect(await runCommandLine(['restore', '--as-is', '--home', home], parts)).toBe(0);
    await gateway.close();
    gateway = await TestGateway.listen();
    const renewed = await start();
    expect(await journalOf(renewed)).toMatchObject({ generation: 2, standing: 'unconfirmed' });
    expect(await objection(renewed)).toMatch(/when the gateway has welcomed it/);
    const session = await gateway.session();
    expect((await session.welcome()).body.generation).toBe(2);
    await expect.poll(async () => (await journalOf(renewed)).standing).toBe('good');
    expect(await objection(renewed)).toMatch(NO_TERMINAL);
  });

  it('holds new sales while a required copy cannot be written, and goes on when it can', async () => {
    const keyFile = join(folder, 'copy.key');
    writeFileSync(keyFile, `${'0f'.repeat(32)}\n`, { mode: 0o600 });
    const path = join(folder, 'stick');
    const client = await start({ copy: { path, keyFile, mode: 'required' } });
    await expect.poll(() => objection(client)).toMatch(/copy of the journal is required.*stick/);
    expect((await journalOf(client)).copy).toMatchObject({ mode: 'required', state: 'failed', alarm: true });
    expect((await client.status()).terminals).toEqual([]);
    mkdirSync(path);
    await expect.poll(() => objection(client)).toMatch(NO_TERMINAL);
    expect((await journalOf(client)).copy).toMatchObject({ state: 'in-sync', rowsBehind: 0, alarm: false });
  });

  it('sells without a best-effort copy, and reports how far it is behind', async () => {
    const keyFile = join(folder, 'copy.key');
    writeFileSync(keyFile, `${'0f'.repeat(32)}\n`, { mode: 0o600 });
    const client = await start({ copy: { path: join(folder, 'stick'), keyFile, mode: 'best-effort' } });
    await expect.poll(async () => (await journalOf(client)).copy?.state).toBe('failed');
    expect(await objection(client)).toMatch(NO_TERMINAL);
    expect((await journalOf(client)).copy?.rowsBehind).toBeGreaterThan(0);
  });

  it('does not start with a copy whose key is missing, and states how to make one', async () => {
    const copy = { path: join(folder, 'stick'), keyFile: join(folder, 'no.key') };
    await expect(start({ copy })).rejects.toThrow('tillbridge-agent copy-key');
  });
});

describe('the journal section', () => {
  const problems = (journal: object): string => {
    const file = join(folder, 'config.yaml');
    writeFileSync(file, JSON.stringify({ home, journal }));
    try {
      loadConfig(file, {});
    } catch (error) {
      return (error as Error).message.replaceAll(`${file}: `, '');
    }
    return '';
  };

  it.each<[object, string]>([
    [{ retentionDays: 0 }, 'journal.retentionDays must be days from 1 to 36500, not 0'],
    [{ copies: {} }, 'journal.copies is no known key; expected retentionDays, copy'],
    [
      { copy: { path: '/x', keyFile: '/y', mode: 'sometimes' } },
      'journal.copy.mode must be one of required, best-effort, not "sometimes"',
    ],
    [{ copy: { path: '/x' } }, 'journal.copy.keyFile is missing: expected a path'],
    [
      { copy: { path: '/x', keyFile: '/x/key' } },
      'journal.copy.keyFile lies inside the copy: a thief of the copy would have its key, too',
    ],
  ])('%j: %s', (journal, problem) => {
    expect(problems(journal)).toBe(problem);
  });

  it('keeps rows for 400 days by default', () => {
    const file = join(folder, 'config.yaml');
    writeFileSync(file, JSON.stringify({ home }));
    expect(loadConfig(file, {}).journal).toEqual({ retentionDays: 400 });
  });
});
