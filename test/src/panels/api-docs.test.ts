import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { call } from '../clients/http.js';
import { SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';

const browser = await browserOrReason();
const reason = typeof browser === 'string' ? ` (no browser: ${browser})` : '';

/** What stands at a path of an OpenAPI document that is no operation. */
const NO_OPERATIONS: ReadonlySet<string> = new Set(['parameters', 'summary', 'description', 'servers']);

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
      const { url } = system.stack.dev[part];
      const operations = await documented(url);
      expect(operations.length).toBeGreaterThan(10);
      for (const address of [`${url}/docs`, `${url}/docs/`]) {
        const page = await (browser as Browser).newPage();
        const failed: string[] = [];
        page.on('response', (response) => {
          if (!response.ok()) failed.push(`${response.status()} ${response.url()}`);
        });
        await page.goto(address);
        await page
          .locator('.opblock')
          .nth(operations.length - 1)
          .waitFor({ timeout: SETTLE_MS });
        const shown = await page.locator('.opblock-summary').evaluateAll((rows) =>
          rows.map((row) => {
            const text = (name: string) => row.querySelector(name)?.textContent?.replaceAll('\u200b', '');
            return `${text('.opblock-summary-method')} ${text('.opblock-summary-path')}`;
          }),
        );
        expect(shown.sort()).toEqual(operations);
        expect(await page.getByText('Unable to render').count()).toBe(0);
        expect(failed).toEqual([]);
        await page.close();
      }
    },
    2 * SETTLE_MS,
  );
});
