import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { call } from '../clients/http.js';
import { ParkedRecord } from '../journeys/parked-record.js';
import { SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { TourContext } from '../tour/tour-context.js';
import { expectAccessible, openPanel, type PanelPage } from './panel-page.js';
import { StorePanel } from './store-panel.js';

/** Within this time a cut network is shown, in milliseconds. */
const SHOWN_WITHIN_MS = 2_000;

/** The least size of amount and answer, in CSS pixels. */
const LARGE_PX = 32;

const START_MS = 240_000;
const STEP_MS = 180_000;

const browser = await browserOrReason();
const reason = typeof browser === 'string' ? ` (no browser: ${browser})` : '';

/** Staff works with the panel of the store in a real browser; no card presents itself. */
describe.skipIf(typeof browser === 'string')(`the store panel${reason}`, () => {
  let system: TestStack;
  let context: TourContext;
  let first: PanelPage;
  let panel: StorePanel;
  let token: string;

  const tour = () => context.terminalId;
  const answer = () => panel.answer(tour());

  beforeAll(async () => {
    if (typeof browser === 'string') return;
    system = await startTestStack('store-panel', undefined, 'on', { auto: false });
    context = new TourContext(system.stack, 'panel');
    await context.agent.untilGateway('up', SETTLE_MS);
    await context.begin();
    token = await newTill('front-1', ['sell', 'refund', 'resolve', 'report']);
    first = await openPanel(browser, system.stack.dev.agent.url);
    panel = new StorePanel(first.page);
  }, START_MS);
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close();
    await system?.end();
  }, SETTLE_MS);

  async function newTill(id: string, rights: readonly string[]): Promise<string> {
    const { url, token: store } = system.stack.dev.agent;
    const headers = { authorization: `Bearer ${store}`, 'content-type': 'application/json' };
    const made = await call<{ readonly token: string }>('POST', `${url}/v1/tills`, {
      headers,
      body: JSON.stringify({ id, rights }),
    });
    return made.body.token;
  }

  /** Sells by clicks: the card is given at the prompt of the terminal, then the PIN, and is taken out after the answer. */
  async function sell(keys: readonly string[], card: string, outcome: string, pin?: string): Promise<void> {
    await panel.start(tour(), keys);
    await panel.untilShown(tour(), 'Waiting for the card');
    await pay(card, outcome, pin);
  }

  async function pay(card: string, outcome: string, pin?: string): Promise<void> {
    await context.simulator.present(tour(), card);
    if (pin !== undefined) {
      await panel.untilShown(tour(), 'enters the PIN');
      await context.simulator.pin(tour(), pin);
    }
    await panel.untilShown(tour(), outcome);
    await context.simulator.remove(tour());
  }

  async function network(state: 'up' | 'down'): Promise<void> {
    await context.simulator.network({ state });
    await first.page.getByText(state === 'up' ? 'Gateway connected' : 'No gateway').waitFor();
  }

  it(
    'signs staff in with the token of their till, and never shows it',
    async () => {
      const { page } = first;
      await expectAccessible(page);
      await page.getByLabel('Token').fill('no-token-of-this-store');
      await panel.button('Sign in').click();
      await page.getByText('This token is not known here.').waitFor();
      await panel.signIn(token);
      await page.getByText('Signed in as till front-1').waitFor();
      expect(await page.content()).not.toContain(token);
      expect(page.url()).not.toContain(token);
      expect(await page.evaluate('JSON.stringify(localStorage)')).toBe('{}');
    },
    STEP_MS,
  );

  it(
    'sells by clicks, with amount and answer large, and names the till in the journal',
    async () => {
      const { page } = first;
      await expectAccessible(page);
      await panel.start(tour(), ['1', '2', '3', '4']);
      await panel.untilShown(tour(), 'Waiting for the card');
      const card = panel.terminal(tour());
      const sizeOf = (text: string) =>
        card.getByText(text).evaluate((element) => {
          const page = globalThis as unknown as { getComputedStyle(of: unknown): { fontSize: string } };
          return Number.parseFloat(page.getComputedStyle(element).fontSize);
        });
      expect(await sizeOf('€12.34')).toBeGreaterThanOrEqual(LARGE_PX);
      await expectAccessible(page);
      await pay('visa-credit-online', 'Approved: €12.34.');
      expect(await sizeOf('Approved: €12.34.')).toBeGreaterThanOrEqual(LARGE_PX);
      await card.getByText('Thank you, the payment went through.').waitFor();
      await expectAccessible(page);
      const open = panel.card('Last sales').getByRole('button').first();
      const reference = ((await open.getAttribute('aria-label')) ?? '').replace('Open sale ', '');
      expect((await context.agent.get(reference)).body).toMatchObject({
        till: 'front-1',
        outcome: 'approved',
      });
    },
    STEP_MS,
  );

  it(
    'cancels a running sale, which a second browser sees as well',
    async () => {
      if (typeof browser === 'string') return;
      const second = await openPanel(browser, system.stack.dev.agent.url);
      const other = new StorePanel(second.page);
      await other.signIn(token);
      await other.choose(tour());
      await panel.start(tour(), ['5', '00']);
      await other.untilShown(tour(), 'Waiting for the card');
      await other.terminal(tour()).getByText('€5.00').waitFor();
      await other.terminal(tour()).getByRole('button', { name: 'Cancel the sale' }).click();
      await panel.untilShown(tour(), 'Cancelled. Nothing was charged.');
      await other.untilShown(tour(), 'Cancelled. Nothing was charged.');
      expect(second.faults).toEqual([]);
      await second.page.close();
    },
    STEP_MS,
  );

  it(
    'enters the approval code that an issuer gave on the phone',
    async () => {
      await sell(['6', '00'], 'visa-referral', 'Not approved: the issuer of the card wants a call.');
      await panel.terminal(tour()).getByRole('button', { name: 'Enter the approval code' }).click();
      await panel.button('Enter approval code').click();
      await expectAccessible(first.page);
      const dialog = panel.dialog('Approval code of the issuer');
      await dialog.getByLabel('Approval code').fill('A1B2C3');
      await dialog.getByRole('button', { name: 'Enter it' }).click();
      await panel.untilShown(tour(), 'Approved: €6.00.');
      // The event may be quicker than the answer that ends the dialog.
      await dialog.waitFor({ state: 'hidden' });
      await panel.button('Close').click();
    },
    STEP_MS,
  );

  it(
    'shows a receipt again, refunds and reverses, each after a confirmation',
    async () => {
      const { page } = first;
      await sell(['2', '00'], 'visa-credit-online', 'Approved: €2.00.');
      await panel.terminal(tour()).getByRole('button', { name: 'Details and receipt' }).click();
      await expectAccessible(page);
      await panel.button('Receipt').last().click();
      await panel
        .dialog(/^Receipt/)
        .getByText('*** DUPLICATE ***')
        .waitFor();
      await expectAccessible(page);
      await panel.button('Back').click();
      await panel.button('Refund').click();
      await expectAccessible(page);
      await panel.dialog().getByLabel('Amount in EUR').fill('0.50');
      await panel.button('Refund €0.50').click();
      await panel.untilShown(tour(), 'Approved: €0.50 is given back.');

      await sell(['3', '00'], 'visa-credit-online', 'Approved: €3.00.');
      await panel.terminal(tour()).getByRole('button', { name: 'Details and receipt' }).click();
      await panel.button('Reverse').click();
      await expectAccessible(page);
      await panel.button('Reverse it').click();
      await panel.dialog().getByText('Reversed', { exact: true }).waitFor();
      await panel.dialog().getByText('What happened').click();
      await panel.dialog().getByText('reversed-by-till (till front-1)').first().waitFor();
      await panel.button('Close').click();
    },
    STEP_MS,
  );

  it(
    'shows a cut network within two seconds, and counts the offline sale',
    async () => {
      const cutAt = performance.now();
      await network('down');
      const shownMs = performance.now() - cutAt;
      console.log(`store panel: a cut network is shown after ${Math.round(shownMs)} ms`);
      expect(shownMs).toBeLessThan(SHOWN_WITHIN_MS);
      await sell(['9', '5', '0'], 'maestro-declined-later', 'Approved offline by the card: €9.50.', '8642');
      const offline = panel.card('Offline sales');
      await offline.getByText('€9.50', { exact: true }).waitFor();
      await offline.getByRole('meter', { name: 'Number of offline sales' }).waitFor();
      expect((await context.agent.queue()).body).toMatchObject({ depth: 1, sums: { EUR: '9.50' } });
      await panel
        .card('Link')
        .getByRole('img', { name: /^Link: \d+ interruption/ })
        .waitFor();
      await expectAccessible(first.page);
    },
    STEP_MS,
  );

  it(
    'lists a late decline until it is acknowledged',
    async () => {
      await network('up');
      const todo = panel.card('To do');
      await todo.getByText('€9.50 declined later').waitFor();
      await todo.getByRole('button', { name: /^Acknowledge/ }).click();
      await expectAccessible(first.page);
      await panel.button('I have taken note').click();
      await todo.getByText('Nothing to do.').waitFor();
      expect((await context.agent.queue()).body.lateDeclines).toEqual([]);
      const late = (await context.agent.status()).body;
      expect(late.queue.lateDeclines).toBe(0);
      await answer().filter({ hasText: 'Declined later: €9.50 was not received.' }).waitFor();
    },
    STEP_MS,
  );

  it(
    'has a parked sale resolved by staff, under the name of their till',
    async () => {
      await network('down');
      await sell(['4', '00'], 'maestro-offline-approved', 'Approved offline by the card: €4.00.', '7531');
      await new ParkedRecord(system, context).parkWaiting();
      const todo = panel.card('To do');
      await todo.getByRole('button', { name: /^Resolve/ }).click();
      await expectAccessible(first.page);
      await panel.dialog().getByLabel('How you found out').fill('paid in cash');
      await panel.button('Resolve as failed').click();
      await todo.getByText('Nothing to do.').waitFor();
      const [parked] = (await context.agent.queue()).body.items;
      expect(parked?.state).not.toBe('parked');
      await panel.card('Last sales').getByRole('button').first().click();
      await panel.dialog().getByText('What happened').click();
      await panel.dialog().getByText('manually-resolved: paid in cash (till front-1)').waitFor();
      await panel.button('Close').click();
    },
    STEP_MS,
  );

  it(
    'shows the totals of the day',
    async () => {
      await panel.button('Day close').click();
      await panel.dialog('Day close').getByRole('cell', { name: tour() }).waitFor();
      await expectAccessible(first.page);
      await panel.button('Back').click();
    },
    STEP_MS,
  );

  it(
    'comes back by itself when the agent dies under it, and shows the true state',
    async () => {
      const { page } = first;
      await panel.start(tour(), ['7', '00']);
      await panel.untilShown(tour(), 'Waiting for the card');
      await system.stack.part('agent')?.kill();
      await page.getByRole('alert').filter({ hasText: 'The agent is not reached.' }).waitFor();
      await expectAccessible(page);
      await system.stack.restart('agent');
      await page.getByRole('alert').waitFor({ state: 'hidden' });
      await panel.untilShown(tour(), 'Failed. Nothing was charged.');
      await panel.terminal(tour()).getByText('The agent was restarted during the sale.').waitFor();
    },
    STEP_MS,
  );

  it(
    'signs out a till whose token is revoked',
    async () => {
      const { url, token: store } = system.stack.dev.agent;
      const headers = { authorization: `Bearer ${store}` };
      await call('DELETE', `${url}/v1/tills/front-1`, { headers });
      await first.page.getByText('This token is not known any more.').waitFor();
      expect(first.faults).toEqual([]);
    },
    STEP_MS,
  );
});
