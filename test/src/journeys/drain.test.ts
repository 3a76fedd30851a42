import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TillRequest } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { differencesAt } from '../clients/metrics.js';
import type { NetworkState } from '../clients/simulator-client.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const SALES_A_TERMINAL = 100;
/** Sales without a network at the beginning, so that there is a queue to drain while the others come in. */
const BACKLOG = 40;
/** Sales between two changes of the network. */
const SALES_PER_STATE = 4;
/** Sales of the second terminal that the issuer declines later. All are before the network is back, since their card is refused then. */
const DECLINED_LATER: readonly number[] = [5, 10, 15];
/** A cardholder in a hurry. */
const CARDHOLDER_MS = 20;
const DRAIN_MS = 300_000;

/** The card approves below the floor limit by itself, whether there is a network or not: forced offline. */
const RULES = JSON.stringify({
  limits: { EUR: { perSale: '50.00', sum: '1000.00', perCard: '1000.00' } },
  maxCount: 500,
  maxPerCard: 100,
  risk: { floorLimitMinor: 5_000 },
});

/** States of the network between agent and gateway, one after the other: cut, one-way, slow, and up for a while. */
const NETWORK_STATES: readonly NetworkState[] = [
  { state: 'up' },
  { state: 'up', dropAnswers: true },
  { state: 'slow', latencyMs: 60 },
  { state: 'down' },
  { state: 'up' },
  { state: 'slow', latencyMs: 250, dropAnswers: true },
  { state: 'up' },
  { state: 'down' },
];

interface Sold {
  readonly request: TillRequest;
  readonly sale: SaleAnswer;
}

/**
 * Known from other products: while a queue drains over a bad network, new offline sales come in, tills repeat their requests,
 * and one tap is charged twice or more.
 */
