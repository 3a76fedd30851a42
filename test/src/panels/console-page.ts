import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Stack } from '../stack/stack.js';
import { openPanel, type PanelPage } from './panel-page.js';

/** Most steps of the Tab key to something that can be reached. */
const MOST_TABS = 80;

/** The console as a person with a keyboard uses it. */
export class ConsolePage {
  readonly page: Page;
  readonly faults: readonly string[];
  readonly #stack: Stack;

  private constructor({ page, faults }: PanelPage, stack: Stack) {
    this.page = page;
    this.faults = faults;
    this.#stack = stack;
  }

  /** Opens the console, signs the demo user in, and shows a view of the development merchant. */
  static async signedIn(
    browser: Browser,
    stack: Stack,
    view: string,
    options: BrowserContextOptions = {},
  ): Promise<ConsolePage> {
    const { url, user, password } = stack.dev.console;
    const opened = await openPanel(browser, url, { locale: 'en-GB', timezoneId: 'UTC', ...options });
    const console = new ConsolePage(opened, stack);
    const { page } = console;
    await page.getByLabel('E-mail address').fill(user);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await console.show(view);
    return console;
  }

  /** Shows a view of the development merchant: `payments`, `payment?id=…`. */
  async show(view: string): Promise<void> {
    const [place, query = ''] = view.split('?');
    const parameters = new URLSearchParams(query);
    parameters.set('entity', this.#stack.dev.merchant.entityId);
    await this.page.goto(`${this.#stack.dev.console.url}#/${place}?${parameters}`);
  }

  dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** Goes to something by the Tab key alone. */
  async tabTo(target: Locator): Promise<void> {
    for (let step = 0; step < MOST_TABS; step += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the Tab key does not reach ${target}`);
  }

  /** Presses a button, or follows a link, by the keyboard alone. */
  async press(target: Locator): Promise<void> {
    await target.waitFor();
    await this.tabTo(target);
    await this.page.keyboard.press('Enter');
  }

  /** Types into a field that has the focus, in the place of what is there. */
  async type(target: Locator, text: string): Promise<void> {
    await target.waitFor();
    await this.tabTo(target);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** A request of the page's own session. */
  async post(path: string, form: Readonly<Record<string, string>>): Promise<number> {
    const headers = { 'x-tillbridge-entity': this.#stack.dev.merchant.entityId };
    return this.page.evaluate(
      async ({ at, values, more }) => {
        const answer = await fetch(at, { method: 'POST', body: new URLSearchParams(values), headers: more });
        return answer.status;
      },
      { at: path, values: form, more: headers },
    );
  }
}
