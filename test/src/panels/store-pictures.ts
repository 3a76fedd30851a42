import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { call } from '../clients/http.js';
import { ParkedRecord } from '../journeys/parked-record.js';
import { SETTLE_MS } from '../journeys/test-stack.js';
import { startStack } from '../stack/stack.js';
import { TourContext } from '../tour/tour-context.js';
import { cashierHour } from './cashier-hour.js';
import { openPanel, type Shoot } from './panel-page.js';
import { StorePanel } from './store-panel.js';

/** Cards of sales that are made before the first picture. */
const BEFORE = [
  ['visa-credit-online', '24.90'],
  ['mastercard-declined', '61.00'],
  ['visa-credit-online', '8.40'],
] as const;

/** Takes pictures of the store panel on a day with an interruption. */
export async function storePictures(browser: Browser, shoot: Shoot): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-pictures-'));
  const ports = { gateway: 0, agent: 0, simulator: 0 };
  const options = {
    home,
    tour: false,
    ports,
    nexoPort: 0,
    hostPort: 0,
    chosen: new Set<never>(),
    auto: false,
    offline: 'on',
  };
  const stack = await startStack(options, {
    hosts: false,
    store: { name: 'Café am Markt' },
    agentEnv: { AGENT_PARTIAL_APPROVAL: 'accept' },
    terminalNames: { 1002: 'Counter 2' },
  });
  try {
    const context = new TourContext(stack, 'order');
    await context.agent.untilGateway('up', SETTLE_MS);
    await context.begin();
    const { simulator, terminalId: id } = context;
    const { url, token } = stack.dev.agent;
    const { page } = await openPanel(browser, url);
    const panel = new StorePanel(page);
    await shoot(page, 'sign-in');
    await panel.signIn(token);
    for (const [card, amount] of BEFORE) {
      await context.sell(card, context.request(amount));
      await simulator.remove(id);
      await context.agent.untilTerminalsReady(SETTLE_MS);
    }
    await panel.choose(id);
    await panel.terminal(id).getByRole('button', { name: 'New sale' }).click();
    await panel.terminal(id).getByLabel('Amount').fill('18.70');
    await shoot(page, 'start');
    await panel.startButton(id).click();
    await panel.untilShown(id, 'Waiting for the card');
    await shoot(page, 'running');
    await simulator.present(id, 'visa-credit-online');
    await panel.untilShown(id, 'Approved');
    await shoot(page, 'approved');
    await simulator.remove(id);

    const display = await openDisplay(browser, stack.dev.agent, id);
    await shoot(display, 'display-idle');
    await panel.button('Customer display').click();
    await panel.dialog().locator('.display-code').waitFor();
    await shoot(page, 'display-code');
    await panel.button('Back').click();

    const otherTerminalId = stack.dev.terminals.find((each) => each.id !== id)?.id ?? id;
    const hour = await cashierHour({
      ...{ panel, simulator, terminalId: id, shoot, display, otherTerminalId },
      link: async (state) => {
        await simulator.network({ state });
        await page.getByText(state === 'up' ? 'Gateway connected' : 'No gateway').waitFor();
      },
      parkWaiting: () => new ParkedRecord({ home }, context).parkWaiting(),
      otherTill: async (terminalId) => {
        await context.agent.startSale(context.request('3.00', { terminalId }));
      },
    });
    const lines = hour.map(({ name, sentences }) => `| ${name} | ${sentences.join(' / ')} |`);
    process.stdout.write(`${['| situation | sentences |', '|---|---|', ...lines].join('\n')}\n`);

    await panel
      .card('To do')
      .getByRole('button', { name: /^Acknowledge/ })
      .click();
    await shoot(page, 'acknowledge');
    await panel.button('Close').click();

    await panel.openSale(1);
    await shoot(page, 'sale');
    await panel.button('Receipt').last().click();
    await panel.dialog().getByText('DUPLICATE').waitFor();
    await shoot(page, 'receipt');
    await panel.button('Back').click();
    await panel.button('Close').click();
    await panel.button('Day close').click();
    await panel.button('Close the day').click();
    await panel.dialog().getByRole('cell', { name: id }).waitFor();
    await shoot(page, 'day-close');
    await display.close();
    await page.close();
  } finally {
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A customer display of a terminal, signed in by a code of the store. */
async function openDisplay(
  browser: Browser,
  { url, token }: { readonly url: string; readonly token: string },
  terminalId: string,
): Promise<Page> {
  const made = await call<{ readonly code: string }>(
    'POST',
    `${url}/v1/terminals/${terminalId}/display-code`,
    {
      headers: { authorization: `Bearer ${token}` },
    },
  );
  const { page } = await openPanel(browser, `${url}/display#code=${made.body.code}`);
  await page.getByText('Welcome').waitFor();
  return page;
}
