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
    await page.getByRole('article').first().waitFor({ state: 'attached' });
    return panel;
  }

  async untilLinked(): Promise<void> {
    await this.page.getByText('Connected', { exact: true }).waitFor();
  }

  /** A terminal in the list of all. */
  listed(id: string): Locator {
    return this.page
      .getByRole('region', { name: 'Terminals' })
      .getByRole('link', { name: new RegExp(` ${id} `) });
  }

  /** The chosen terminal with its slot and its PIN pad. */
  terminal(id: string): Locator {
    return this.page.getByRole('article', { name: new RegExp(`, ${id}$`) });
  }

  /** Chooses a terminal. */
  async choose(id: string): Promise<Locator> {
    const terminal = this.terminal(id);
    if (!(await terminal.isVisible())) await this.listed(id).click();
    await terminal.waitFor();
    return terminal;
  }

  /** Waits for the words of a terminal's state. */
  async untilTerminal(id: string, words: string): Promise<void> {
    await this.listed(id).getByText(words, { exact: true }).waitFor();
  }

  /** Waits for a text on a terminal's display. */
  async untilDisplay(id: string, text: string | RegExp): Promise<void> {
    const terminal = await this.choose(id);
    await terminal.getByRole('status', { name: 'Display' }).filter({ hasText: text }).waitFor();
  }

  async takeCard(name: string): Promise<void> {
    const tray = this.page.getByRole('radiogroup', { name: 'Card in hand' });
    await tray.getByRole('radio', { name: new RegExp(`^${name} `) }).check();
    await this.page.getByRole('heading', { name, exact: true }).waitFor();
  }

  /** Clicks a button of a terminal. */
  async click(id: string, words: string): Promise<void> {
    await this.choose(id);
    await this.page.getByRole('button', { name: `${words}, ${id}`, exact: true }).click();
  }

  async takeOut(id: string): Promise<void> {
    const terminal = await this.choose(id);
    await this.page.getByRole('button', { name: new RegExp(`^(Take the card|Pull early), ${id}$`) }).click();
    await terminal.getByText(/^(last: |slot is empty)/).waitFor();
  }

  /** Enters a PIN by the keys of the pad. */
  async enterPin(id: string, pin: string): Promise<void> {
    const pad = (await this.choose(id)).getByRole('group', { name: `PIN pad, ${id}` });
    for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click();
    await pad.getByRole('button', { name: 'OK', exact: true }).click();
  }

  /** Types a PIN on the keyboard. */
  async typePin(id: string, pin: string): Promise<void> {
    await (await this.choose(id))
      .getByRole('group', { name: `PIN pad, ${id}` })
      .getByRole('button')
      .first()
      .focus();
    await this.page.keyboard.type(pin);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses a terminal, and one of the views. */
  async look(id: string, view: string): Promise<void> {
    await this.choose(id);
    await this.page.getByRole('tab', { name: view, exact: true }).click();
  }

  /** Rows of the tree, by their texts. */
  row(name: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name });
  }

  /** Titles and bytes in hex of the frames that the tree shows. */
  async frames(): Promise<readonly { readonly title: string; readonly hex: string }[]> {
    return this.page.locator('.row-frame').evaluateAll((rows) =>
      rows.map((row) => {
        const text = (part: string) => (row as never as RowElement).querySelector(part)?.textContent ?? '';
        return {
          title: text('.row-title').replace(/^Frame \d+: /, ''),
          hex: text('.row-hex').replaceAll(' ', ''),
        };
      }),
    );
  }
}

interface RowElement {
  querySelector(selector: string): { readonly textContent: string | null } | null;
}
