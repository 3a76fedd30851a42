import type { Stack } from '../stack/stack.js';
import { TOUR_STEPS } from './steps.js';
import { TourContext } from './tour-context.js';

/** Steps whose record is compared with what the step before them left: the network is cut across two. */
const CONTINUES: ReadonlySet<number> = new Set([5]);

/**
 * Walks through the tour on a running stack and prints each step with its outcome.
 * @returns exit code: 0 when all came out as they must, else 1.
 */
export async function runTour(stack: Stack, out: { write(text: string): unknown }): Promise<number> {
  const tour = new TourContext(stack, `tour-${Date.now().toString(36)}`);
  await tour.agent.untilGateway('up', 30_000);
  let failed = 0;
  for (const [index, step] of TOUR_STEPS.entries()) {
    out.write(`\n${String(index + 1).padStart(2)}. ${step.title}\n`);
    try {
      if (!CONTINUES.has(index)) await tour.begin();
      out.write(`    ok    ${await step.run(tour)}\n`);
    } catch (error) {
      failed += 1;
      out.write(`    WRONG ${error instanceof Error ? error.message : String(error)}\n`);
      await tour.simulator.network({ state: 'up' }).catch(() => undefined);
    }
  }
  out.write(`\ntour: ${TOUR_STEPS.length - failed} of ${TOUR_STEPS.length} steps came out as they must\n`);
  return failed === 0 ? 0 : 1;
}
