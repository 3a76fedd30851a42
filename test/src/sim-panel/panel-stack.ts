import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { AgentClient } from '../clients/agent-client.js';
import { SimulatorClient } from '../clients/simulator-client.js';
import { type Stack, startStack } from '../stack/stack.js';

/** Short, so that a lost answer becomes an unknown outcome soon. */
const ANSWER_TIMEOUT_MS = 4_000;
/** How long a step on the page may take on a busy machine. */
export const STEP_MS = 60_000;

/** The whole system with cardholders who act by clicks alone, and a browser. */
export class PanelStack {
  readonly stack: Stack;
  readonly home: string;
  readonly agent: AgentClient;
  readonly simulator: SimulatorClient;
  readonly browser: Browser;

  private constructor(stack: Stack, home: string, browser: Browser) {
    this.stack = stack;
    this.home = home;
    this.browser = browser;
    this.agent = new AgentClient(stack.dev.agent);
    this.simulator = new SimulatorClient(stack.dev.simulator.url);
  }

  static async start(browser: Browser): Promise<PanelStack> {
    const home = mkdtempSync(join(tmpdir(), 'tillbridge-sim-panel-'));
    const ports = { gateway: 0, agent: 0, simulator: 0 };
    const stack = await startStack(
      { home, tour: false, ports, nexoPort: 0, chosen: new Set<never>(), auto: false, offline: undefined },
      { answerTimeoutMs: ANSWER_TIMEOUT_MS, traces: true },
    );
    return new PanelStack(stack, home, browser);
  }

  get url(): string {
    return this.stack.dev.simulator.url;
  }

  /** Opens the simulator's page. */
  async open(options: BrowserContextOptions = {}): Promise<SimulatorPage> {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
    const page = await context.newPage();
    const simulatorPage = new SimulatorPage(page);
    await page.goto(this.url);
    await page.getByText('Connected', { exact: true }).waitFor({ timeout: STEP_MS });
    await page.getByRole('article', { name: /, 1007$/ }).waitFor({ timeout: STEP_MS });
    return simulatorPage;
  }

  async end(): Promise<void> {
    await this.browser.close();
    await this.stack.stop();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** The simulator's page as a person uses it. */
export class SimulatorPage {
  readonly page: Page;
  /** What went wrong in it: errors of scripts, what the policy refused. */
  readonly faults: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(STEP_MS);
    page.on('pageerror', ({ message }) => this.faults.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(message.text());
    });
  }

  terminal(id: string): Locator {
    return this.page.getByRole('article', { name: new RegExp(`, ${id}$`) });
  }

  /** Waits for the words of a terminal's state. */
  async untilTerminal(id: string, words: string): Promise<void> {
    await this.terminal(id).getByText(words, { exact: true }).waitFor();
  }

  async takeCard(name: string): Promise<void> {
    await this.page.locator(`input[type="radio"][value="${name}"]`).check({ force: true });
    await this.page.getByRole('heading', { name, exact: true }).waitFor();
  }

  /** Clicks a button of a terminal. */
  async click(id: string, words: string): Promise<void> {
    await this.page.getByRole('button', { name: `${words}, ${id}`, exact: true }).click();
  }

  /** Looks at a terminal, in one of the views. */
  async look(id: string, view: string): Promise<void> {
    await this.terminal(id)
      .getByRole('button', { name: /^Look at/ })
      .click();
    await this.page.getByRole('tab', { name: view, exact: true }).click();
  }

  /** Enters a PIN by the keys of the pad. */
  async enterPin(id: string, pin: string): Promise<void> {
    const pad = this.terminal(id).getByRole('group', { name: `PIN pad, ${id}` });
    for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click();
    await pad.getByRole('button', { name: 'OK', exact: true }).click();
  }
}
