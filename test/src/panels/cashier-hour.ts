import type { Page } from 'playwright-core';
import type { SimulatorClient } from '../clients/simulator-client.js';
import type { Shoot } from './panel-page.js';
import type { StorePanel } from './store-panel.js';

/** Who works through the hour. */
interface CashierHourDeps {
  readonly panel: StorePanel;
  readonly simulator: SimulatorClient;
  readonly terminalId: string;
  readonly shoot: Shoot;
  /** A till that sells at the same time: starts a sale and waits for its card. */
  readonly otherTill: (terminalId: string) => Promise<void>;
  readonly otherTerminalId: string;
}

/** A situation of the hour: its picture, and what the page says in it. */
export interface Situation {
  readonly name: string;
  readonly sentences: readonly string[];
}

/** Sales that end at once, with the card that makes them so. */
const SALES = [
  ['approve', 'visa-credit-online', 'Approved'],
  ['decline', 'mastercard-declined', 'Declined'],
  ['card-expired', 'visa-expired', 'Declined'],
  ['referral', 'visa-referral', 'Not approved'],
] as const;

/** What a cashier meets in an hour, a picture each. Returns the situations with their sentences. */
export async function cashierHour(deps: CashierHourDeps): Promise<readonly Situation[]> {
  const { panel, simulator, terminalId: id, shoot, otherTill, otherTerminalId } = deps;
  const { page } = panel;
  const hour: Situation[] = [];
  const note = async (name: string) => {
    hour.push({ name, sentences: await sentencesOf(page) });
    await shoot(page, `hour-${name}`);
  };
  const start = async (keys: readonly string[]) => {
    await panel.start(id, keys);
    await panel.untilShown(id, 'Waiting for the card');
  };

  for (const [name, card] of SALES) {
    await start(['7', '5', '0']);
    if (name === 'approve') await note('waiting-for-card');
    await simulator.present(id, card);
    await panel.terminal(id).getByText('Say to the customer').waitFor();
    await simulator.remove(id);
    await note(name);
  }
  await start(['5', '00']);
  await panel.terminal(id).getByRole('button', { name: 'Cancel the sale' }).click();
  await panel.untilShown(id, 'Cancelled');
  await note('cancelled');

  await start(['6', '00']);
  await simulator.unplug(id);
  await panel.untilShown(id, 'Failed');
  await note('unplugged-during-sale');
  await panel.terminal(id).getByRole('button', { name: 'New sale' }).click();
  await panel.terminal(id).getByText('Check the cable').waitFor();
  await note('unplugged');
  await simulator.plug(id);
  await panel.startButton(id).and(page.locator(':enabled')).waitFor();

  await otherTill(otherTerminalId);
  await panel.choose(otherTerminalId);
  await panel
    .terminal(otherTerminalId)
    .getByText(/In use|Waiting for the card/)
    .waitFor();
  await note('busy');
  await panel.choose(id);

  await simulator.network({ state: 'up', dropAnswers: true });
  await page.getByText('Gateway does not answer').first().waitFor();
  await note('silent');
  await start(['8', '00']);
  await simulator.present(id, 'visa-credit-online');
  await panel.terminal(id).getByRole('alert').getByText('The bank is not reached.').waitFor();
  await note('cut-while-waiting');
  await simulator.remove(id);
  await simulator.network({ state: 'up' });
  await panel.terminal(id).getByText('Say to the customer').waitFor();
  await note('cut-reversed');

  await panel.openSale();
  await panel.dialog().waitFor();
  await note('sale-of-the-list');
  await panel.button('Close').click();
  await page.getByLabel('Search').fill('7,50');
  await page.getByLabel('Show').selectOption({ label: 'Approved' });
  await panel.card('Last sales').getByRole('listitem').first().waitFor();
  await panel.openSale();
  await panel.button('Refund').click();
  await panel
    .dialog(/^Refund/)
    .getByLabel('Amount in EUR')
    .fill('8.00');
  await panel.dialog().getByText('At most €7.50 can be refunded.').waitFor();
  await note('refund-too-much');
  await panel.button('Back').click();
  await panel.button('Close').click();
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Show').selectOption({ label: 'All' });
  return hour;
}

/** What staff reads: the answer, what to do, what to say. */
async function sentencesOf(page: Page): Promise<readonly string[]> {
  const texts = await page
    .locator(
      '.sale-card .sale-answer, .sale-card .sale-step, .fault-note > p, .sale-card q, .waiting p, .dialog .field-fault',
    )
    .allInnerTexts();
  return [...new Set(texts)].filter((text) => text !== '');
}
