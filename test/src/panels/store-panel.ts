import type { Locator, Page } from 'playwright-core';

/** How long the page may take for a step on a machine with much else to do, in milliseconds. */
const STEP_MS = 120_000;

/** The store panel in a browser, as staff uses it. */
export class StorePanel {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(STEP_MS);
  }

  async signIn(token: string): Promise<void> {
    await this.page.getByLabel('Token').fill(token);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('radiogroup', { name: 'Terminals' }).getByRole('radio').first().waitFor();
  }

  /** The part of the page where a terminal sells. */
  terminal(id: string): Locator {
    return this.page.getByRole('region', { name: `Terminal ${id}` });
  }

  async choose(terminalId: string): Promise<void> {
    await this.page.getByRole('radio', { name: new RegExp(`^${terminalId}\\b`) }).check({ force: true });
    await this.terminal(terminalId).waitFor();
  }

  /** Starts a sale only by clicks: `keys` are those of the keypad. */
  async start(terminalId: string, keys: readonly string[]): Promise<void> {
    await this.choose(terminalId);
    const card = this.terminal(terminalId);
    const again = card.getByRole('button', { name: 'New sale' });
    if (await again.isVisible()) await again.click();
    for (const key of keys) await card.getByRole('button', { name: key, exact: true }).click();
    await card.getByRole('button', { name: 'Start sale' }).click();
  }

  /** The step that a running sale is at, and later its answer. */
  answer(terminalId: string): Locator {
    return this.terminal(terminalId).getByRole('status');
  }

  /** Waits until the terminal shows a text. */
  async untilShown(terminalId: string, text: string | RegExp): Promise<void> {
    await this.answer(terminalId).filter({ hasText: text }).waitFor();
  }

  card(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true });
  }

  dialog(title?: string | RegExp): Locator {
    return this.page.getByRole('dialog', title === undefined ? {} : { name: title });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
}
