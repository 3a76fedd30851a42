import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readEvents } from '@tillbridge/agent/cli/event-reader.js';
import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../clients/http.js';
import { PROGRAMS } from '../stack/layout.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const START_MS = 120_000;
const STEP_MS = 90_000;

/** Small limits, one sale for each card, and deferral of cards whose cardholder was not verified. */
const RULES = JSON.stringify({
  limits: { EUR: { perSale: '50.00', sum: '200.00' } },
  maxPerCard: 1,
  deferred: {
    limits: { EUR: { perSale: '25.00', sum: '50.00' } },
    cards: { NFC_ICC: { device: {}, none: { EUR: '10.00' } }, ICC: ['none'] },
  },
});

const run = promisify(execFile);

/** The network is cut, six cards pay without it in two ways, and three issuers decline when the records arrive. */
describe('sales without a network, by real processes', () => {
  let system: TestStack;
  let tour: TourContext;
  const sold = new Map<string, SaleAnswer>();
  const lateDeclined: SaleAnswer[] = [];
  const listening = new AbortController();

  beforeAll(async () => {
    system = await startTestStack('offline-rules', undefined, RULES);
    tour = new TourContext(system.stack, 'offline');
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.begin();
    await listen();
  }, START_MS);
  afterAll(async () => {
    listening.abort();
    await system?.end();
  }, SETTLE_MS);

  /** Collects the late declines that a till gets as events. */
  async function listen(): Promise<void> {
    const { url, token } = system.stack.dev.agent;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/v1/events`, { headers, signal: listening.signal });
    const body = response.body;
    if (!body) throw new Error('the agent sends no events');
    void (async () => {
      for await (const event of readEvents(body.pipeThrough(new TextDecoderStream()))) {
        if (event.type === 'declined-later')
          lateDeclined.push((JSON.parse(event.data) as { sale: SaleAnswer }).sale);
      }
    })().catch(() => undefined);
  }

  async function sell(card: string, amount: string, how: 'insert' | 'tap' = 'insert'): Promise<SaleAnswer> {
    await tour.simulator.present(tour.terminalId, card, how);
    const { status, body } = await tour.agent.sale(tour.request(amount));
    expect(status).toBe(200);
    return body;
  }

  async function sellWithout(card: string, amount: string, how: 'insert' | 'tap' = 'insert') {
    const sale = await sell(card, amount, how);
    expect(sale, JSON.stringify(sale)).toMatchObject({ state: 'done', outcome: 'approved' });
    sold.set(card, sale);
    return sale;
  }

  /** Runs `tillbridge-agent` as a command. */
  async function cli(...args: string[]): Promise<string> {
    const { url, token } = system.stack.dev.agent;
    const env = { ...process.env, AGENT_URL: url, AGENT_TOKEN: token };
    return (await run(process.execPath, [PROGRAMS.agent, ...args], { env })).stdout;
  }

  /** What the terminal sold, as totals. */
  async function totalled() {
    const { groups } = (await tour.agent.totals('?by=terminal')).body;
    return groups.find(({ key }) => key === tour.terminalId);
  }

  const because = (sale: SaleAnswer) => sale.timeline.at(-1)?.detail ?? '';

  it('are announced as possible before', async () => {
    expect(await cli('status')).toMatch(
      new RegExp(`^terminal ${tour.terminalId} offline-ready: yes, deferred authorizations too$`, 'm'),
    );
  });

  it(
    'are approved by cards, or deferred on the merchant’s risk, and never called the same',
    async () => {
      await tour.simulator.network({ state: 'down' });
      await tour.agent.untilGateway('down', SETTLE_MS);
      const approved = await sellWithout('maestro-offline-approved', '5.00');
      expect(approved).toMatchObject({ mode: 'offline-card', emv: { acType: 'TC', arc: 'Y3' } });
      await sellWithout('maestro-declined-later', '6.00');
      // With a verification by a phone the limit is higher than without one.
      const unverified = await sell('visa-contactless', '12.00', 'tap');
      expect(because(unverified)).toContain('deferral-amount-over-card-rule');
      const tapped = await sellWithout('visa-contactless', '7.00', 'tap');
      expect(tapped).toMatchObject({
        mode: 'offline-deferred',
        emv: { acType: 'ARQC' },
        card: { entryMode: 'NFC_ICC' },
      });
      await sellWithout('visa-tap-declined', '8.00', 'tap');
      const ended = await sellWithout('mastercard-declined', '9.00');
      expect(ended).toMatchObject({ mode: 'offline-deferred', emv: { acType: 'ARQC' } });
      const phone = await sellWithout('visa-phone', '12.00', 'tap');
      expect(phone).toMatchObject({ mode: 'offline-deferred' });
      for (const { receipts } of [tapped, ended, phone]) {
        expect(receipts?.customer).toContain('NOT AUTHORIZED');
        expect(receipts?.customer).not.toMatch(/APPROVED|Approval code/);
      }
    },
    STEP_MS,
  );

  it(
    'stay within the limits, which a restart does not forget',
    async () => {
      const again = await sell('visa-contactless', '7.50', 'tap');
      expect([again.outcome, because(again)]).toEqual([
        'failed',
        expect.stringContaining('card-count-limit-reached'),
      ]);
      const queue = async () => (await tour.agent.queue()).body;
      const apart = await totalled();
      expect(apart).toMatchObject({ approved: { count: 0 }, waiting: { count: 6, amount: '47.00' } });
      const before = await queue();
      expect(before).toMatchObject({ depth: 6, parked: 0, sums: { EUR: '47.00' }, lateDeclines: [] });
      expect(before.limitsLeft.find(({ terminalId }) => terminalId === tour.terminalId)).toMatchObject({
        currency: 'EUR',
        amount: '153.00',
        count: 54,
        deferred: { amount: '14.00', count: 6 },
      });
      await system.stack.part('agent')?.kill();
      await system.stack.restart('agent');
      await tour.agent.untilTerminalsReady(SETTLE_MS);
      const { oldestAgeSeconds: _older, ...rest } = before;
      expect(await queue()).toMatchObject(rest);
      const third = await sell('maestro-offline-approved', '5.50');
      expect(because(third)).toContain('card-count-limit-reached');
      await listen();
    },
    STEP_MS,
  );

  it(
    'reach the acquirer once each when the network is back; a late decline is reported, and nothing else stands',
    async () => {
      await tour.simulator.network({ state: 'up' });
      await tour.agent.untilGateway('up', SETTLE_MS);
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      const rows = await until('six rows of the acquirer', SETTLE_MS, async () => {
        const found = await tour.newRows();
        return found.length >= 6 ? found : undefined;
      });
      const recorded = rows.map(
        ({ kind, amount, approved }) => `${kind} ${amount} ${approved ? 'yes' : 'no'}`,
      );
      expect(recorded).toEqual([
        'advice 5.00 yes',
        'advice 6.00 no',
        'authorization 7.00 yes',
        'authorization 8.00 no',
        'authorization 9.00 no',
        'authorization 12.00 yes',
      ]);
      expect(rows.filter(stands).reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(24);
      expect(await totalled()).toMatchObject({
        approved: { count: 3, amount: '24.00' },
        waiting: { count: 0 },
        lateDeclined: { count: 3, amount: '23.00' },
      });
      for (const card of ['maestro-offline-approved', 'visa-contactless', 'visa-phone']) {
        const { body } = await tour.agent.get(sold.get(card)?.reference ?? '');
        expect(body).toMatchObject({ outcome: 'approved' });
        expect(body.receipts?.customer).toContain('AUTHORIZED LATER');
      }
    },
    STEP_MS,
  );

  it(
    'are reported as late declines, until staff acknowledge them',
    async () => {
      const declined = ['maestro-declined-later', 'visa-tap-declined', 'mastercard-declined'].map(
        (card) => sold.get(card)?.reference ?? '',
      );
      await until('three late declines as events', SETTLE_MS, async () =>
        lateDeclined.length >= declined.length ? true : undefined,
      );
      expect(lateDeclined.map(({ reference, outcome }) => [reference, outcome])).toEqual(
        declined.map((reference) => [reference, 'declined']),
      );
      const { body } = await tour.agent.queue();
      expect(body.lateDeclines.map(({ reference, amount, reason }) => [reference, amount, reason])).toEqual([
        [declined[0], '6.00', 'declined-later'],
        [declined[1], '8.00', 'declined-later'],
        [declined[2], '9.00', 'declined-later'],
      ]);
      expect(lateDeclined[0]?.receipts?.merchant).toContain('DECLINED LATER');
      const [first = '', second = '', third = ''] = declined;
      expect(await cli('queue')).toContain(`DECLINED LATER ${first} 6.00 EUR`);
      expect(await cli('queue', '--acknowledge', first, '--by', 'Tessa')).not.toContain(first);
      expect((await tour.agent.acknowledge(second)).status).toBe(200);
      await system.stack.part('agent')?.kill();
      await system.stack.restart('agent');
      await until('the unacknowledged late decline', SETTLE_MS, async () => {
        const { lateDeclines } = (await tour.agent.queue()).body;
        return lateDeclines.length === 1 && lateDeclines[0]?.reference === third ? true : undefined;
      });
      expect((await tour.agent.get(first)).body.lateDecline).toMatchObject({ acknowledgedBy: 'Tessa' });
      await tour.agent.acknowledge(third);
      expect((await tour.agent.status()).body.queue).toMatchObject({ depth: 0, parked: 0, lateDeclines: 0 });
    },
    STEP_MS,
  );
});
