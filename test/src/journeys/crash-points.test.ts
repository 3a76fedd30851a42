import type { SaleAnswer } from '@tillbridge/agent/sale/answer.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TillRequest } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { StartFailure } from '../stack/part-process.js';
import { stands, TourWorld } from '../tour/tour-world.js';
import { CRASH_CASES, type CrashAt, type CrashCase } from './crash-point-cases.js';
import { expectNoOtherEnded } from './kill-journey.js';
import { startTestStack, type TestStack } from './test-stack.js';

const SETTLE_MS = 60_000;
const CASE_TIMEOUT_MS = 180_000;
const AMOUNT = '9.99';

describe('an agent that dies beside the commit of a row', () => {
  let system: TestStack;
  let world: TourWorld;
  beforeAll(async () => {
    system = await startTestStack('crash-points');
    world = new TourWorld(system.stack, 'crash');
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  for (const each of CRASH_CASES) {
    it(nameOf(each), () => sellAndDie(system, world, each), CASE_TIMEOUT_MS);
  }
});

async function sellAndDie(system: TestStack, world: TourWorld, each: CrashCase): Promise<void> {
  const request = world.request(AMOUNT, each.type ? { type: each.type } : {});
  const heard = await dieDuringSale(system, world, each, request);
  for (const crash of each.crashes.slice(1)) await dieAgain(system, crash);
  await system.stack.restart('agent');
  expectNoOtherEnded(system);
  await expectOneTruth(world, request, heard, each.captures ?? 0);
}

function nameOf({ crashes, card, type, network }: CrashCase): string {
  const where = network ? ` (${network.dropAnswers ? 'answers lost' : network.state})` : '';
  return `${crashes.join(', then ')}: ${type ?? 'sale'} with ${card}${where}`;
}

function crashVariables(at: CrashAt): NodeJS.ProcessEnv {
  return { TILLBRIDGE_CRASH_AT: at };
}

/** Starts an agent that will die, sells until it does; gives the last answer that reached the till about the sale. */
async function dieDuringSale(
  system: TestStack,
  world: TourWorld,
  { crashes, card, network, till }: CrashCase,
  request: TillRequest,
): Promise<SaleAnswer | undefined> {
  await system.stack.part('agent')?.stop();
  await system.stack.restart('agent', crashVariables(crashes[0]));
  await world.agent.untilGateway('up', SETTLE_MS);
  await world.begin();
  await world.simulator.present(world.terminalId, card);
  if (network) await world.simulator.network(network);
  if (network?.state === 'down') await world.agent.untilGateway('down', SETTLE_MS);
  const asked = till(world, request).then(
    ({ body }) => body,
    () => undefined,
  );
  expect(await system.stack.part('agent')?.ended).toBe('signal SIGKILL');
  await world.simulator.network({ state: 'up' });
  return asked;
}

/** Starts the agent to die while it recovers: perhaps before it listens. */
async function dieAgain({ stack }: TestStack, crash: CrashAt): Promise<void> {
  try {
    await stack.restart('agent', crashVariables(crash));
  } catch (error) {
    if (error instanceof StartFailure && error.message.includes('SIGKILL')) return;
    throw error;
  }
  expect(await stack.part('agent')?.ended).toBe('signal SIGKILL');
}

/** What the till heard, what it hears now and hears when it asks again, and what stands at the acquirer are one thing. */
async function expectOneTruth(
  world: TourWorld,
  request: TillRequest,
  heard: SaleAnswer | undefined,
  captures: number,
): Promise<void> {
  await world.agent.untilGateway('up', SETTLE_MS);
  const { status } = await world.agent.get(request.reference);
  const sale = status === 404 ? undefined : await endOf(world, request.reference);
  if (heard?.outcome === 'approved') expect(sale?.outcome).toBe('approved');
  if (sale) {
    const again = await world.agent.sale(request);
    expect(again.body.outcome).toBe(sale.outcome);
  }
  if (captures > 0) {
    expect((await world.agent.capture(request.reference, request.amount)).status).toBe(200);
  }
  await world.agent.untilQueueEmpty(SETTLE_MS);
  expect((await world.agent.queue()).body.parked).toBe(0);
  const expected = sale?.outcome === 'approved' ? 1 : 0;
  const standing = await until(`${expected} standing approval(s)`, SETTLE_MS, async () => {
    const rows = (await world.newRows()).filter(stands);
    return rows.length === expected ? rows : undefined;
  });
  expect(standing.map(({ amount }) => amount)).toEqual(Array(expected).fill(AMOUNT));
  const captured = (await world.newRows()).filter(({ kind, approved }) => kind === 'capture' && approved);
  expect(captured.map(({ amount }) => amount)).toEqual(Array(captures).fill(AMOUNT));
}

function endOf(world: TourWorld, reference: string): Promise<SaleAnswer> {
  const ended = (sale: SaleAnswer) => sale.state === 'done' && sale.outcome !== null;
  return world.agent.untilSale(reference, 'ended', SETTLE_MS, ended);
}
