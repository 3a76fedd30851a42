import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesAt } from '../clients/metrics.js';
import { PART_NAMES } from '../stack/options.js';
import type { Restartable } from '../stack/stack.js';
import { namedTestMode } from '../stack/test-mode.js';
import { TourContext } from '../tour/tour-context.js';
import { killAt } from './kill-journey.js';
import { KILL_POINTS } from './kill-points.js';
import { CASE_TIMEOUT_MS, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

/** With the acquirer's host that one, too. */
const KILLED: readonly Restartable[] =
  namedTestMode() === 'EXTERNAL' ? [...PART_NAMES, 'acquirerHost'] : PART_NAMES;

describe('kill -9', () => {
  let system: TestStack;
  let tour: TourContext;
  beforeAll(async () => {
    system = await startTestStack('kill');
    tour = new TourContext(system.stack, 'kill');
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  describe.each(KILLED)('of the %s', (part) => {
    it.each(KILL_POINTS)('$name', (point) => killAt(system, tour, part, point), CASE_TIMEOUT_MS);
  });

  it(
    'leaves no difference between payments, stored answers and the acquirer',
    async () => {
      expect(await differencesAt(tour.stack.dev.gateway.url, SETTLE_MS)).toBe(0);
    },
    SETTLE_MS,
  );
});
