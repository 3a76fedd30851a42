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
  /** What the customer sees meanwhile. */
  readonly display: Page;
  /** A till that sells at the same time: starts a sale and waits for its card. */
  readonly otherTill: (terminalId: string) => Promise<void>;
  readonly otherTerminalId: string;
  /** Cuts the network between store and gateway, or mends it; resolves when the page shows that. */
  readonly link: (state: 'up' | 'down') => Promise<void>;
  /** Has the gateway park the record that waits; the store is connected then. */
  readonly parkWaiting: () => Promise<void>;
}

/** A situation of the hour: its picture, and what the page says in it. */
export interface Situation {
  readonly name: string;
  readonly sentences: readonly string[];
}

/** Takes the picture of a situation. */
type Note = (name: string) => Promise<void>;

/** Sales that end at once, with the card that makes them so. */
const SALES = [
  ['approve', 'visa-credit-online', 'Approved'],
  ['decline', 'mastercard-declined', 'Declined'],
  ['card-expired', 'visa-expired', 'Declined'],
  ['referral', 'visa-referral', 'Not approved'],
  ['partial', 'visa-partial', 'Only'],
] as const;

/** What a cashier meets in an hour, a picture each. Returns the situations with their sentences. */
export async function cashierHour(deps: CashierHourDeps): Promise<readonly Situation[]> {
  const { panel, simulator, terminalId: id, shoot, otherTill, otherTerminalId } = deps;
  const { page } = panel;
  const hour: Situation[] = [];
  const note: Note = async (name) => {
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
    if (name === 'decline') await shoot(deps.display, 'display-declined');
  }
  await tipAndCash(deps, note);
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
  // The newest of this amount was approved in part.
  await panel.openSale(1);
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
  await offlineSituations(deps, note, start);
  return hour;
}

/** A sale with a tip and cash back: what is entered, and its answer. */
async function tipAndCash(
  { panel, simulator, terminalId: id, shoot, display }: CashierHourDeps,
  note: Note,
): Promise<void> {
  const card = panel.terminal(id);
  await card.getByRole('button', { name: 'New sale' }).click();
  await card.getByLabel('Amount', { exact: true }).fill('20.00');
  await card.getByRole('radio', { name: 'Tip' }).check({ force: true });
  await card.getByRole('textbox', { name: 'Tip' }).fill('2.00');
  await card.getByRole('radio', { name: 'Cash back' }).check({ force: true });
  await card.getByRole('textbox', { name: 'Cash back' }).fill('50.00');
  await note('tip-and-cash-back');
  await panel.startButton(id).click();
  await panel.untilShown(id, 'Waiting for the card');
  await display.getByText('Cash back').waitFor();
  await shoot(display, 'display-card');
  await simulator.present(id, 'visa-credit-online');
  await panel.untilShown(id, 'Approved');
  await display.getByText('Please take out your card.').waitFor();
  await shoot(display, 'display-approved');
  await simulator.remove(id);
  await note('cash-to-hand-out');
}

/** Without the gateway: approved by the card, declined later, and parked until staff resolves it. */
async function offlineSituations(
  { panel, simulator, terminalId: id, shoot, link, parkWaiting }: CashierHourDeps,
  note: Note,
  start: (keys: readonly string[]) => Promise<void>,
): Promise<void> {
  const sell = async (keys: readonly string[], card: string, pin: string) => {
    await start(keys);
    await simulator.present(id, card);
    await panel.untilShown(id, 'enters the PIN');
    await shoot(panel.page, 'pin');
    await simulator.pin(id, pin);
    await panel.untilShown(id, 'Approved offline');
    await simulator.remove(id);
  };
  await link('down');
  await sell(['9', '5', '0'], 'maestro-declined-later', '8642');
  await note('offline');
  await link('up');
  await panel.untilShown(id, 'Declined later');
  await note('late-decline');
  await link('down');
  await sell(['4', '00'], 'maestro-offline-approved', '7531');
  await parkWaiting();
  await panel.untilShown(id, 'Staff must find out');
  await note('parked');
}

/** What staff reads: the answer, what to do, what to say. */
async function sentencesOf(page: Page): Promise<readonly string[]> {
  const texts = await page
    .locator(
      '.sale-card .start .button-primary, .sale-card .sale-answer, .sale-card .sale-step, .fault-note > p, .sale-card q, .waiting p, .dialog .field-fault',
    )
    .allInnerTexts();
  return [...new Set(texts)].filter((text) => text !== '');
}
