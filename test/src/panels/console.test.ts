import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { until } from '../clients/http.js';
import { SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { ROOT } from '../stack/layout.js';
import { TourContext } from '../tour/tour-context.js';
import { ConsolePage } from './console-page.js';
import { firstLoad } from './panel-load.js';
import { expectAccessible, VIEWPORTS } from './panel-page.js';

/** Most bytes that a browser loads of the console, as they are sent (issue 40). */
const MOST_GZIP_BYTES = 120_000;

const START_MS = 240_000;
const STEP_MS = 180_000;

/** Markup in every text that a merchant or a shopper can set. */
const HOSTILE = '<img src=x onerror=alert(1)>';

const CUSTOMER = {
  'customer.email': 'anna@example.com',
  'customer.givenName': 'Anna',
  'customer.surname': HOSTILE,
};

/** The device of the terminal that the journeys sell at (stack/parts.ts). */
const SERIAL = 'G0001001';

const browser = await browserOrReason({ webSecurity: true });
const reason = typeof browser === 'string' ? ` (no browser: ${browser})` : '';

const CARD = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
  'card.cvv': '123',
  'card.holder': `O ${HOSTILE}`,
};

it('loads few bytes', () => {
  const folder = join(ROOT, 'gateway', 'dist', 'console');
  const sizes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name))).length);
  const sum = sizes.reduce((all, bytes) => all + bytes, 0);
  console.log(`console: ${sum} bytes of gzip`);
  expect(sizes.length).toBeGreaterThanOrEqual(3);
  expect(sum).toBeLessThan(MOST_GZIP_BYTES);
});

