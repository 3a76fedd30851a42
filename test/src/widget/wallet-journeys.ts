import type { FrameLocator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { PICTURES } from './pictures.js';
import { BILLING, bankFrame, endOf, openMethod, openPage, type WidgetStack } from './widget-stack.js';

/** Journeys of shoppers who pay with a simulated wallet. @param started the stack that all journeys share */
export function walletJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });

  const button = (brand: string) => `.wpwl-container-virtualAccount-${brand} .wpwl-button-pay`;
  /** The sheet of the wallet: the simulator's page in a frame of the gateway. */
  const sheetOf = (page: Page): FrameLocator =>
    page.frameLocator('dialog.wpwl-sheet iframe').frameLocator('#sheet');

  it('a shopper opens the sheet, leaves it, and pays on it; the page of the shop never has the token', async () => {
    const { id } = await widget.checkout();
    const { page, faults } = await openPage(widget.browser, { viewport: { width: 390, height: 844 } });
    const received: string[] = [];
    await page.exposeFunction('received', (text: string) => received.push(text));
    await page.addInitScript(
      "if (top === self) addEventListener('message', ({ data }) => window.received(JSON.stringify(data)))",
    );
    const { url } = widget.stack;
    await page.goto(
      widget.page({
        checkoutId: id,
        brands: 'APPLEPAY GOOGLEPAY',
        options:
          "{ applePay: { total: { label: 'Shop <b>7</b>' }, onCancel: () => { window.cancelled = true; }, onPaymentAuthorized: (payment) => { window.received(JSON.stringify(['agreed', payment])); return Promise.resolve({ status: window.refuses ? 'FAILURE' : 'SUCCESS' }); } } }",
        policy: `default-src 'none'; script-src 'nonce-n' ${url}; frame-src ${url}; base-uri 'none'; form-action 'none'`,
      }),
    );
    await page.click(button('APPLEPAY'));
    const sheet = sheetOf(page);
    expect(await sheet.locator('h1').textContent()).toBe('Shop <b>7</b>');
    expect(await sheet.locator('#amount').textContent()).toBe('€12.34');
    await page.screenshot({ path: `${PICTURES}/wallet-sheet.png` });
    await sheet.locator('#cancel').click();
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await page.evaluate('window.cancelled')).toBe(true);
    // The focus of the keyboard is where it was.
    expect(await page.evaluate("document.activeElement.classList.contains('wpwl-apple-pay-button')")).toBe(
      true,
    );
    // The shop stops what the shopper has agreed to.
    await page.evaluate('window.refuses = true');
    await page.keyboard.press('Enter');
    await sheet.locator('#pay').click();
    await page.waitForSelector('dialog', { state: 'detached' });
    expect((await widget.status(id)).result.code).toBe('000.200.000');
    await page.evaluate('window.refuses = false');
    await page.click(button('APPLEPAY'));
    await sheet.locator('[value=mastercard]').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await endOf(page);
    expect(await widget.status(id)).toMatchObject({
      result: { code: '000.100.110' },
      amount: '12.34',
      paymentBrand: 'MASTER',
      card: { last4Digits: '5454', numberType: 'DPAN' },
    });
    expect(received.join()).toContain('authorized');
    expect(received).toContain('["agreed",{}]');
    expect(received.join()).not.toMatch(/EC_v1|paymentToken|transactionId/);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('the number on a card in a wallet proves nothing of its cardholder: the bank challenges', async () => {
    const { id } = await widget.checkout(BILLING, 'threeDSecureMerchant');
    const { page, faults } = await openPage(widget.browser);
    await page.goto(widget.page({ checkoutId: id, brands: 'VISA WALLETB' }));
    await openMethod(page, 'virtualAccount-WALLETB');
    await page.click(button('WALLETB'));
    await sheetOf(page).locator('[value=plain]').check();
    await sheetOf(page).locator('#pay').click();
    const bank = await bankFrame(page);
    await bank.fill('#code', '1234');
    await bank.click('#confirm');
    await endOf(page);
    const status = await widget.send('GET', `/v1/checkouts/${id}/payment`, {}, 'threeDSecureMerchant');
    expect(status).toMatchObject({ result: { code: '000.100.110' }, card: { numberType: 'PAN' } });
    expect(faults).toEqual([]);
    await page.close();
  });

  it('a page that brings the token itself sees no sheet, and an unknown token is refused', async () => {
    const { id } = await widget.checkout();
    const { page } = await openPage(widget.browser);
    const options = `{ onBeforeSubmitVirtualAccount: () => {
      $('form.wpwl-form-virtualAccount-WALLETC').find('.wpwl-button').before('<input type="hidden" name="walletC.paymentToken" value="x.y.z">');
    } }`;
    await page.goto(widget.page({ checkoutId: id, brands: 'WALLETC', options }));
    await page.click(button('WALLETC'));
    await endOf(page);
    expect(await page.locator('dialog').count()).toBe(0);
    expect((await widget.status(id)).result.code).toBe('200.100.603');
    await page.close();
  });
}
