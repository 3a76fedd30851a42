import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TillRequest } from '../clients/agent-client.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { untilDead } from './crash-journey.js';
import { ParkedRecord } from './parked-record.js';
import { CASE_TIMEOUT_MS, crashFile, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

/** The store resolves a parked sale, and the gateway's operator retries its message: the till is shown what is charged. */
describe('a parked sale that the store resolves manually', () => {
  let system: TestStack;
  let tour: TourContext;
  let parked: ParkedRecord;
  beforeAll(async () => {
    system = await startTestStack('manual-resolution');
    tour = new TourContext(system.stack, 'manual');
    parked = new ParkedRecord(system, tour);
    await tour.agent.untilGateway('up', SETTLE_MS);
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  const standing = async () => (await tour.newRows()).filter(stands);

  async function network(state: 'up' | 'down'): Promise<void> {
    await tour.simulator.network({ state });
    await tour.agent.untilGateway(state, SETTLE_MS);
  }

  async function expectEnd({ reference }: TillRequest, outcome: string, charged: number): Promise<void> {
    await tour.agent.untilQueueEmpty(SETTLE_MS);
    const sale = await tour.agent.untilSale(reference, outcome, SETTLE_MS, (now) => now.outcome === outcome);
    expect(sale.state).toBe('done');
    expect(await standing()).toHaveLength(charged);
    expect((await tour.agent.queue()).body.parked).toBe(0);
    expect((await tour.agent.status()).body.parked).toEqual([]);
  }

  it(
    'as no sale is never charged afterwards, also after a retry by the operator',
    async () => {
      const request = await parked.park();
      expect((await tour.agent.resolve(request.reference, 'failed', 'paid in cash')).status).toBe(200);
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      expect(await parked.retry()).toBe('refused 700.300.300');
      await expectEnd(request, 'failed', 0);
    },
    CASE_TIMEOUT_MS,
  );

  it(
    'as no sale is reversed where it was charged while the store was away',
    async () => {
      const request = await parked.park();
      await network('down');
      expect(await parked.retry()).toMatch(/^approved/);
      expect(await standing()).toHaveLength(1);
      const resolved = await tour.agent.resolve(request.reference, 'failed', 'paid in cash');
      expect(resolved.body).toMatchObject({ state: 'done', outcome: 'failed' });
      await network('up');
      await expectEnd(request, 'reversed', 0);
    },
    CASE_TIMEOUT_MS,
  );

  it.each([
    ['before', 'withdrawn'],
    ['before', 'cancel-if-unseen'],
    ['after', 'withdrawn'],
    ['after', 'cancel-if-unseen'],
  ] as const)(
    'as approved is not charged again: dies %s the commit of %s',
    async (side, kind) => {
      const request = await parked.park();
      const { reference } = request;
      writeFileSync(crashFile(system.home), `${kind}:${side}`);
      await tour.agent.resolve(reference, 'approved', 'charged elsewhere').catch(() => undefined);
      await untilDead(system);
      await system.stack.restart('agent');
      await tour.agent.untilGateway('up', SETTLE_MS);
      if (side === 'before') await tour.agent.resolve(reference, 'approved', 'charged elsewhere');
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      expect(await parked.retry()).toBe('refused 700.300.300');
      await expectEnd(request, 'approved', 0);
    },
    CASE_TIMEOUT_MS,
  );

  it.each(['approved', 'failed'] as const)(
    'as %s, and is to be tried again, while the gateway is dead: whichever it then does first, the ledgers have what the store stated',
    async (outcome) => {
      const request = await parked.park();
      await system.stack.part('gateway')?.kill();
      await tour.agent.untilGateway('down', SETTLE_MS);
      const messageId = await parked.wantRetry();
      await tour.agent.resolve(request.reference, outcome, 'by the receipt');
      await system.stack.restart('gateway');
      await tour.agent.untilGateway('up', SETTLE_MS);
      const charged = (await parked.tried(messageId)).startsWith('approved');
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      const reversed = charged ? 'reversed' : 'failed';
      await expectEnd(
        request,
        outcome === 'approved' ? 'approved' : reversed,
        outcome === 'approved' && charged ? 1 : 0,
      );
    },
    CASE_TIMEOUT_MS,
  );

  it(
    'as approved stands where it was charged while the store was away',
    async () => {
      const request = await parked.park();
      await network('down');
      expect(await parked.retry()).toMatch(/^approved/);
      await tour.agent.resolve(request.reference, 'approved', 'the acquirer has it');
      await network('up');
      await expectEnd(request, 'approved', 1);
    },
    CASE_TIMEOUT_MS,
  );
});
