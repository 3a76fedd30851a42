import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { PICTURES } from './pictures.js';
import { BILLING, bankFrame, endOf, openPage, PAY, typeCard, type WidgetStack } from './widget-stack.js';

/** Journeys of shoppers who pay. @param started the stack that all journeys share */
export function paymentJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });
  const CARD = '4200000000000000';
  const CHALLENGE = '4200000000000067';
  /** What the simulator declines by its cardholder. */
  const DECLINED = '800.100.151';

  /** Everything that the page of the shop can read of itself. */
  const dumpOf = (page: Page): Promise<string> =>
    page.evaluate(`(() => {
    const inputs = [...document.querySelectorAll('input, select, textarea')].map(({ value }) => value);
    const globals = Object.getOwnPropertyNames(window).map((name) => {
      try {
        return JSON.stringify(window[name]) ?? '';
      } catch {
        return '';
      }
    });
    const stored = [localStorage, sessionStorage].map((each) => JSON.stringify(each));
    return [document.documentElement.outerHTML, document.cookie, ...inputs, ...globals, ...stored].join('\\n');
  })()`);

  it('a shopper pays; the page of the shop never has the card, and the shop learns the outcome', async () => {
    const { id } = await widget.checkout();
    const { page, faults } = await openPage(widget.browser);
    const received: string[] = [];
    await page.exposeFunction('received', (text: string) => received.push(text));
    await page.addInitScript(
      "if (top === self) addEventListener('message', ({ data }) => window.received(JSON.stringify(data)))",
    );
    const posted: string[] = [];
    page.on('request', (request) => posted.push(`${request.method()} ${request.url()}`));
    await page.goto(widget.page({ checkoutId: id }));
    await typeCard(page, CARD, { cvv: '987' });
    const dump = await dumpOf(page);
    expect(dump).toContain('Jane Jones');
    expect(dump.replaceAll(/\D/g, '')).not.toContain(CARD);
    expect(dump).not.toMatch(/(?<![\w.])987(?![\w.])/);
    await page.click(PAY);
    const end = await endOf(page);
    expect(Object.fromEntries(end.searchParams)).toEqual({
      order: '7',
      id,
      resourcePath: `/v1/checkouts/${id}/payment`,
    });
    expect(await widget.status(id)).toMatchObject({
      result: { code: '000.100.110' },
      amount: '12.34',
      paymentBrand: 'VISA',
      card: { last4Digits: '0000', holder: 'Jane Jones' },
    });
    expect([...posted, ...received].join('\n').replaceAll(/[ +]/g, '')).not.toContain(CARD);
    expect(await page.context().cookies()).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('a shopper whose card is declined tries another one', async () => {
    const { id } = await widget.checkout();
    const { page } = await openPage(widget.browser);
    const address = widget.page({ checkoutId: id });
    await page.goto(address);
    await typeCard(page, CARD, { holder: DECLINED });
    await page.click(PAY);
    await endOf(page);
    expect((await widget.status(id)).result.code).toBe(DECLINED);
    await page.goto(address);
    await typeCard(page, '5454545454545454');
    expect(await page.inputValue('select[name=paymentBrand]')).toBe('MASTER');
    await page.click(PAY);
    await endOf(page);
    expect(await widget.status(id)).toMatchObject({
      result: { code: '000.100.110' },
      paymentBrand: 'MASTER',
    });
    await page.close();
  });

  it.each([
    ['inside the page', '{}'],
    ['in place of the page', "{ paymentTarget: '_top' }"],
  ])('a bank challenges its cardholder %s', async (where, options) => {
    const { id } = await widget.checkout(BILLING, 'threeDSecureMerchant');
    const { page, faults } = await openPage(widget.browser);
    const address = widget.page({
      checkoutId: id,
      options,
      policy: `default-src 'none'; script-src 'nonce-n' ${widget.stack.url}; frame-src ${widget.stack.url}; base-uri 'none'; form-action 'none'`,
    });
    await page.goto(address);
    await typeCard(page, CHALLENGE);
    await page.click(PAY);
    const bank = await bankFrame(page);
    const isInline = where === 'inside the page';
    expect(page.url() === address).toBe(isInline);
    if (isInline) expect(await page.locator('iframe.wpwl-target[name=cnpIframe]').isVisible()).toBe(true);
    await bank.fill('#code', '1234');
    await bank.click('#confirm');
    expect((await endOf(page)).searchParams.get('id')).toBe(id);
    // The shop's page was requested once: not in the frame too.
    expect(
      widget.shop.requestedUrls.filter((url) => url.startsWith('/done') && url.includes(id)),
    ).toHaveLength(1);
    expect(
      (await widget.send('GET', `/v1/checkouts/${id}/payment`, {}, 'threeDSecureMerchant')).result.code,
    ).toBe('000.100.110');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('a shopper stores a card and pays nothing, then pays with it by one click', async () => {
    const stored = await widget.send('POST', '/v1/checkouts', { createRegistration: 'true' });
    const { page, faults } = await openPage(widget.browser);
    await page.goto(widget.page({ checkoutId: `${stored.id}/registration` }));
    await typeCard(page, CARD);
    expect(await page.textContent(PAY)).toBe('Save');
    expect(await page.locator('.wpwl-summary').count()).toBe(0);
    await page.click(PAY);
    const end = await endOf(page);
    expect(end.searchParams.get('resourcePath')).toBe(`/v1/checkouts/${stored.id}/registration`);
    const registration = await widget.send('GET', `/v1/checkouts/${stored.id}/registration`);
    expect(registration.result.code).toBe('000.100.110');
    expect(registration.id).toMatch(/^[0-9a-f]{32}$/);

    const { id } = await widget.checkout({ 'registrations[0].id': registration.id });
    const options = '{ registrations: { requireCvv: true, hideInitialPaymentForms: true } }';
    await page.goto(widget.page({ checkoutId: id, options }));
    const form = '#wpwl-registrations form.wpwl-form-registrations';
    await page.waitForSelector(form);
    expect(await page.textContent(`${form} .wpwl-registration`)).toContain('•••• 0000');
    expect(await page.isVisible('.wpwl-container-card')).toBe(false);
    await page.frameLocator('#wpwl-registrations iframe').locator('#field').fill('123');
    await page.screenshot({ path: `${PICTURES}/one-click.png` });
    await page.click(`${form} .wpwl-button-pay`);
    await endOf(page);
    expect(await widget.status(id)).toMatchObject({
      result: { code: '000.100.110' },
      card: { last4Digits: '0000' },
    });
    await page.goto(
      widget.page({
        checkoutId: (await widget.checkout({ 'registrations[0].id': registration.id })).id,
        options,
      }),
    );
    await page.click('[data-action=show-initial-forms]');
    expect(await page.isVisible('.wpwl-container-card')).toBe(true);
    expect(faults).toEqual([]);
    await page.close();
  });
}
