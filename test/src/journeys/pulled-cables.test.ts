import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { SimulatorClient } from '../clients/simulator-client.js';
import { ALL_TERMINALS, CASE_TIMEOUT_MS, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

/** The cardholder comes long after the cable was pulled. */
const CARDHOLDER_MS = 60_000;

let system: TestStack;
beforeAll(async () => {
  system = await startTestStack('cables', undefined, undefined, {
    ...ALL_TERMINALS,
    autoDelayMs: CARDHOLDER_MS,
  });
}, SETTLE_MS);
afterAll(() => system?.end(), SETTLE_MS);

it(
  'every model ends truly and is ready again when its cable is pulled while it waits for a card',
  async () => {
    const { agent: access, simulator: control, terminals } = system.stack.dev;
    const agent = new AgentClient(access);
    const simulator = new SimulatorClient(control.url);
    await agent.untilTerminalsReady(SETTLE_MS);
    await Promise.all(
      terminals.map(async ({ id: terminalId, deviceType }) => {
        const reference = `${terminalId}-pulled`;
        await agent.startSale({ reference, amount: '5.00', currency: 'EUR', terminalId });
        await agent.untilSale(reference, 'reading-card', SETTLE_MS, ({ state }) => state !== 'accepted');
        await simulator.unplug(terminalId);
        const sale = await agent.untilSale(reference, 'done', SETTLE_MS, ({ state }) => state === 'done');
        expect(sale.outcome, `${deviceType} ${JSON.stringify(sale)}`).toBe('failed');
        await simulator.plug(terminalId);
      }),
    );
    await agent.untilTerminalsReady(SETTLE_MS);
    expect((await simulator.hostTransactions()).filter(({ amount }) => amount === '5.00')).toEqual([]);
  },
  CASE_TIMEOUT_MS,
);
