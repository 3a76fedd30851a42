import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { expect } from 'vitest';
import { until } from '../clients/http.js';
import { PART_NAMES } from '../stack/options.js';
import type { Restartable } from '../stack/stack.js';
import { stands, type TourContext } from '../tour/tour-context.js';
import type { KillPoint } from './kill-points.js';
import { SETTLE_MS, type TestStack } from './test-stack.js';

/**
 * Kills `part` with SIGKILL at `point`, starts it again, and compares the answer to the till with the acquirer's record:
 * an approved sale stands there exactly once, any other not at all, and nothing stays unknown (P1–P4).
 */
export async function killAt(
  system: TestStack,
  tour: TourContext,
  part: Restartable,
  point: KillPoint,
): Promise<void> {
  await tour.agent.untilGateway('up', SETTLE_MS);
  await tour.begin();
  const request = tour.request('9.99');
  if (point.card) await tour.simulator.present(tour.terminalId, point.card);
  if (point.network) await tour.simulator.network(point.network);
  if (point.network?.state === 'down') await tour.agent.untilGateway('down', SETTLE_MS);
  // The till's call dies with the agent. The till queries the sale afterwards.
  const answered = tour.agent.startSale(request).catch(() => undefined);
  await point.reached(tour, request.reference);
  const shown = await tour.agent.get(request.reference).then(
    ({ body }) => body,
    () => undefined,
  );
  await system.stack.part(part)?.kill();
  await answered;
  await system.stack.restart(part);
  expectNoOtherEnded(system);
  await tour.simulator.network({ state: 'up' });
  const sale = await finalAnswer(tour, request.reference);
  if (shown?.outcome === 'approved') expect(sale?.outcome).toBe('approved');
  await tour.agent.untilQueueEmpty(SETTLE_MS);
  const expected = sale?.outcome === 'approved' ? 1 : 0;
  const rows = await until(`${expected} standing approval(s)`, SETTLE_MS, async () => {
    const standing = (await tour.newRows()).filter(stands);
    return standing.length === expected ? standing : undefined;
  });
  expect(rows.map(({ amount }) => amount)).toEqual(Array(expected).fill('9.99'));
}

/** Killing one process must not end another. */
export function expectNoOtherEnded({ stack }: TestStack): void {
  for (const name of PART_NAMES) {
    const part = stack.part(name);
    expect(part?.running, `${name} has ended: ${part?.lastWords()}`).toBe(true);
  }
}

/** The sale's last answer; undefined when the agent died before it knew of the request. */
async function finalAnswer(tour: TourContext, reference: string): Promise<SaleAnswer | undefined> {
  await tour.agent.untilGateway('up', SETTLE_MS);
  const { status } = await tour.agent.get(reference);
  if (status === 404) return undefined;
  const ended = (sale: SaleAnswer) => sale.state === 'done' && sale.outcome !== null;
  return tour.agent.untilSale(reference, 'ended', SETTLE_MS, ended);
}
