import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { AgentClient } from '../clients/agent-client.js';
import { startStack } from '../stack/stack.js';
import { type Shoot, VIEWPORTS } from './panel-page.js';
import { SimulatorPanel } from './simulator-panel.js';

const PIN = '246813579024';
/** How long the parts may take to find each other, in milliseconds. */
const SETTLE_MS = 120_000;

/** Pictures of the simulator's panel: terminals that prompt for cards and a PIN, and each view of one of them. */
export async function simulatorPictures(browser: Browser, shoot: Shoot): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-pictures-'));
  const ports = { gateway: 0, agent: 0, simulator: 0 };
  const more = { tour: false, nexoPort: 0, hostPort: 0, auto: false, offline: 'on' };
  const stack = await startStack({ home, ports, chosen: new Set<never>(), ...more });
  try {
    const { dev } = stack;
    const agent = new AgentClient(dev.agent);
    await agent.untilGateway('up', SETTLE_MS);
    await agent.untilTerminalsReady(SETTLE_MS);
    const panel = await SimulatorPanel.open(browser, dev.simulator.url);
    const begin = (terminalId: string, amount: string) =>
      agent.sale({ reference: `picture-${terminalId}`, amount, currency: 'EUR', terminalId });
    const sale = begin('1003', '23.45');
    const others = ['1001', '1004', '1006'].map((id, at) => begin(id, `${at + 4}.50`));
    await panel.takeCard('mastercard-debit-pin');
    await panel.untilTerminal('1003', 'Waits for a card');
    await panel.look('1003', 'Wire');
    await panel.click('1003', 'Insert the card');
    await panel.untilTerminal('1003', 'Waits for a PIN');
    await shoot(panel.page, 'terminals');
    await panel.enterPin('1003', PIN);
    await panel.untilDisplay('1003', 'APPROVED');
    await panel.takeOut('1003');
    await sale;
    await panel.row(/Sale 1 /).click();
    await panel.page.getByRole('button', { name: 'Make a test of this' }).waitFor();
    await shoot(panel.page, 'sale');
    await panel.row(/CONTINUE TRANSACTION 9000/).click();
    await panel.page.getByText('Data objects').waitFor();
    await shoot(panel.page, 'frame');
    await panel.page.getByLabel('Tag, such as 9F26').fill('9F26');
    await panel.row(/GENERATE AC \(first\)/).click();
    await panel.page.getByText('Sent, by the list of the card').waitFor();
    await shoot(panel.page, 'exchange');
    for (const view of ['Kernel', 'Keys', 'Faults', 'Scenarios', 'Recordings', 'Network', 'Receipts']) {
      await panel.page.getByRole('tab', { name: view, exact: true }).click();
      if (view === 'Faults') await panel.page.getByLabel('A frame is late (delay)').check();
      await shoot(panel.page, view.toLowerCase());
    }
    // A narrow screen has a switch.
    await panel.page.setViewportSize(VIEWPORTS.phone);
    for (const [part, scene] of [
      ['Terminals', 'list'],
      ['Terminal', 'terminal'],
    ] as const) {
      await panel.page.getByRole('button', { name: part, exact: true }).click();
      await shoot(panel.page, scene);
      await panel.page.setViewportSize(VIEWPORTS.phone);
    }
    await panel.page.setViewportSize(VIEWPORTS.tablet);
    for (const id of ['1001', '1004', '1006'])
      await panel.page.request.post(`${dev.simulator.url}/terminals/${id}/pin`, { data: { pin: 'cancel' } });
    await Promise.all(others);
    await panel.page.close();
  } finally {
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
