import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TillRequest } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { agentCommand } from '../stack/agent-command.js';
import { partHome } from '../stack/layout.js';
import { TourContext } from '../tour/tour-context.js';
import { CRASH_AMOUNT, dieAgain, dieDuringSale, expectOneTruth, untilDead } from './crash-journey.js';
import { clockAhead, fastClock } from './fast-clock.js';
import { expectNoOtherEnded } from './kill-journey.js';
import { allowRestored } from './operator.js';
import { ParkedRecord } from './parked-record.js';
import { CASE_TIMEOUT_MS, crashFile, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const SIDES = ['before', 'after'] as const;
/** A day has passed, after which a sale is overdue; the minute of grace after a start passes in two seconds. */
const A_DAY_LATER = fastClock(30, 25);

/** Rows that come after a day of silence, at a contact with the gateway, or at the first one of a new generation. */
describe('an agent that dies around the commit of a row that takes its time', () => {
  let system: TestStack;
  let tour: TourContext;
  let parked: ParkedRecord;
  beforeAll(async () => {
    system = await startTestStack('crash-slow');
    tour = new TourContext(system.stack, 'slow');
    parked = new ParkedRecord(system, tour);
    await tour.agent.untilGateway('up', SETTLE_MS);
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  /** The agent runs again, and sells. */
  async function expectItSells(request = tour.request(CRASH_AMOUNT)): Promise<void> {
    await system.stack.restart('agent');
    expectNoOtherEnded(system);
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.begin();
    const sale = await tour.sell('visa-credit-online', request);
    expect(sale).toMatchObject({ state: 'done', outcome: 'approved' });
    await expectOneTruth(tour, request, sale, 0);
  }

  it.each(SIDES)(
    'contact, %s its commit',
    async (side) => {
      await system.stack.part('agent')?.stop();
      await dieAgain(system, `contact:${side}`);
      await expectItSells();
    },
    CASE_TIMEOUT_MS,
  );

  it.each(SIDES.flatMap((side) => [`day-close:${side}`, `day-close-part:${side}`] as const))(
    '%s the commit of a day close: the same reference again gives the one close',
    async (crash) => {
      await tour.begin();
      await tour.agent.closeDay(`${crash} before`);
      await tour.sell('visa-credit-online', tour.request(CRASH_AMOUNT));
      writeFileSync(crashFile(system.home), crash);
      const lost = tour.agent.closeDay(crash).catch(() => undefined);
      await untilDead(system);
      expect(await lost).toBeUndefined();
      await system.stack.restart('agent');
      await tour.agent.untilGateway('up', SETTLE_MS);
      const { body } = await tour.agent.closeDay(crash);
      expect(body.currencies).toMatchObject([{ currency: 'EUR', net: CRASH_AMOUNT }]);
      expect((await tour.agent.closeDay(crash)).body).toEqual(body);
      expect((await tour.agent.closeDay(`${crash} next`)).body).toMatchObject({
        number: body.number + 1,
        currencies: [],
      });
    },
    CASE_TIMEOUT_MS,
  );

  it.each(SIDES)(
    'countersigned, %s its commit: the next head goes on from the one that is kept',
    async (side) => {
      // A head is due when a sale was journaled since the last one.
      await tour.begin();
      await tour.sell('visa-credit-online', tour.request(CRASH_AMOUNT));
      await system.stack.part('agent')?.stop();
      await dieAgain(system, `countersigned:${side}`);
      await expectItSells();
    },
    CASE_TIMEOUT_MS,
  );

  it.each(SIDES)(
    'overdue, %s its commit: raises an alert for staff, and the sale still ends by itself',
    async (side) => {
      const request = tour.request(CRASH_AMOUNT);
      const lost = { card: 'visa-credit-online', network: { state: 'up', dropAnswers: true } } as const;
      const till = (_: TourContext, sold: TillRequest) => tour.agent.sale(sold);
      await dieDuringSale(system, tour, { ...lost, crashes: ['unknown:after'], till }, request);
      await tour.simulator.network({ state: 'down' });
      await dieAgain(system, `overdue:${side}`, A_DAY_LATER);
      await system.stack.restart('agent');
      const { body } = await tour.agent.get(request.reference);
      expect(body.state).toBe(side === 'after' ? 'parked' : 'unknown');
      await tour.simulator.network({ state: 'up' });
      await expectOneTruth(tour, request, undefined, 0);
    },
    CASE_TIMEOUT_MS,
  );

  it.each(SIDES)(
    'streams, %s its commit: the restored agent is welcomed once more',
    async (side) => {
      await system.stack.part('agent')?.stop();
      const home = partHome(system.home, 'agent');
      await agentCommand(['restore', '--as-is', '--home', home]);
      await allowRestored(system.home);
      await dieAgain(system, `streams:${side}`);
      await expectItSells();
      await until('the journal to be in good standing', SETTLE_MS, async () => {
        const journal = (await tour.agent.status()).body.journal as { readonly standing?: string };
        return journal.standing === 'good' ? true : undefined;
      });
    },
    CASE_TIMEOUT_MS,
  );

  it.each(SIDES)(
    'parked, %s its commit: kept with its reason, and charged once when the gateway takes it after all',
    async (side) => {
      const request = await parked.sellOffline();
      await system.stack.part('agent')?.stop();
      await tour.simulator.network({ state: 'up' });
      // The terminal no longer belongs to the agent, so the gateway cannot take its record.
      const terminals = await parked.register(['9999']);
      await dieAgain(system, `parked:${side}`);
      await system.stack.restart('agent');
      await parked.untilParked();
      expect((await tour.agent.get(request.reference)).body.state).toBe('parked');
      await parked.register(terminals);
      await parked.retry();
      await expectOneTruth(tour, request, undefined, 0);
    },
    CASE_TIMEOUT_MS,
  );

  // The last one: from here on the clocks are ahead.
  it(
    'too-old, before and after its commit: reported as a late decline, never charged',
    async () => {
      const request = await parked.sellOffline();
      await system.stack.part('agent')?.stop();
      await tour.simulator.network({ state: 'up' });
      // A day later by the clocks of both: one alone makes no record too old.
      const later = clockAhead(25);
      await restartGateway(later);
      for (const side of SIDES) await dieAgain(system, `too-old:${side}`, later);
      await system.stack.restart('agent', later);
      await tour.agent.untilGateway('up', SETTLE_MS);
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      // The message states its age: the gateway never authorizes it.
      await expectOneTruth(tour, request, undefined, 0);
      expect((await tour.agent.get(request.reference)).body.outcome).toBe('expired');
      const { lateDeclines } = (await tour.agent.queue()).body;
      expect(lateDeclines.map(({ reference }) => reference)).toEqual([request.reference]);
      await tour.agent.acknowledge(request.reference);
    },
    CASE_TIMEOUT_MS,
  );

  async function restartGateway(variables: NodeJS.ProcessEnv): Promise<void> {
    await system.stack.part('gateway')?.stop();
    vi.stubEnv('NODE_OPTIONS', variables.NODE_OPTIONS);
    try {
      await system.stack.restart('gateway');
    } finally {
      vi.unstubAllEnvs();
    }
  }
});