/** People work with the console in a real browser, by the keyboard alone. */
describe.skipIf(typeof browser === 'string')(`the console${reason}`, () => {
  let system: TestStack;
  let context: TourContext;

  beforeAll(async () => {
    if (typeof browser === 'string') return;
    system = await startTestStack('console', undefined, undefined, { auto: false });
    context = new TourContext(system.stack, 'console');
    await context.agent.untilGateway('up', SETTLE_MS);
    await context.begin();
  }, START_MS);
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close();
    await system?.end();
  }, SETTLE_MS);

  const open = (view: string, options = {}) =>
    ConsolePage.signedIn(browser as Browser, system.stack, view, options);

  async function pay(reference: string, more: Record<string, string> = {}): Promise<string> {
    const { body } = await context.gateway.pay({
      ...{ amount: '40.00', currency: 'EUR', paymentType: 'PA', merchantTransactionId: reference },
      ...CARD,
      ...more,
    });
    if (body.id === undefined) throw new Error(JSON.stringify(body));
    return body.id;
  }

  /** No page is wider than a telephone. */
  async function expectNarrow({ page }: ConsolePage): Promise<void> {
    await page.setViewportSize(VIEWPORTS.phone);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(VIEWPORTS.phone.width);
    await page.setViewportSize(VIEWPORTS.tablet);
  }

  it(
    'finds a payment by each of its texts, keeps the filter in the address, and gives a file',
    async () => {
      const reference = `order ${HOSTILE}`;
      await pay(reference, { ...CUSTOMER, amount: '41.50' });
      await pay('another order', { amount: '7.00' });
      const opened = await open('payments');
      const { page } = opened;
      const rows = page.getByRole('table', { name: 'Payments' }).locator('tbody tr');
      const search = page.getByRole('searchbox');
      for (const text of [reference, '41.50', 'anna@example.com']) {
        await opened.type(search, text);
        await page.keyboard.press('Enter');
        await expect.poll(() => rows.count()).toBe(1);
        expect(await rows.first().textContent()).toContain(HOSTILE);
      }
      await opened.type(search, '0000');
      await page.keyboard.press('Enter');
      await page.getByText('Found by last four digits.').waitFor();
      await opened.press(page.getByRole('button', { name: 'reference: 0000' }));
      await page.getByText('No payment fits.').waitFor();
      expect(page.url()).toContain('by=merchantTransactionId');
      await page.reload();
      await page.getByText('No payment fits.').waitFor();
      await opened.press(page.getByRole('button', { name: 'Clear' }));
      await expect.poll(() => rows.count()).toBeGreaterThan(1);
      const saved = page.waitForEvent('download');
      await opened.press(page.getByRole('button', { name: 'CSV file' }));
      const file = readFileSync((await (await saved).path()) ?? '', 'utf8');
      expect(file).toContain('anna@example.com');
      await expectAccessible(page);
      await expectNarrow(opened);
      expect(opened.faults).toEqual([]);
      await page.close();
    },
    STEP_MS,
  );

  it(
    'shows a payment that is made while the list is open',
    async () => {
      const opened = await open('payments');
      const { page } = opened;
      await page.getByRole('button', { name: 'Live', pressed: true }).waitFor();
      await pay('made-while-open');
      await page.getByRole('cell', { name: 'made-while-open' }).waitFor();
      expect(opened.faults).toEqual([]);
      await page.close();
    },
    STEP_MS,
  );

  it(
    'captures, refunds and increments a payment after a confirmation that names the amount, and states what cannot be done',
    async () => {
      const id = await pay(`story ${HOSTILE}`);
      const opened = await open(`payment?id=${id}`);
      const { page } = opened;
      const money = page.getByRole('region', { name: 'Money' });
      await opened.press(money.getByRole('button', { name: 'Increment' }));
      await opened.type(opened.dialog().getByLabel('Amount in EUR'), '2');
      await expectAccessible(page);
      await opened.press(opened.dialog().getByRole('button', { name: 'Hold €2 more' }));
      await money.getByText('€42.00').first().waitFor();
      await opened.press(money.getByRole('button', { name: 'Capture' }));
      await opened.type(opened.dialog().getByLabel('Amount in EUR'), '99');
      await opened.dialog().getByText('At most €42.00.').waitFor();
      expect(await opened.dialog().getByRole('button', { name: 'Capture –' }).isDisabled()).toBe(true);
      await opened.type(opened.dialog().getByLabel('Amount in EUR'), '30.00');
      await opened.press(opened.dialog().getByRole('button', { name: 'Capture €30.00' }));
      await opened.press(money.getByRole('button', { name: 'Refund' }));
      await opened.type(opened.dialog().getByLabel('Amount in EUR'), '10,50');
      await opened.press(opened.dialog().getByRole('button', { name: 'Refund €10.50' }));
      await opened.dialog().waitFor({ state: 'detached' });
      await money.getByText('€10.50').waitFor();
      await money
        .getByText(/Increment/)
        .locator('..')
        .getByText(/not possible/)
        .waitFor();
      const linked = page.getByRole('region', { name: 'Linked payments' });
      await linked.getByRole('link', { name: 'Refund €10.50' }).waitFor();
      const story = page.getByRole('list', { name: 'What happened' });
      expect(await story.getByRole('listitem').count()).toBeGreaterThan(5);
      await expectAccessible(page);
      await expectNarrow(opened);
      await opened.press(linked.getByRole('link', { name: 'Refund €10.50' }));
      await page.getByText('Refund €10.50 (this payment)').waitFor();
      expect(opened.faults).toEqual([]);
      await page.close();
    },
    STEP_MS,
  );

  it(
    'refuses what an issuer has charged back, with the reason',
    async () => {
      const id = await pay('charged-back', { paymentType: 'DB' });
      const opened = await open(`payment?id=${id}`);
      const { page } = opened;
      expect(await opened.post(`/v1/payments/${id}/chargeback`, {})).toBe(200);
      const money = page.getByRole('region', { name: 'Money' });
      await money
        .getByText(/Refund/)
        .locator('..')
        .getByText(/not possible: .*700\.300\.600/)
        .waitFor();
      await page.close();
    },
    STEP_MS,
  );

  it(
    'lets one of ten people resolve a thing, and states to the others that it is done',
    async () => {
      const opened = await open('inbox');
      const { page } = opened;
      await page.getByText('Nothing needs a person.').waitFor();
      expect(await opened.post(`/v1/devices/${SERIAL}/suspension`, {})).toBe(200);
      await context.sell('visa-credit-online', context.request('5.00'));
      await context.simulator.remove(context.terminalId);
      const act = page.getByRole('button', { name: 'Act: Refused device' });
      await act.waitFor();
      await page.getByText('It moves no money').first().waitFor();
      await expectAccessible(page);
      await expectNarrow(opened);
      const storageState = await page.context().storageState();
      const pages = await Promise.all(
        Array.from({ length: 9 }, () => (browser as Browser).newPage({ storageState, locale: 'en-GB' })),
      );
      const people = [page, ...pages];
      for (const each of pages) await each.goto(page.url());
      for (const each of people) await each.getByRole('button', { name: 'Act: Refused device' }).click();
      await expectAccessible(page);
      const answers = await Promise.all(
        people.map(async (each) => {
          await each.getByRole('dialog').getByRole('button', { name: 'Act' }).click();
          return until('an answer', SETTLE_MS, async () => {
            const texts = await each.getByRole('status', { name: 'Messages' }).textContent();
            return /Done|quicker/.exec(texts ?? '')?.[0];
          });
        }),
      );
      expect(answers.toSorted()).toEqual(['Done', ...Array.from({ length: 9 }, () => 'quicker')]);
      await page.getByText('Nothing needs a person.').waitFor();
      expect(opened.faults).toEqual([]);
      for (const each of people) await each.close();
    },
    STEP_MS,
  );

  it(
    'shows what was wrong with a request, parameter by parameter',
    async () => {
      const { body } = await context.gateway.pay({
        ...{ amount: '5.00', currency: 'EUR', paymentType: 'DB', merchantTransactionId: `wrong ${HOSTILE}` },
        ...{ ...CARD, 'card.expiryMonth': '13' },
      });
      const opened = await open('requests?outcome=refused');
      const { page } = opened;
      await opened.press(page.getByRole('button', { name: /^POST \/v1\/payments,/ }).first());
      const wrong = opened.dialog().getByRole('list', { name: 'What was wrong' });
      const [error] = body.result.parameterErrors ?? [];
      expect(error?.name).toBe('card.expiryMonth');
      await wrong.getByText(error?.message ?? '').waitFor();
      const text = await opened.dialog().textContent();
      expect(text).toContain(`wrong ${HOSTILE}`);
      expect(text).not.toContain(CARD['card.number']);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await opened.dialog().waitFor({ state: 'detached' });
      await expectAccessible(page);
      await expectNarrow(opened);
      expect(opened.faults).toEqual([]);
      await page.close();
    },
    STEP_MS,
  );

  it(
    'paints within a second',
    async () => {
      const { firstPaintMs } = await firstLoad(browser as Browser, system.stack.dev.console.url);
      console.log(`console: first paint after ${Math.round(firstPaintMs)} ms`);
      expect(firstPaintMs).toBeLessThan(1_000);
    },
    STEP_MS,
  );
});
