import { afterAll, beforeAll, describe, it } from 'vitest';
import { TourContext } from '../tour/tour-context.js';
import { CRASH_AMOUNT, dieAgain, dieDuringSale, expectOneTruth } from './crash-journey.js';
import { CRASH_CASES, type CrashCase } from './crash-point-cases.js';
import { expectNoOtherEnded } from './kill-journey.js';
import { CASE_TIMEOUT_MS, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

describe('an agent that dies around the commit of a row', () => {
  let system: TestStack;
  let tour: TourContext;
  beforeAll(async () => {
    system = await startTestStack('crash-points');
    tour = new TourContext(system.stack, 'crash');
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  for (const each of CRASH_CASES) {
    it(nameOf(each), () => sellAndDie(system, tour, each), CASE_TIMEOUT_MS);
  }
});

async function sellAndDie(system: TestStack, tour: TourContext, each: CrashCase): Promise<void> {
  const request = tour.request(CRASH_AMOUNT, each.type ? { type: each.type } : {});
  const shown = await dieDuringSale(system, tour, each, request);
  for (const crash of each.crashes.slice(1)) await dieAgain(system, crash);
  await system.stack.restart('agent');
  expectNoOtherEnded(system);
  await expectOneTruth(tour, request, shown, each.captures ?? 0);
  await each.afterwards?.(tour, request);
}

function nameOf({ crashes, card, type, network }: CrashCase): string {
  const where = network ? ` (${network.dropAnswers ? 'answers lost' : network.state})` : '';
  return `${crashes.join(', then ')}: ${type ?? 'sale'} with ${card}${where}`;
}
