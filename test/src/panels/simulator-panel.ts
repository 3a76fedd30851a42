import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openPanel } from './panel-page.js';

/** How long the page may take for a step on a machine with much else to do, in milliseconds. */
const STEP_MS = 120_000;

/** The simulator's page as a person uses it. */
export class SimulatorPanel {
  readonly page: Page;
  readonly faults: readonly string[];

  private constructor(page: Page, faults: readonly string[]) {
    this.page = page;
    this.faults = faults;
    page.setDefaultTimeout(STEP_MS);
  }

  /** Opens the page and waits until it shows the terminals. */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<SimulatorPanel> {
    const viewport = { width: 1440, height: 1000 };
    const { page, faults } = await openPanel(browser, url, { viewport, ...options });
    const panel = new SimulatorPanel(page, faults);
    await panel.untilLinked();
    await page.getByRole('article').first().waitFor();
    return panel;
  }

  async untilLinked(): Promise<void> {
    await this.page.getByText('Connected', { exact: true }).waitFor();
  }

  terminal(id: string): Locator {
    return this.page.getByRole('article', { name: new RegExp(`, ${id}$`) });
  }

  /** Waits for the words of a terminal's state. */
  async untilTerminal(id: string, words: string): Promise<void> {
    await this.terminal(id).getByText(words, { exact: true }).waitFor();
  }

  /** Waits for a text on a terminal's display. */
  async untilDisplay(id: string, text: string | RegExp): Promise<void> {
    await this.terminal(id).getByRole('status', { name: 'Display' }).filter({ hasText: text }).waitFor();
  }

  async takeCard(name: string): Promise<void> {
    const tray = this.page.getByRole('radiogroup', { name: 'Card in hand' });
    await tray.getByRole('radio', { name: new RegExp(`^${name} `) }).check();
    await this.page.getByRole('heading', { name, exact: true }).waitFor();
  }

  /** Clicks a button of a terminal. */
  async click(id: string, words: string): Promise<void> {
    await this.page.getByRole('button', { name: `${words}, ${id}`, exact: true }).click();
  }

  async takeOut(id: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^(Take the card|Pull early), ${id}$`) }).click();
    await this.terminal(id)
      .getByText(/^(last: |slot is empty)/)
      .waitFor();
  }

  /** Enters a PIN by the keys of the pad. */
  async enterPin(id: string, pin: string): Promise<void> {
    const pad = this.terminal(id).getByRole('group', { name: `PIN pad, ${id}` });
    for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click();
    await pad.getByRole('button', { name: 'OK', exact: true }).click();
  }

  /** Types a PIN on the keyboard. */
  async typePin(id: string, pin: string): Promise<void> {
    await this.terminal(id)
      .getByRole('group', { name: `PIN pad, ${id}` })
      .getByRole('button')
      .first()
      .focus();
    await this.page.keyboard.type(pin);
    await this.page.keyboard.press('Enter');
  }

  /** Looks at a terminal, in one of the views. */
  async look(id: string, view: string): Promise<void> {
    await this.terminal(id)
      .getByRole('button', { name: /^Look at/ })
      .click();
    await this.page.getByRole('tab', { name: view, exact: true }).click();
  }

  /** Rows of the log that is shown: their titles and their bytes in hex. */
  async rows(): Promise<readonly { readonly title: string; readonly hex: string }[]> {
    return this.page.locator('.log-row').evaluateAll((rows) =>
      rows.map((row) => {
        const text = (part: string) => (row as never as RowElement).querySelector(part)?.textContent ?? '';
        return {
          title: text('.log-title').replace(/^(Frame|Exchange) \d+: /, ''),
          hex: text('.log-hex').replaceAll(' ', ''),
        };
      }),
    );
  }
}

interface RowElement {
  querySelector(selector: string): { readonly textContent: string | null } | null;
}
