import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentClient } from '../clients/agent-client.js';
import { agentCommand, signalDuring } from '../stack/agent-command.js';
import { StartFailure } from '../stack/start-failure.js';
import { BareAgent } from './bare-agent.js';
import { crashVariables } from './crash-journey.js';
import type { CrashAt } from './crash-point-cases.js';
import { SETTLE_MS } from './test-stack.js';

const SIDES = ['before', 'after'] as const;

/** Rows that no sale writes: those of a start and of a restore. */
describe('an agent that dies around the commit of a row about its journal', () => {
  let agent: BareAgent;
  beforeEach(() => {
    agent = new BareAgent();
  });
  afterEach(() => agent.end(), SETTLE_MS);

  async function dieAtStart(at: CrashAt): Promise<void> {
    const failure = await agent.start(crashVariables(at)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartFailure);
    expect(String(failure)).toContain('SIGKILL');
  }

  it.each(SIDES)(
    'opened, %s its commit: a new home is still a new home, with one first row',
    async (side) => {
      await dieAtStart(`opened:${side}`);
      const client = await agent.start();
      expect(await journalOf(client)).toMatchObject({ state: 'ready', row: 1, standing: 'good' });
      await agent.stop();
      await expectVerified(agent);
    },
    SETTLE_MS * 2,
  );

  it.each(SIDES)(
    'standing, %s its commit: a journal that is gone is still missed',
    async (side) => {
      await agent.start();
      await agent.stop();
      for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm'])
        rmSync(join(agent.home, name), { force: true });
      await dieAtStart(`standing:${side}`);
      const client = await agent.start();
      expect(await journalOf(client)).toMatchObject({ row: 2, standing: 'lost' });
      const refused = await client.sale({ reference: 'never', amount: '1.00', currency: 'EUR' });
      expect(refused.status).toBe(503);
      await agent.stop();
      await expectVerified(agent);
    },
    SETTLE_MS * 2,
  );

  it.each([
    ['before', 1, 'good'],
    ['after', 2, 'unconfirmed'],
  ] as const)(
    'restored, %s its commit: the new generation has begun, or nothing has happened',
    async (side, row, standing) => {
      await agent.start();
      await agent.stop();
      const restore = ['restore', '--as-is', '--home', agent.home];
      expect(await signalDuring(restore, crashVariables(`restored:${side}`))).toBe('SIGKILL');
      const client = await agent.start();
      expect(await journalOf(client)).toMatchObject({ row, standing });
      await agent.stop();
      await expectVerified(agent);
      // The same again comes to its end.
      expect(await agentCommand(restore)).toContain('generation');
    },
    SETTLE_MS * 2,
  );
});

async function journalOf(client: AgentClient): Promise<object> {
  return (await client.status()).body.journal;
}

async function expectVerified({ home }: BareAgent): Promise<void> {
  const verified = await agentCommand(['verify', '--json', '--no-gateway', '--home', home]);
  expect(JSON.parse(verified)).toMatchObject({ ok: true });
}
