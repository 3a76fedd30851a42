import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { StoryView } from '@tillbridge/gateway/core/payments/story/story-view.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, until } from '../clients/http.js';
import { AGENT_ID } from '../stack/layout.js';
import { namedTestMode } from '../stack/test-mode.js';
import { TourContext } from '../tour/tour-context.js';
import { KILL_POINTS } from './kill-points.js';
import { runGateway } from './operator.js';
import { CASE_TIMEOUT_MS, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

/** Where a sale at a terminal leaves records. */
const SOURCES = ['till', 'terminal', 'agent', 'bridge', 'gateway', 'acquirer', 'webhook'] as const;

let system: TestStack;
let tour: TourContext;
beforeAll(async () => {
  system = await startTestStack('explain');
  tour = new TourContext(system.stack, 'explain');
}, SETTLE_MS * 2);
afterAll(() => system?.end(), SETTLE_MS);

/** A till of its own process: it posts a sale and waits for the answer. */
function startTill(request: object) {
  const { url, token } = system.stack.dev.agent;
  const options = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  };
  const program = `fetch(${JSON.stringify(`${url}/v1/sales`)}, ${JSON.stringify(options)})`;
  return spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
}

/** `GET` of the merchant. */
async function get<T>(path: string, query: Readonly<Record<string, string>>): Promise<T> {
  const { gateway, merchant } = system.stack.dev;
  const parameters = new URLSearchParams({ entityId: merchant.entityId, ...query });
  const { status, body } = await call<T>('GET', `${gateway.url}${path}?${parameters}`, {
    headers: { authorization: `Bearer ${merchant.accessToken}` },
  });
  expect(status).toBe(200);
  return body;
}

const place = (story: StoryView, step: string): number =>
  story.timeline.findIndex((entry) => entry.step === step);

it(
  'a payment whose till, agent and gateway were killed has its whole story, by command and by route',
  async () => {
    const point = KILL_POINTS.find(({ name }) => name.startsWith('when the outcome has become unknown'));
    if (!point?.card || !point.network) throw new Error('no such moment');
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.begin();
    const request = tour.request('9.99');
    await tour.simulator.present(tour.terminalId, point.card);
    await tour.simulator.network(point.network);
    const till = startTill(request);
    await point.reached(tour, request.reference);
    till.kill('SIGKILL');
    await once(till, 'exit');
    await system.stack.part('agent')?.kill();
    await system.stack.part('gateway')?.kill();
    await system.stack.restart('gateway');
    await system.stack.restart('agent');
    await tour.simulator.network({ state: 'up' });
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.agent.untilSale(request.reference, 'ended', SETTLE_MS, ({ state }) => state === 'done');
    await tour.agent.untilQueueEmpty(SETTLE_MS);
    const { payments } = await until('the payment', SETTLE_MS, async () => {
      const found = await get<{ payments: { id: string; referencedId?: string }[] }>('/v1/payments', {
        merchantTransactionId: request.reference,
      });
      return found.payments.length > 0 ? found : undefined;
    });
    const id = payments.find(({ referencedId }) => referencedId === undefined)?.id ?? '';
    const explained = JSON.parse(await runGateway(system.home, 'explain', id, '--json')) as StoryView;
    const shown = await get<StoryView>(`/v1/payments/${id}/timeline`, {});
    for (const story of [explained, shown]) {
      const sources = story.timeline.map(({ source }) => source);
      expect(sources).toEqual(expect.arrayContaining([...SOURCES]));
      const steps = ['accepted', 'authorizing', 'received', 'acquirer', 'event'].map((step) =>
        place(story, step),
      );
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
      expect(steps[0]).toBeGreaterThanOrEqual(0);
      const texts = story.gaps.map(({ text }) => text);
      expect(texts).toEqual(
        expect.arrayContaining([
          expect.stringMatching(
            /^gateway process \w+ ended without a word: last renewed \S+, found gone \S+$/,
          ),
          expect.stringMatching(new RegExp(`^agent ${AGENT_ID} ended \\S+, back \\S+ as another process$`)),
        ]),
      );
      expect(story.linked).toMatchObject([{ id, amount: '9.99' }]);
      expect(story.money.next.map(({ followUp }) => followUp)).toEqual([
        ...['capture', 'refund', 'reversal', 'increment'],
      ]);
    }
    // The route leaves out what needs the right to diagnostics.
    const open = ({ timeline }: StoryView) => timeline.filter(({ source }) => source !== 'security-module');
    expect(open(shown).map(({ step }) => step)).toEqual(open(explained).map(({ step }) => step));
    const text = await runGateway(system.home, 'explain', id, '--no-fetch');
    for (const words of [`Payment ${id}`, 'What happened', 'What is missing', 'accepted by'])
      expect(text).toContain(words);
    expect(namedTestMode() === 'EXTERNAL' || text.includes('INTERNAL')).toBe(true);
  },
  CASE_TIMEOUT_MS,
);
