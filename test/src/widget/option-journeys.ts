import { type HttpHarness, openHttpHarness } from '@tillbridge/gateway/app/http/http-harness.test.support.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf, openPage, PAY, PURCHASE, posted, typeCard, type WidgetStack } from './widget-stack.js';

/** What shops may set of the form, and what becomes of it in the course of time. @param started the stack that all journeys share */
export function optionJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });
  const CARD = '4200000000000000';

  it('the payer is the cardholder where the shop wants it, and the mark of waiting looks as it wants', async () => {
    const { id } = await widget.checkout();
    const { page, faults } = await openPage(widget.browser);
    const options = `{
      forceCardHolderEqualsBillingName: true, locale: 'de',
      labels: { submit: 'Los' }, errorMessages: { expiryMonthError: 'Wann?' },
      spinner: { className: 'mine', color: 'rgb(1, 2, 3)', radius: 10, width: 4 },
      onAfterSubmit: () => {
        const { color, borderWidth } = getComputedStyle(document.querySelector('.wpwl-spinner.mine'));
        window.shown = [color, borderWidth];
      },
      onSaveTransactionData: () => { window.name = JSON.stringify(window.shown); },
    }`;
    await page.goto(widget.page({ checkoutId: id, options }));
    expect(await page.textContent(PAY)).toBe('Los');
    expect(await page.textContent('.wpwl-label-givenName')).toBe('Vorname');
    await page.click(PAY);
    expect(await page.textContent('.wpwl-hint-surnameError')).not.toBe('');
    expect(await page.textContent('.wpwl-hint-expiryError')).toBe('Wann?');
    // The first field that is wrong gets the focus, after its frame was notified: what is typed before may be lost.
    await page.waitForFunction("document.activeElement?.name === 'card.number'");
    await page.fill('[name="customer.givenName"]', ' Jane ');
    await page.fill('[name="customer.surname"]', 'Jones');
    await typeCard(page, CARD, { holder: false });
    const form = await posted(page, () => page.click(PAY));
    expect(Object.fromEntries(form)).toMatchObject({
      'card.holder': 'Jane Jones',
      'customer.givenName': 'Jane',
      'customer.surname': 'Jones',
    });
    await endOf(page);
    expect(await page.evaluate('window.name')).toBe('["rgb(1, 2, 3)","4px"]');
    expect(await widget.status(id)).toMatchObject({ card: { holder: 'Jane Jones' } });
    expect(faults).toEqual([]);
    await page.close();
  });

  describe('on a gateway whose clock is set', () => {
    const MINUTE_MS = 60_000;
    let gateway: HttpHarness;
    beforeAll(async () => {
      gateway = await openHttpHarness();
    });
    afterAll(() => gateway.dispose());

    it('the shopper and the shop see that the checkout has expired: with the form open, and with a new page', async () => {
      const { id } = (await gateway.post('/v1/checkouts', PURCHASE)).body;
      const { page } = await openPage(widget.browser);
      const options = '{ onError: (error) => { window.reported = [error.name, error.message]; } }';
      await page.goto(widget.page({ checkoutId: id, options, gateway: gateway.url }));
      await typeCard(page, CARD);
      await gateway.clock.advance(30 * MINUTE_MS);
      await page.click(PAY);
      await page.waitForFunction('window.reported');
      expect(await page.textContent('.wpwl-container-card .wpwl-message')).toContain('expired');
      expect(await page.evaluate('reported')).toEqual([
        'InvalidCheckoutIdError',
        expect.stringMatching(/30 minutes|expired/),
      ]);
      await page.reload();
      await page.waitForSelector('.wpwl-container-error');
      expect(await page.evaluate('reported[0]')).toBe('InvalidCheckoutIdError');
      expect(await page.textContent('.wpwl-container-error')).toContain('expired');
      expect(await gateway.transactions()).toEqual([]);
      await page.close();
    });
  });
}
