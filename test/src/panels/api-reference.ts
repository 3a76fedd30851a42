import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openPanel } from './panel-page.js';

/** The API reference of a program in a browser. */
export class ApiReference {
  readonly page: Page;
  readonly faults: readonly string[];
  /** What the page has requested, in order. */
  readonly requests: readonly string[];

  private constructor(page: Page, faults: readonly string[], requests: readonly string[]) {
    this.page = page;
    this.faults = faults;
    this.requests = requests;
  }

  /** Opens it and waits for its operations. @param url of the program, with the path of the page if it is another */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<ApiReference> {
    const requests: string[] = [];
    const { page, faults } = await openPanel(browser, 'about:blank', options);
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(new URL(url).pathname === '/' ? `${new URL(url).origin}/docs` : url);
    await page.locator('article.operation').first().waitFor();
    return new ApiReference(page, faults, requests);
  }

  /** Each operation as the page names it: `GET /v1/status`. */
  operations(): Promise<string[]> {
    return this.page
      .locator('article.operation')
      .evaluateAll((rows) =>
        rows.map((row) =>
          ['.method', '.operation-path'].map((part) => row.querySelector(part)?.textContent).join(' '),
        ),
      );
  }

  /** An operation by its permalink. */
  operation(id: string): Locator {
    return this.page.locator(`article#${id}`);
  }

  /** Milliseconds from the navigation until the operations were there, by the browser's clock. */
  async readyMs(): Promise<number> {
    const time = await this.page.evaluate("performance.getEntriesByName('operations-shown')[0].startTime");
    return Number(time);
  }

  /** Types into the search. */
  async search(words: string): Promise<void> {
    await this.page.getByRole('searchbox').first().fill(words);
  }
}
