import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { call } from '../clients/http.js';
import { ParkedRecord } from '../journeys/parked-record.js';
import { SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { TourContext } from '../tour/tour-context.js';
import { expectAccessible, openPanel, outside, type PanelPage, VIEWPORTS } from './panel-page.js';
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

  beforeAll(async () => {
    if (typeof browser === 'string') return;
    system = await startTestStack('store-panel', undefined, 'on', {
      auto: false,
      terminalCount: 3,
      terminalNames: { 1002: 'Counter 2', 1003: 'Counter 3' },
    });
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

  async function newTill(id: string, rights: readonly string[], pin?: string): Promise<string> {
    const { url, token: store } = system.stack.dev.agent;
    const headers = { authorization: `Bearer ${store}`, 'content-type': 'application/json' };
    const made = await call<{ readonly token: string }>('POST', `${url}/v1/tills`, {
      headers,
      body: JSON.stringify({ id, rights, pin }),
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
    'signs staff in with the token of their till, which no script can read',
    async () => {
      const { page } = first;
      await expectAccessible(page);
      await page.getByLabel('Code').fill('no-token-of-this-store');
      await panel.button('Sign in').click();
      await page.getByText('This code is not known here, or it was used.').waitFor();
      await panel.signIn(token);
      await page.getByText('Signed in as till front-1').waitFor();
      expect(await page.content()).not.toContain(token);
      expect(page.url()).not.toContain(token);
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).toBe(
        '[{},{},""]',
      );
    },
    STEP_MS,
  );

  it(
    'signs a tablet in by a code that is scanned, for longer than its tab, and asks for the PIN of the cashier',
    async () => {
      if (typeof browser === 'string') return;
      const { url, token: store } = system.stack.dev.agent;
      const headers = { authorization: `Bearer ${store}`, 'content-type': 'application/json' };
      await newTill('bar', ['sell'], '4711');
      const made = await call<{ readonly code: string }>('POST', `${url}/v1/tills/bar/code`, { headers });
      const tablet = await browser.newContext({ viewport: VIEWPORTS.phone });
      const page = await tablet.newPage();
      await page.goto(`${url}/#code=${made.body.code}`);
      await page.getByLabel('PIN of the cashier').fill('0000');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByText('This PIN is not right.').waitFor();
      expect(page.url()).not.toContain('code');
      await expectAccessible(page);
      await page.getByLabel('PIN of the cashier').fill('4711');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await new StorePanel(page).untilSignedIn();
      await page.close();

      const later = await tablet.newPage();
      await later.goto(url);
      await new StorePanel(later).untilSignedIn();
      // On a cut line it is locked as well, and stays so when the line is back.
      await tablet.setOffline(true);
      await later.getByRole('button', { name: 'Lock' }).click();
      await later.getByLabel('PIN of the cashier').waitFor();
      await tablet.setOffline(false);
      await later.reload();
      await later.getByLabel('PIN of the cashier').waitFor();
      await later.getByRole('button', { name: 'Sign out' }).click();
      await later.reload();
      await later.getByLabel('Code').waitFor();
      await tablet.close();
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
      const reference = (await first.page.locator('.sale-row').first().getAttribute('data-reference')) ?? '';
      expect((await context.agent.get(reference)).body).toMatchObject({
        till: 'front-1',
        outcome: 'approved',
      });
    },
    STEP_MS,
  );

  it(
    'sells with a tip and cash back by keyboard, where the rights of its till allow them',
    async () => {
      if (typeof browser === 'string') return;
      expect(await panel.terminal(tour()).getByRole('radio', { name: 'Tip' }).count()).toBe(0);
      const waiter = await newTill('waiter', ['sell', 'refund', 'report', 'tip', 'cash-back']);
      const opened = await openPanel(browser, system.stack.dev.agent.url);
      const { page } = opened;
      const own = new StorePanel(page);
      await own.signIn(waiter);
      await own.choose(tour());
      const card = own.terminal(tour());
      const again = card.getByRole('button', { name: 'New sale' });
      if (await again.isVisible()) await again.press('Enter');
      await card.getByLabel('Amount', { exact: true }).press('2');
      for (const key of ['0', '0', '0']) await page.keyboard.press(key);
      const parts = card.getByRole('radiogroup', { name: 'Parts' });
      await parts.getByRole('radio', { name: 'Purchase' }).focus();
      await page.keyboard.press('ArrowRight');
      await card.getByRole('textbox', { name: 'Tip' }).pressSequentially('600');
      await own.startButton(tour()).press('Enter');
      // The policy of the store: at most a quarter.
      await card.getByRole('alert').getByText('The rules of the store do not allow this payment.').waitFor();
      await card.getByRole('alert').getByText('Details').click();
      await card.getByText('tip: at most 25 % of the purchase of 20.00 EUR').waitFor();
      await card.getByRole('textbox', { name: 'Tip' }).focus();
      for (const key of ['Backspace', 'Backspace', 'Backspace', '2', '0', '0'])
        await page.keyboard.press(key);
      await parts.getByRole('radio', { name: 'Tip €2.00' }).focus();
      await page.keyboard.press('ArrowRight');
      await card.getByRole('textbox', { name: 'Cash back' }).pressSequentially('5000');
      await parts.getByRole('radio', { name: 'Cash back €50.00' }).waitFor();
      await expectAccessible(page);
      await page.setViewportSize(VIEWPORTS.phone);
      expect(await outside(page)).toEqual([]);
      const button = await own.startButton(tour()).boundingBox();
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(VIEWPORTS.phone.height);
      await page.setViewportSize(VIEWPORTS.tablet);
      await own.startButton(tour()).filter({ hasText: 'Charge €72.00' }).press('Enter');
      await own.untilShown(tour(), 'Waiting for the card');
      await context.simulator.present(tour(), 'visa-credit-online');
      await own.untilShown(tour(), 'Approved: €72.00.');
      await card.getByText('Hand out €50.00 in cash.').waitFor();
      await context.simulator.remove(tour());
      await expectAccessible(page);
      await own.openSale();
      await own.button('Receipt').last().click();
      await own
        .dialog()
        .getByText(/Including tip +EUR 2.00/)
        .waitFor();
      await own
        .dialog()
        .getByText(/Cash back +EUR 50.00/)
        .waitFor();
      const reference = (await page.locator('.sale-row').first().getAttribute('data-reference')) ?? '';
      expect((await context.agent.get(reference)).body).toMatchObject({
        till: 'waiter',
        amount: '72.00',
        tip: '2.00',
        cashBack: '50.00',
      });
      expect(opened.faults).toEqual([]);
      await page.close();
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
    'chooses no busy terminal at the sign-in, and remembers that of the till, on a phone too',
    async () => {
      if (typeof browser === 'string') return;
      await panel.start(tour(), ['5', '00']);
      await panel.untilShown(tour(), 'Waiting for the card');
      const own = await newTill('front-2', ['sell']);
      const { page, faults } = await openPanel(browser, system.stack.dev.agent.url, {
        viewport: VIEWPORTS.phone,
      });
      const phone = new StorePanel(page);
      await phone.signIn(own);
      const chosen = () => page.locator('.terminal-tile input:checked').getAttribute('value');
      expect(await chosen()).not.toBe(tour());
      await phone.tile('1003').check({ force: true });
      await page.getByRole('button', { name: 'Charge €0.00 on Counter 3' }).waitFor();
      expect(await outsideOf(page, '.terminal-tile:has(:checked)')).toBe(0);
      await page.reload();
      await page.getByRole('button', { name: 'Charge €0.00 on Counter 3' }).waitFor();
      expect(await chosen()).toBe('1003');
      expect(await outsideOf(page, '.terminal-tile:has(:checked)')).toBe(0);
      expect(faults).toEqual([]);
      await page.close();
      await panel.terminal(tour()).getByRole('button', { name: 'Cancel the sale' }).click();
      await panel.untilShown(tour(), 'Cancelled. Nothing was charged.');
    },
    STEP_MS,
  );

  it(
    'says what to do and what to tell the customer where a terminal is unplugged, in the place of technical texts',
    async () => {
      const { page } = first;
      const places = () =>
        page.evaluate(
          "['.terminals', '.keypad'].map((name) => document.querySelector(name)?.getBoundingClientRect().bottom)",
        );
      await panel.terminal(tour()).getByRole('button', { name: 'New sale' }).click();
      await panel.startButton(tour()).and(page.locator(':enabled')).waitFor();
      const before = await places();
      await panel.start(tour(), ['5', '00']);
      await panel.untilShown(tour(), 'Waiting for the card');
      await context.simulator.unplug(tour());
      await panel.untilShown(tour(), 'Failed. Nothing was charged.');
      const card = panel.terminal(tour());
      await card.getByText(`Check the cable and the power of Terminal ${tour()}.`).waitFor();
      await card.getByText('Our card reader has no connection.').waitFor();
      await page.getByRole('radio', { name: new RegExp(`${tour()}.*Not connected`) }).waitFor();
      await expectPlainWords(page);
      await expectAccessible(page);
      await card.getByRole('button', { name: 'New sale' }).click();
      await card.getByText('Check the cable and the power').waitFor();
      expect(await panel.startButton(tour()).isDisabled()).toBe(true);
      await expectPlainWords(page);
      expect(await places()).toEqual(before);
      await card.locator('details').first().locator('summary').click();
      await card.getByText(/does not exist|bad file descriptor|closed/).waitFor();
      await context.simulator.plug(tour());
      await panel.startButton(tour()).and(page.locator(':enabled')).waitFor();
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

      await panel.openSale(1);
      await panel.button('Refund').click();
      const refund = panel.dialog(/^Refund/);
      await refund.getByText('Already refunded: €0.50 of €2.00. At most €1.50 is left.').waitFor();
      await panel.button('Refund €1.50').waitFor();
      await refund.getByLabel('Amount in EUR').fill('1.60');
      await refund.getByText('Already refunded: €0.50 of €2.00. At most €1.50 is left.').waitFor();
      expect(await panel.button('Refund €1.60').isDisabled()).toBe(true);
      await expectAccessible(page);
      await panel.button('Back').click();
      await panel.button('Close').click();

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
    'lists card and amount first, finds sales, and saves them',
    async () => {
      const { page } = first;
      const list = panel.card('Last sales');
      const rows = list.getByRole('listitem');
      expect(await rows.first().innerText()).toMatch(/^€3\.00\s+VISA •••• \d{4}\s+Reversed/);
      expect(await list.innerText()).not.toContain('front-1-');
      await list.getByLabel('Search').fill('12,34');
      await rows.filter({ hasText: '€3.00' }).first().waitFor({ state: 'detached' });
      expect(await rows.allInnerTexts()).toEqual([expect.stringMatching(/^€12\.34/)]);
      await expectAccessible(page);
      await list.getByLabel('Search').fill('');
      await list.getByLabel('Show').selectOption({ label: 'Not approved' });
      await rows.filter({ hasText: '€12.34' }).waitFor({ state: 'detached' });
      const saved = page.waitForEvent('download');
      await panel.button('Save as CSV').click();
      const text = readFileSync(await (await saved).path(), 'utf8');
      expect(text.split('\r\n')[0]).toMatch(/^time,type,amount,currency,.*,reference$/);
      expect(text).toContain(',failed,');
      expect(text).not.toContain(',approved,');
      await list.getByLabel('Show').selectOption({ label: 'All' });
    },
    STEP_MS,
  );

  it(
    'shows a gateway that does not answer within two seconds, and what staff does while a sale waits',
    async () => {
      const { page } = first;
      const cutAt = performance.now();
      await context.simulator.network({ state: 'up', dropAnswers: true });
      await page.getByText('Gateway does not answer').first().waitFor();
      const shownMs = performance.now() - cutAt;
      console.log(`store panel: a silent gateway is shown after ${Math.round(shownMs)} ms`);
      expect(shownMs).toBeLessThan(SHOWN_WITHIN_MS);
      expect(await page.getByText('Gateway connected').count()).toBe(0);
      await panel.start(tour(), ['8', '00']);
      await panel.untilShown(tour(), 'Waiting for the card');
      await context.simulator.present(tour(), 'visa-credit-online');
      const card = panel.terminal(tour());
      await card.getByRole('alert').getByText('The bank is not reached.').waitFor();
      await card.getByText(/^Waiting for \d+ s$/).waitFor();
      await expectPlainWords(page);
      await expectAccessible(page);
      await context.simulator.remove(tour());
      await network('down');
      await expectPlainWords(page);
      await panel.card('Link').getByText('Check the internet connection of the store.').waitFor();
      await network('up');
      await panel.untilShown(tour(), 'Reversed: €8.00 is not charged.');
      await card.getByRole('button', { name: 'New sale' }).click();
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
      await expectOnPhone(first.page, panel, tour());
      await todo.getByRole('button', { name: /^Acknowledge/ }).click();
      await expectAccessible(first.page);
      await panel.button('I have taken note').click();
      await todo.getByText('Nothing to do.').waitFor();
      expect((await context.agent.queue()).body.lateDeclines).toEqual([]);
      const late = (await context.agent.status()).body;
      expect(late.queue.lateDeclines).toBe(0);
      await panel.card('Last sales').getByText('Declined later').first().waitFor();
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
      await panel.openSale();
      await panel.dialog().getByText('What happened').click();
      await panel.dialog().getByText('manually-resolved: paid in cash (till front-1)').waitFor();
      await panel.button('Close').click();
    },
    STEP_MS,
  );

  it(
    'closes the day into a record that is listed and printed, and shows the totals of any day',
    async () => {
      const { page } = first;
      await panel.button('Day close').click();
      const dialog = panel.dialog('Day close');
      await dialog.getByText('The day was never closed here.').waitFor();
      await panel.button('Close the day').click();
      await dialog.getByRole('heading', { name: 'Day close 1' }).waitFor();
      await dialog.getByRole('cell', { name: tour() }).waitFor();
      await dialog.getByRole('cell', { name: 'VISA' }).waitFor();
      await expectAccessible(page);
      const net = await dialog.locator('.close-net').innerText();
      const [closed] = (await context.agent.dayCloses()).body.dayCloses;
      expect(closed).toMatchObject({ number: 1, till: 'front-1', currencies: [{ currency: 'EUR' }] });
      expect(net).toBe(`€${closed?.currencies[0]?.net}`);
      expect((await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
      await panel.button('Close the day').click();
      await dialog.getByRole('heading', { name: 'Day close 2' }).waitFor();
      await dialog.getByText('No sales in this time.').waitFor();
      await panel.button('Day close 1').click();
      await dialog.getByRole('cell', { name: tour() }).waitFor();
      await dialog.getByRole('radio', { name: 'Totals' }).check({ force: true });
      await dialog.getByRole('cell', { name: tour() }).waitFor();
      await expectAccessible(page);
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
      // Installed by its manifest, kept by its worker.
      if (typeof browser === 'string') return;
      const tablet = await browser.newContext();
      const opened = await tablet.newPage();
      await opened.goto(system.stack.dev.agent.url);
      const manifest = await opened.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then((file) => file.json())",
      );
      expect(manifest).toMatchObject({ display: 'standalone', start_url: '/', icons: [{ sizes: 'any' }] });
      await opened.evaluate('navigator.serviceWorker.ready.then(() => true)');
      await system.stack.part('agent')?.kill();
      await page.getByRole('alert').filter({ hasText: 'The agent is not reached.' }).waitFor();
      await expectAccessible(page);
      // The page opens while the agent is away, and goes on by itself.
      await opened.reload();
      await opened.getByText('The agent is not reached: look at the network of the store.').waitFor();
      await system.stack.restart('agent');
      await page.getByRole('alert').waitFor({ state: 'hidden' });
      await opened.getByLabel('Code').waitFor();
      await tablet.close();
      await panel.untilShown(tour(), 'Failed. Nothing was charged.');
      await panel.terminal(tour()).getByText('Start it again.').waitFor();
    },
    STEP_MS,
  );

  it(
    'signs out a till whose token is revoked',
    async () => {
      const { url, token: store } = system.stack.dev.agent;
      const headers = { authorization: `Bearer ${store}` };
      await call('DELETE', `${url}/v1/tills/front-1`, { headers });
      await first.page.getByText('This till is not known any more.').waitFor();
      expect(first.faults).toEqual([]);
    },
    STEP_MS,
  );
});

/** On a phone: what staff has to do is seen at once, nothing stands outside of the screen, and a sale is started below the keypad. */
async function expectOnPhone(page: Page, panel: StorePanel, terminalId: string): Promise<void> {
  await page.setViewportSize(VIEWPORTS.phone);
  const again = panel.terminal(terminalId).getByRole('button', { name: 'New sale' });
  if (await again.isVisible()) await again.click();
  const jump = panel.button('1 to do');
  expect((await jump.boundingBox())?.y).toBeLessThan(200);
  expect(await outside(page)).toEqual([]);
  const [keypad, start] = [page.locator('.keypad'), panel.startButton(terminalId)];
  const [keys, button] = [await keypad.boundingBox(), await start.boundingBox()];
  expect(button?.y).toBeGreaterThan((keys?.y ?? 0) + (keys?.height ?? 0));
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(VIEWPORTS.phone.height);
  await jump.click();
  expect(await outsideOf(page, '#to-do .card-title')).toBe(0);
  await page.setViewportSize(VIEWPORTS.tablet);
}

/** By how much an element stands outside of the window, CSS pixels. */
function outsideOf(page: Page, selector: string): Promise<number> {
  return page.evaluate(`(() => {
    const { left, right, top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return Math.round(Math.max(0, -left, -top, right - innerWidth, bottom - innerHeight));
  })()`);
}

/** Texts of an operating system and addresses stand behind "Details" alone, and no one is sent for another card. */
async function expectPlainWords(page: Page): Promise<void> {
  const text = await page.locator('body').innerText();
  expect(text).not.toMatch(/descriptor|does not exist|E[A-Z]{6,}|\d+\.\d+\.\d+\.\d+|\/dev\//);
  expect(text).not.toContain('another card?');
}
