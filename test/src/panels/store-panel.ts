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

  /** By a one-time code, or by a token. */
  async signIn(token: string): Promise<void> {
    await this.page.getByLabel('Code').fill(token);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.untilSignedIn();
  }

  async untilSignedIn(): Promise<void> {
    await this.page.getByRole('radiogroup', { name: 'Terminals' }).getByRole('radio').first().waitFor();
  }

  /** The part of the page where a terminal sells. */
  terminal(id: string): Locator {
    return this.page.locator(`.sale-card[data-terminal="${id}"]`);
  }

  async choose(terminalId: string): Promise<void> {
    await this.tile(terminalId).check({ force: true });
    await this.terminal(terminalId).waitFor();
  }

  /** The terminal in the strip. */
  tile(terminalId: string): Locator {
    return this.page.getByRole('radio', { name: new RegExp(`\\b${terminalId}\\b`) });
  }

  /** The button that starts what was entered; it names amount and terminal. */
  startButton(terminalId: string): Locator {
    return this.terminal(terminalId).getByRole('button', { name: /^(Charge|Refund|Hold) / });
  }

  /** Opens the newest sale of the list, or the one after so many others. */
  async openSale(place = 0): Promise<void> {
    await this.card('Last sales')
      .getByRole('button', { name: /^Open sale/ })
      .nth(place)
      .click();
  }

  /** Starts a sale only by clicks: `keys` are those of the keypad. */
  async start(terminalId: string, keys: readonly string[]): Promise<void> {
    await this.choose(terminalId);
    const card = this.terminal(terminalId);
    const again = card.getByRole('button', { name: 'New sale' });
    if (await again.isVisible()) await again.click();
    for (const key of keys) await card.getByRole('button', { name: key, exact: true }).click();
    await this.startButton(terminalId).click();
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
