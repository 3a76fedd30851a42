import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { TourContext } from '../tour/tour-context.js';
import { expectAccessible, openPanel, outside, type PanelPage, VIEWPORTS } from './panel-page.js';
import { StorePanel } from './store-panel.js';

/** What a customer does is read from a step away, in CSS pixels: on a phone, and on a tablet. */
const LARGE_PX = { phone: 32, tablet: 40 } as const;

const START_MS = 240_000;
const STEP_MS = 180_000;

const browser = await browserOrReason();
const reason = typeof browser === 'string' ? ` (no browser: ${browser})` : '';

/** A till makes a customer display, which follows the sales of its terminal in a window of its own. */
describe.skipIf(typeof browser === 'string')(`the customer display${reason}`, () => {
  let system: TestStack;
  let context: TourContext;
  let till: PanelPage;
  let panel: StorePanel;
  let display: Page;
  const faults: string[] = [];

  const id = () => context.terminalId;
  const title = (text: string | RegExp) => display.getByRole('status').getByText(text).first();

  beforeAll(async () => {
    if (typeof browser === 'string') return;
    system = await startTestStack('customer-display', undefined, 'on', {
      auto: false,
      store: { name: 'Café am Markt' },
    });
    context = new TourContext(system.stack, 'display');
    await context.agent.untilGateway('up', SETTLE_MS);
    await context.begin();
    const { url, token } = system.stack.dev.agent;
    till = await openPanel(browser, url);
    panel = new StorePanel(till.page);
    await panel.signIn(token);
    await panel.choose(id());
  }, START_MS);
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close();
    await system?.end();
  }, SETTLE_MS);

  /** Nothing grave in light and dark, nothing beyond a phone, and big enough. */
  async function expectReadable(): Promise<void> {
    await expectAccessible(display);
    for (const size of ['phone', 'tablet'] as const) {
      await display.setViewportSize(VIEWPORTS[size]);
      expect(await outside(display)).toEqual([]);
      const fontPx = await display.locator('.display-title').evaluate((element) => {
        const page = globalThis as unknown as { getComputedStyle(of: unknown): { fontSize: string } };
        return Number.parseFloat(page.getComputedStyle(element).fontSize);
      });
      expect(fontPx).toBeGreaterThanOrEqual(LARGE_PX[size]);
    }
  }

  it(
    'is opened from the menu of the till by keyboard, and shows the name of the merchant',
    async () => {
      await panel.button('Customer display').press('Enter');
      const dialog = panel.dialog(/^Customer display of/);
      await dialog.getByText(/^Code of the customer display/).waitFor();
      await expectAccessible(till.page);
      const opened = till.page.context().waitForEvent('page');
      await dialog.getByRole('link', { name: 'Open on this device' }).press('Enter');
      display = await opened;
      display.on('pageerror', ({ message }) => faults.push(message));
      display.on('console', (message) => {
        if (message.type() === 'error' && !/net::ERR|status of (4|5)\d\d/.test(message.text()))
          faults.push(message.text());
      });
      await title('Welcome').waitFor();
      await display.getByRole('heading', { name: 'Café am Markt' }).waitFor();
      await dialog.waitFor({ state: 'hidden' });
      expect(display.url()).toMatch(/\/display$/);
      await expectReadable();
    },
    STEP_MS,
  );

  it(
    'shows the amount, what the customer does, and that the payment went through',
    async () => {
      await panel.start(id(), ['1', '8', '7', '0']);
      await title('Insert, tap or swipe your card').waitFor();
      await display.getByText('€18.70').waitFor();
      await expectReadable();
      await context.simulator.present(id(), 'mastercard-debit-pin');
      await title('Enter your PIN on the terminal').waitFor();
      await expectReadable();
      await context.simulator.pin(id(), '246813579024');
      await title('Thank you').waitFor();
      await display.getByText('Please take out your card.').waitFor();
      await expectReadable();
      await context.simulator.remove(id());
      await display.getByText('Please take out your card.').waitFor({ state: 'hidden' });
      expect(await display.locator('body').innerText()).not.toMatch(/\*{4}|MASTER|till|order|1001/i);
    },
    STEP_MS,
  );

  it(
    'speaks the language that a customer chooses by keyboard, until the next one comes',
    async () => {
      await panel.start(id(), ['5', '00']);
      await title('Insert, tap or swipe your card').waitFor();
      await display.getByRole('radio', { name: 'English' }).focus();
      await display.keyboard.press('ArrowLeft');
      await title('Karte einstecken, vorhalten oder durchziehen').waitFor();
      await expect.poll(() => display.evaluate('document.documentElement.lang')).toBe('de');
      await display.getByText(/^5,00\s€$/).waitFor();
      await panel.terminal(id()).getByRole('button', { name: 'Cancel the sale' }).click();
      await title('Abgebrochen').waitFor();
      await title('Es wurde nichts belastet.').waitFor();
      await title('Welcome').waitFor();
      await expectReadable();
    },
    STEP_MS,
  );

  it(
    'shows a decline, and states that the till is away until it is back',
    async () => {
      await panel.start(id(), ['6', '00']);
      await title('Insert, tap or swipe your card').waitFor();
      await context.simulator.present(id(), 'mastercard-declined');
      await title('Declined').waitFor();
      await title('Nothing was charged. Would you like to try another card?').waitFor();
      await expectReadable();
      await context.simulator.remove(id());
      await system.stack.part('agent')?.kill();
      await title('The connection to the till is being restored.').waitFor();
      await expectReadable();
      expect(await display.getByText('€6.00').count()).toBe(0);
      await system.stack.restart('agent');
      await title('Welcome').waitFor();
    },
    STEP_MS,
  );

  it(
    'is signed in on another device by its code, once',
    async () => {
      if (typeof browser === 'string') return;
      const { url } = system.stack.dev.agent;
      const other = await openPanel(browser, `${url}/display`, {
        locale: 'fr-FR',
        viewport: VIEWPORTS.phone,
      });
      const { page } = other;
      await page.getByLabel('Code').fill('AAAA-AAAA');
      await page.getByRole('button', { name: 'Connecter' }).press('Enter');
      await page.getByText('Ce code n’est pas connu ici').waitFor();
      await expectAccessible(page);
      await panel.button('Customer display').click();
      const code = await panel.dialog().locator('.display-code').innerText();
      await panel.button('Back').click();
      await page.getByLabel('Code').fill(/\S{4}-\S{4}/.exec(code)?.[0] ?? '');
      await page.getByLabel('Code').press('Enter');
      await page.getByRole('status').getByText('Welcome').waitFor();
      await page.reload();
      await page.getByRole('status').getByText('Welcome').waitFor();
      expect([...other.faults, ...till.faults, ...faults]).toEqual([]);
      await page.close();
    },
    STEP_MS,
  );
});
