import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { STORE_POLICY_FILE } from '@tillbridge/agent/uplink/store-policy-keeper.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../clients/http.js';
import { AGENT_ID, PROGRAMS, partHome } from '../stack/layout.js';
import { TourContext } from '../tour/tour-context.js';
import { operate, runGateway } from './operator.js';
import { CASE_TIMEOUT_MS, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const CARD = 'maestro-offline-approved';
/** Generous: what is stricter comes from the gateway. */
const RULES = JSON.stringify({
  limits: { EUR: { perSale: '50.00', sum: '1000.00', perCard: '1000.00' } },
  maxPerCard: 100,
});

const run = promisify(execFile);

/** The policy of the store is set at the gateway by a command, while the agent is online, offline, and ended. */
describe('the policy that a gateway sends to a store, by real processes', () => {
  let system: TestStack;
  let tour: TourContext;
  /** The version that the gateway has. */
  let version: number;
  beforeAll(async () => {
    system = await startTestStack('store-policy', undefined, RULES);
    tour = new TourContext(system.stack, 'policy');
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.begin();
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  /** `tillbridge-gateway entity policy`, while the gateway runs; resolves with the version that the policy has then. */
  async function policyVersion(...words: readonly string[]): Promise<number> {
    const { entityId } = system.stack.dev.merchant;
    const policy = await runGateway(system.home, 'entity', 'policy', entityId, ...words);
    return (JSON.parse(policy) as { readonly version: number }).version;
  }
  function setPolicy(perSale: string, maxCount: number): Promise<number> {
    const file = join(system.home, 'policy.json');
    const limits = { EUR: { perSale, sum: '500.00' } };
    writeFileSync(file, JSON.stringify({ offline: { limits, maxCount }, ceilings: { EUR: '900.00' } }));
    return policyVersion('--file', file);
  }

  const versionInForce = async () => (await tour.agent.status()).body.policy.version;
  const untilInForce = () =>
    until(`version ${version} of the policy`, SETTLE_MS, async () =>
      (await versionInForce()) === version ? true : undefined,
    );
  /** Rules for parts of the amount: a prepared home has them, what this file sets leaves them out. */
  const partRules = async () =>
    (await tour.agent.status()).body.policy.values
      .map(({ name }) => name)
      .filter((name) => /^(tip|cashBack)\./.test(name));
  const link = async (state: 'up' | 'down') => {
    await tour.simulator.network({ state });
    await tour.agent.untilGateway(state, SETTLE_MS);
  };
  const restartAgent = async (meanwhile: () => void = () => undefined) => {
    await system.stack.part('agent')?.kill();
    meanwhile();
    await system.stack.restart('agent');
    await tour.agent.untilTerminalsReady(SETTLE_MS);
  };
  const sell = (amount: string) => tour.sell(CARD, tour.request(amount));

  it(
    'that is tightened while the agent is online counts at once, and after a restart without the gateway',
    async () => {
      version = await policyVersion();
      await untilInForce();
      expect(await partRules()).toEqual(['tip.maxPercent', 'cashBack.EUR']);
      version = await setPolicy('20.00', 10);
      await untilInForce();
      expect(await partRules()).toEqual([]);
      await link('down');
      const refused = await sell('20.01');
      expect(refused).toMatchObject({ outcome: 'failed', mode: null });
      expect(refused.cashierText).toContain('the amount is above the limit for one offline sale');
      await restartAgent();
      expect(await versionInForce()).toBe(version);
      expect((await sell('20.01')).outcome).toBe('failed');
      expect(await sell('20.00')).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    },
    CASE_TIMEOUT_MS,
  );

  it(
    'that is tightened while the agent is away counts once it is back, and pays what was sold before',
    async () => {
      const before = version;
      version = await setPolicy('20.00', 1);
      expect(version).toBe(before + 1);
      expect(await versionInForce()).toBe(before);
      await link('up');
      await untilInForce();
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      await tour.untilStanding(1, '20.00');
      await link('down');
      expect(await sell('5.00')).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
      const refused = await sell('5.00');
      expect(refused.cashierText).toContain('too many offline sales of this terminal');
      const { url, token } = system.stack.dev.agent;
      const env = { ...process.env, AGENT_URL: url, AGENT_TOKEN: token };
      const { stdout } = await run(process.execPath, [PROGRAMS.agent, 'status'], { env });
      expect(stdout).toMatch(new RegExp(`^policy +version ${version} of the gateway$`, 'm'));
      expect(stdout).toMatch(/^offline\.maxCount +1 +gateway$/m);
      expect(stdout).toMatch(/^offline\.sum\.EUR +500\.00 +gateway$/m);
    },
    CASE_TIMEOUT_MS,
  );

  it(
    'that is lost lets nothing be sold without the gateway, which sends it anew',
    async () => {
      const file = join(partHome(system.home, 'agent'), STORE_POLICY_FILE);
      await restartAgent(() => writeFileSync(file, 'what is this'));
      const { terminals } = (await tour.agent.status()).body;
      expect(terminals[0]?.offline.reasons).toContain('store-policy-unknown');
      expect((await sell('1.00')).outcome).toBe('failed');
      await link('up');
      await untilInForce();
    },
    CASE_TIMEOUT_MS,
  );

  it('refuses a payment above its ceiling before the terminal prompts for a card', async () => {
    const { status, body } = await tour.agent.sale(tour.request('900.01'));
    expect(status).toBe(403);
    expect(JSON.stringify(body)).toContain('ceiling.EUR is set by the gateway’s policy of the store');
  });

  it('allows no tip and no cash back, which it leaves out and the policy before allowed', async () => {
    for (const part of [{ tip: '0.50' }, { cashBack: '5.00' }]) {
      const { status, body } = await tour.agent.sale(tour.request('10.00', part));
      expect(status).toBe(403);
      expect(JSON.stringify(body)).toContain('is set by the gateway’s policy of the store');
    }
  });

  it(
    'and commands of its operator, whose results come back',
    async () => {
      const { terminalId } = tour;
      const command = async (...words: readonly string[]) =>
        JSON.parse(await operate(system.home, 'command', AGENT_ID, ...words)) as Record<string, unknown>;
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      expect(await command('status')).toMatchObject({
        state: 'done',
        result: {
          status: {
            queueDepth: 0,
            terminals: expect.arrayContaining([expect.objectContaining({ terminalId })]),
          },
        },
      });
      const request = tour.request('2.00');
      expect(await tour.sell(CARD, request)).toMatchObject({ outcome: 'approved' });
      expect(await command('cancel-sale', request.reference)).toMatchObject({
        state: 'refused',
        result: { reasonCode: 'not-cancelled', saleState: 'done', saleOutcome: 'approved' },
      });
      expect(await command('cancel-sale', 'nothing')).toMatchObject({
        state: 'refused',
        result: { reasonCode: 'unknown-reference' },
      });
    },
    CASE_TIMEOUT_MS,
  );
});
