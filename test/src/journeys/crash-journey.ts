import { rmSync, writeFileSync } from 'node:fs';
import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { expect } from 'vitest';
import type { TillRequest } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { StartFailure } from '../stack/start-failure.js';
import { stands, type TourContext } from '../tour/tour-context.js';
import type { CrashAt, CrashCase } from './crash-point-cases.js';
import { crashFile, SETTLE_MS, type TestStack } from './test-stack.js';

/** Amount of every sale. */
export const CRASH_AMOUNT = '9.99';

/** The variable of a start that makes the agent die there. */
export function crashVariables(at: CrashAt): NodeJS.ProcessEnv {
  return { TILLBRIDGE_CRASH_AT: at };
}

/** Waits until the agent has died at the crash point that the test wrote for it; its next start has none. */
export async function untilDead({ home, stack }: TestStack): Promise<void> {
  expect(await stack.part('agent')?.ended).toBe('signal SIGKILL');
  rmSync(crashFile(home));
}

/** Sells until the agent dies. Resolves with the last answer that reached the till. */
export async function dieDuringSale(
  system: TestStack,
  tour: TourContext,
  { crashes, card, network, env, till }: CrashCase,
  request: TillRequest,
): Promise<SaleAnswer | undefined> {
  if (env) {
    await system.stack.part('agent')?.stop();
    await system.stack.restart('agent', env);
  }
  await tour.agent.untilGateway('up', SETTLE_MS);
  await tour.begin();
  await tour.simulator.present(tour.terminalId, card);
  if (network) await tour.simulator.network(network);
  if (network?.state === 'down') await tour.agent.untilGateway('down', SETTLE_MS);
  writeFileSync(crashFile(system.home), crashes[0]);
  const answered = till(tour, request).then(
    ({ body }) => body,
    () => undefined,
  );
  await untilDead(system);
  await tour.simulator.network({ state: 'up' });
  return answered;
}

/** Starts the agent to die while it recovers: perhaps before it listens. `env`: further variables of this start. */
export async function dieAgain(
  { stack }: TestStack,
  crash: CrashAt,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  try {
    await stack.restart('agent', { ...crashVariables(crash), ...env });
  } catch (error) {
    if (error instanceof StartFailure && error.message.includes('SIGKILL')) return;
    throw error;
  }
  expect(await stack.part('agent')?.ended).toBe('signal SIGKILL');
}

/** The earlier and the present answers to the till, by a query and by a repeated request, agree with the acquirer's record. */
export async function expectOneTruth(
  tour: TourContext,
  request: TillRequest,
  before: SaleAnswer | undefined,
  captures: number,
): Promise<void> {
  await tour.agent.untilGateway('up', SETTLE_MS);
  const { status } = await tour.agent.get(request.reference);
  const sale = status === 404 ? undefined : await endOf(tour, request.reference);
  if (before?.outcome === 'approved') expect(sale?.outcome).toBe('approved');
  if (sale) {
    const again = await tour.agent.sale(request);
    expect(again.body.outcome).toBe(sale.outcome);
  }
  if (captures > 0) {
    expect((await tour.agent.capture(request.reference, request.amount)).status).toBe(200);
  }
  await tour.agent.untilQueueEmpty(SETTLE_MS);
  expect((await tour.agent.queue()).body.parked).toBe(0);
  const expected = sale?.outcome === 'approved' ? 1 : 0;
  const standing = await until(`${expected} standing approval(s)`, SETTLE_MS, async () => {
    const rows = (await tour.newRows()).filter(stands);
    return rows.length === expected ? rows : undefined;
  });
  expect(standing.map(({ amount }) => amount)).toEqual(Array(expected).fill(CRASH_AMOUNT));
  const captured = (await tour.newRows()).filter(({ kind, approved }) => kind === 'capture' && approved);
  expect(captured.map(({ amount }) => amount)).toEqual(Array(captures).fill(CRASH_AMOUNT));
}

function endOf(tour: TourContext, reference: string): Promise<SaleAnswer> {
  const ended = (sale: SaleAnswer) => sale.state === 'done' && sale.outcome !== null;
  return tour.agent.untilSale(reference, 'ended', SETTLE_MS, ended);
}
