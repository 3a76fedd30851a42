import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { call } from '../clients/http.js';
import { SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { ApiReference } from './api-reference.js';
import { expectAccessible, openPanel, VIEWPORTS } from './panel-page.js';

const browser = await browserOrReason();
const reason = typeof browser === 'string' ? ` (no browser: ${browser})` : '';

/** What stands at a path of an OpenAPI document that is no operation. */
const NO_OPERATIONS: ReadonlySet<string> = new Set(['parameters', 'summary', 'description', 'servers']);

/**
 * Within so many milliseconds everything can be read. A quiet machine needs a third of a second; among tests that start processes everything
 * takes several times as long.
 */
const READY_MS = 5_000;

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, object>>;
}

describe.skipIf(typeof browser === 'string')(`the API docs${reason}`, () => {
  let system: TestStack;
  beforeAll(async () => {
    system = await startTestStack('api-docs', undefined, undefined, { auto: false });
  }, SETTLE_MS);
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close();
    await system?.end();
  }, SETTLE_MS);

  const urlOf = (part: 'gateway' | 'agent') => system.stack.dev[part].url;
  const open = (part: 'gateway' | 'agent', path = '/docs') =>
    ApiReference.open(browser as Browser, `${urlOf(part)}${path}`);

  /** `GET /v1/status` for each operation of the document. */
  async function documented(url: string): Promise<string[]> {
    const { body } = await call<OpenApiDocument>('GET', `${url}/docs/openapi.json`);
    return Object.entries(body.paths)
      .flatMap(([path, item]) =>
        Object.keys(item)
          .filter((name) => !NO_OPERATIONS.has(name))
          .map((method) => `${method.toUpperCase()} ${path}`),
      )
      .sort();
  }

  it.each(['gateway', 'agent'] as const)(
    'of the %s show every operation of the document, with or without a slash at the end',
    async (part) => {
      const operations = await documented(urlOf(part));
      expect(operations.length).toBeGreaterThan(10);
      for (const path of ['/docs', '/docs/']) {
        const reference = await open(part, path);
        expect((await reference.operations()).sort()).toEqual(operations);
        expect(await reference.readyMs()).toBeLessThan(READY_MS);
        expect(reference.faults).toEqual([]);
        expect(new Set(reference.requests.map((url) => new URL(url).origin))).toEqual(new Set([urlOf(part)]));
        await reference.page.close();
      }
    },
    2 * SETTLE_MS,
  );

  it.each([
    ['gateway', 'postV1Payments', 'Take a payment', '"result"'],
    ['agent', 'postV1Sales', 'Sell, refund, reserve', '"reference"'],
  ] as const)(
    'of the %s group the operations, show a request with its answer, and bear the mark of no other product',
    async (part, id, group, inAnswer) => {
      const reference = await open(part, `/docs#${id}`);
      const { page } = reference;
      const contents = page.getByRole('navigation', { name: 'Contents' });
      const groups = await contents.getByRole('heading').allTextContents();
      expect(groups).toContain(group);
      expect(groups.length).toBeGreaterThan(5);
      const example = reference.operation(id).getByRole('region', { name: 'Example' });
      expect(await example.getByLabel('Request in curl').textContent()).toContain('curl');
      expect(await example.getByLabel('Answer').textContent()).toContain(inAnswer);
      expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain(
        'width=device-width',
      );
      expect(await page.locator('img, svg image').count()).toBe(0);
      expect(await page.innerText('body')).not.toMatch(/scalar|swagger|redoc|stoplight|rapidoc/i);
      await page.close();
    },
    SETTLE_MS,
  );

  it(
    'open an operation that a search finds, by keyboard alone, and keep its address',
    async () => {
      const reference = await open('gateway');
      const { page } = reference;
      await page.keyboard.press('/');
      await page.keyboard.type('gift card left');
      await page.keyboard.press('Enter');
      const operation = reference.operation('postV1GiftCardsBalance');
      await operation.getByRole('heading', { name: 'Parameters' }).waitFor();
      expect(new URL(page.url()).hash).toBe('#postV1GiftCardsBalance');
      expect(await page.locator('.operation-body').count()).toBe(1);
      await page.reload();
      await operation.getByRole('heading', { name: 'Answers' }).waitFor();
      await page.close();
    },
    SETTLE_MS,
  );

  it(
    'lead from a parameter to where it is described, and from a result code to what it means',
    async () => {
      const reference = await open('gateway');
      const { page } = reference;
      await reference.search('card.expiryMonth');
      await page.getByRole('link', { name: /^card\.expiryMonth/ }).click();
      await page.locator('.parameter-sought', { hasText: 'card.expiryMonth' }).waitFor();
      await reference.search('800.100.152');
      await page.getByRole('link', { name: /^800\.100\.152/ }).click();
      const rows = page.getByRole('table', { name: 'Result codes' }).getByRole('row');
      await expect.poll(() => rows.count()).toBe(2);
      expect(await rows.last().textContent()).toMatch(/^800\.100\.152refused/);
      await page.getByLabel('Code, or words of the description').fill('');
      await page.getByLabel('Meaning').selectOption('try again');
      await expect.poll(() => rows.count()).toBeGreaterThan(20);
      for (const text of await rows.allTextContents()) expect(text).toMatch(/try again|Code/);
      await page.getByText('Patterns for code that reads answers').click();
      await page.getByRole('table', { name: 'Patterns' }).getByText('rejected-bank').waitFor();
      expect(reference.faults).toEqual([]);
      await page.close();
    },
    SETTLE_MS,
  );

  it(
    'remember the language of the samples, for every operation',
    async () => {
      const { page, ...reference } = await open('agent', '/docs#postV1Sales');
      const code = page.locator('article#postV1Sales').getByLabel(/^Request in/);
      await page.getByRole('tab', { name: 'curl' }).press('ArrowRight');
      await page.getByRole('tab', { name: 'Node' }).press('ArrowRight');
      await expect.poll(() => code.textContent()).toContain('urllib.request');
      await page.goto(`${urlOf('agent')}/docs#getV1Status`);
      await page.reload();
      const other = page.locator('article#getV1Status').getByLabel('Request in Python');
      await expect.poll(() => other.textContent()).toContain('/v1/status');
      expect(reference.faults).toEqual([]);
      await page.close();
    },
    SETTLE_MS,
  );

  it.each(['gateway', 'agent'] as const)(
    'of the %s are accessible in light and dark, and fit a phone',
    async (part) => {
      const reference = await open(part, `/docs#${part === 'gateway' ? 'postV1Payments' : 'postV1Sales'}`);
      const { page } = reference;
      await page.locator('.operation-body').first().waitFor();
      await page.goto(`${urlOf(part)}/docs#errors`);
      await page.getByRole('table', { name: 'Errors' }).waitFor();
      await expectAccessible(page);
      await page.setViewportSize(VIEWPORTS.phone);
      await page.getByRole('button', { name: 'Contents' }).click();
      await page.getByRole('navigation', { name: 'Contents' }).waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBe(VIEWPORTS.phone.width);
      await page.getByRole('button', { name: 'Contents' }).click();
      await reference.search('a');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(VIEWPORTS.phone.width);
      expect(reference.faults).toEqual([]);
      await page.close();
    },
    SETTLE_MS,
  );

  it(
    'are one of the places that the landing page of a gateway in test mode leads to',
    async () => {
      const { page, faults } = await openPanel(browser as Browser, urlOf('gateway'));
      await expectAccessible(page);
      await page.setViewportSize(VIEWPORTS.phone);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(VIEWPORTS.phone.width);
      await page.getByRole('link', { name: 'Demo shop' }).waitFor();
      await page.getByRole('link', { name: 'Payment links' }).click();
      await page.locator('article#postPaybylinkV1').getByRole('heading', { name: 'Answers' }).waitFor();
      expect(faults).toEqual([]);
      await page.close();
    },
    SETTLE_MS,
  );

  it(
    'tell the reader why where the document cannot be loaded',
    async () => {
      const page = await (browser as Browser).newPage();
      await page.route('**/docs/openapi.json', (route) => route.fulfill({ status: 503 }));
      await page.goto(`${urlOf('gateway')}/docs`);
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.textContent()).toContain('/docs/openapi.json was answered with HTTP 503');
      await page.close();
    },
    SETTLE_MS,
  );
});
