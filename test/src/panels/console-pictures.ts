import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser/launch.js';
import { SETTLE_MS } from '../journeys/test-stack.js';
import { startStack } from '../stack/stack.js';
import { TourContext } from '../tour/tour-context.js';
import { ConsolePage } from './console-page.js';
import type { Shoot } from './panel-page.js';

const CARD = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
  'card.cvv': '123',
  'card.holder': 'Anna Muster',
};

/** Takes pictures of the console of a merchant with a store, a web shop, and a device that was suspended. */
export async function consolePictures(_browser: Browser, shoot: Shoot): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-pictures-'));
  const ports = { gateway: 0, agent: 0, simulator: 0 };
  const rules = { tour: false, nexoPort: 0, hostPort: 0, chosen: new Set<never>(), auto: false };
  const stack = await startStack({ home, ports, offline: 'on', ...rules }, { hosts: false });
  // As a user's own browser: it names the origin of a page, and a session needs that.
  const browser = await launchBrowser({ webSecurity: true });
  try {
    const context = new TourContext(stack, 'order');
    await context.agent.untilGateway('up', SETTLE_MS);
    await context.begin();
    const id = await makePayments(context);
    const opened = await ConsolePage.signedIn(browser, stack, 'payments');
    const { page } = opened;
    await page.getByRole('table', { name: 'Payments' }).waitFor();
    await shoot(page, 'payments');
    await opened.show(`payment?id=${id}`);
    await page.getByRole('button', { name: 'Refund' }).waitFor();
    await shoot(page, 'payment');
    await page.getByRole('button', { name: 'Refund' }).click();
    await shoot(page, 'refund');
    await page.getByRole('button', { name: 'Back' }).click();
    await opened.post('/v1/devices/G0001001/suspension', {});
    await context.sell('visa-credit-online', context.request('5.00'));
    await opened.show('inbox');
    await page.getByRole('button', { name: /^Act/ }).waitFor();
    await shoot(page, 'inbox');
    await page.getByRole('button', { name: /^Act/ }).click();
    await shoot(page, 'act');
    await page.close();
  } finally {
    await browser.close();
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Payments of the store and of a web shop; gives the id of one that was captured and refunded. */
async function makePayments(context: TourContext): Promise<string> {
  const { gateway, simulator } = context;
  for (const [card, amount] of [
    ['visa-credit-online', '24.90'],
    ['mastercard-declined', '61.00'],
  ] as const) {
    await context.sell(card, context.request(amount));
    await simulator.remove(context.terminalId);
    await context.agent.untilTerminalsReady(SETTLE_MS);
  }
  const money = { currency: 'EUR', ...CARD };
  await gateway.pay({ ...money, amount: '18.50', paymentType: 'DB', merchantTransactionId: 'web-1041' });
  const { body } = await gateway.pay({
    ...{ ...money, amount: '120.00', paymentType: 'PA', merchantTransactionId: 'web-1042' },
  });
  const id = body.id ?? '';
  await gateway.followUp(id, { paymentType: 'CP', amount: '100.00', currency: 'EUR' });
  await gateway.followUp(id, { paymentType: 'RF', amount: '15.00', currency: 'EUR' });
  return id;
}