describe('a queue that drains while 200 forced-offline sales and their retries come in', () => {
  let system: TestStack;
  let tour: TourContext;
  beforeAll(async () => {
    system = await startTestStack('drain', undefined, RULES, { autoDelayMs: CARDHOLDER_MS });
    tour = new TourContext(system.stack, 'drain');
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.begin();
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  it(
    'charges every sale exactly once, in the order of its terminal',
    async () => {
      const began = performance.now();
      const network = new ChangingNetwork(tour);
      await tour.simulator.network({ state: 'down' });
      await tour.agent.untilGateway('down', SETTLE_MS);
      const terminals = tour.stack.dev.terminals.slice(0, 2).map(({ id }) => id);
      const byTerminal = await Promise.all(terminals.map((id, at) => sellAt(tour, network, id, at)));
      const soldMs = performance.now() - began;
      const waiting = (await tour.agent.queue()).body.depth;
      await tour.simulator.network({ state: 'up' });
      await tour.agent.untilGateway('up', SETTLE_MS);
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      const drainedMs = performance.now() - began - soldMs;
      for (const sold of byTerminal) await expectFinalOutcomes(tour, sold);
      await expectOneChargeEach(tour, byTerminal);
      // It drained while sales came in, and records were sent again whose acknowledgement was lost.
      expect(waiting).toBeLessThan(byTerminal.flat().length - BACKLOG);
      expect(network.unacknowledged).toBeGreaterThan(0);
      process.stdout.write(
        `drain: ${byTerminal.flat().length} sales in ${seconds(soldMs)}, ${network.changes} changes of the network, ` +
          `${network.unacknowledged} records sent again, ${waiting} waiting at the end, drained in ${seconds(drainedMs)}\n`,
      );
    },
    DRAIN_MS,
  );

  it(
    'leaves no difference between payments, stored answers and the acquirer',
    async () => {
      expect(await differencesAt(tour.stack.dev.gateway.url, SETTLE_MS)).toBe(0);
    },
    SETTLE_MS,
  );
});

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Changes the network after every few sales, so that nothing has to wait for time to pass. */
class ChangingNetwork {
  changes = 0;
  /** Records that the acquirer had, and whose acknowledgement the agent did not get before it lost the connection. */
  unacknowledged = 0;
  readonly #tour: TourContext;
  #sales = 0;
  #current: NetworkState = { state: 'down' };
  #running: Promise<void> = Promise.resolve();

  constructor(tour: TourContext) {
    this.#tour = tour;
  }

  /** Counts a sale, and changes the network when it is time. */
  sold(): Promise<void> {
    this.#sales += 1;
    const due = this.#sales >= BACKLOG && this.#sales % SALES_PER_STATE === 0;
    if (due) this.#running = this.#running.then(() => this.#change());
    return this.#running;
  }

  async #change(): Promise<void> {
    const { simulator, agent } = this.#tour;
    if (this.#current.dropAnswers) {
      const [rows, queue] = await Promise.all([this.#tour.newRows(), agent.queue()]);
      this.unacknowledged += Math.max(0, rows.length - (this.#sales - queue.body.depth));
    }
    this.#current = NETWORK_STATES[this.changes % NETWORK_STATES.length] ?? { state: 'up' };
    this.changes += 1;
    await simulator.network(this.#current);
  }
}

/** The sales of one terminal, one after the other, each requested twice at once and some again later. */
async function sellAt(
  tour: TourContext,
  network: ChangingNetwork,
  terminalId: string,
  index: number,
): Promise<readonly Sold[]> {
  const sold: Sold[] = [];
  for (let number = 1; number <= SALES_A_TERMINAL; number += 1) {
    // Each sale has a different amount, which identifies it in the acquirer's record.
    const amount = ((100 + index * SALES_A_TERMINAL + number) / 100).toFixed(2);
    const request = { reference: `D-${terminalId}-${number}`, amount, currency: 'EUR', terminalId };
    const declinedLater = index === 1 && DECLINED_LATER.includes(number);
    await tour.simulator.present(
      terminalId,
      declinedLater ? 'maestro-declined-later' : 'maestro-offline-approved',
    );
    const [first, second] = await Promise.all([tour.agent.sale(request), tour.agent.sale(request)]);
    expect(first.body, JSON.stringify(first.body)).toMatchObject({
      state: 'done',
      outcome: 'approved',
      mode: 'offline-card',
    });
    expect(second.body).toMatchObject({ reference: request.reference, outcome: 'approved' });
    sold.push({ request, sale: first.body });
    const earlier = sold.at(-7);
    if (earlier)
      expect((await tour.agent.sale(earlier.request)).body.reference).toBe(earlier.request.reference);
    await network.sold();
  }
  return sold;
}

/** Every sale is done, and the till gets the same outcome by a query and by a repeated request. */
async function expectFinalOutcomes(tour: TourContext, sold: readonly Sold[]): Promise<void> {
  for (const { request } of sold) {
    const { body } = await tour.agent.get(request.reference);
    expect(body.state).toBe('done');
    expect((await tour.agent.sale(request)).body.outcome).toBe(body.outcome);
  }
}

async function expectOneChargeEach(
  tour: TourContext,
  byTerminal: readonly (readonly Sold[])[],
): Promise<void> {
  const { body: queue } = await tour.agent.queue();
  expect([queue.depth, queue.parked]).toEqual([0, 0]);
  const declined = new Set(queue.lateDeclines.map(({ reference }) => reference));
  expect(declined.size).toBe(DECLINED_LATER.length);
  const all = byTerminal.flat().map(({ request }) => request);
  const rows = await until('all sales in the record of the acquirer', SETTLE_MS, async () => {
    const found = await tour.newRows();
    return found.length >= all.length ? found : undefined;
  });
  const amounts = (of: readonly { readonly amount: string }[]) => of.map(({ amount }) => amount).sort();
  expect(amounts(rows)).toEqual(amounts(all));
  expect(amounts(rows.filter(stands))).toEqual(
    amounts(all.filter(({ reference }) => !declined.has(reference))),
  );
  for (const sold of byTerminal) {
    const { terminalId } = sold[0]?.request ?? {};
    const recorded = rows.filter((row) => row.terminalId === terminalId).map(({ amount }) => amount);
    expect(recorded).toEqual(sold.map(({ request }) => request.amount));
  }
}
