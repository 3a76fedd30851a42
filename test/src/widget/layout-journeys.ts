import { beforeAll, expect, it } from 'vitest';
import { MOST_SHIFT, primaryButtons, seriousFaults, shiftOf, watchShifts } from './page-measures.js';
import { PICTURES } from './pictures.js';
import { openMethod, openPage, PAY, type WidgetStack } from './widget-stack.js';

/** How the form looks, and how its methods open. @param started the stack that all journeys share */
export function layoutJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });
  const BRANDS = 'VISA MASTER DIRECTDEBIT_SEPA PAYPAL APPLEPAY WALLETC';
  /** Least distance of an error from its field, most above the button of a wallet, in pixels. */
  const LEAST_GAP = 4;
  const MOST_ABOVE = 24;

  it.each([
    ['light', 390],
    ['dark', 1024],
  ] as const)(
    'methods are an accordion with wallets first, and one button pays (%s)',
    async (colorScheme, width) => {
      const { id } = await widget.checkout();
      const { page, faults } = await openPage(widget.browser, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      await watchShifts(page);
      const head = '<style>:root{color-scheme:light dark}body{background:light-dark(#fff,#12151c)}</style>';
      const around = ['', '<p>Unter dem Formular.</p>'] as const;
      const options = "{ locale: 'de' }";
      await page.goto(widget.page({ checkoutId: id, brands: BRANDS, options, head, around }));
      await page.frameLocator('iframe[name="card.number"]').locator('#field:enabled').waitFor();
      expect(await page.locator('.wpwl-method-name').allTextContents()).toEqual([
        'Apple Pay (Test)',
        'Wallet C (Test)',
        'Karte',
        'SEPA-Lastschrift',
        'PayPal',
      ]);
      expect(await primaryButtons(page).allTextContents()).toEqual(['12,34\u00a0€ bezahlen']);
      expect(await shiftOf(page)).toBeLessThan(MOST_SHIFT);
      expect(await seriousFaults(page)).toEqual([]);
      await page.screenshot({ path: `${PICTURES}/accordion-${colorScheme}.png`, fullPage: true });

      // The keyboard alone opens another method.
      await page.focus('.wpwl-container-directDebit .wpwl-method');
      await page.keyboard.press('Enter');
      expect(await page.isVisible('[name="bankAccount.iban"]')).toBe(true);
      expect(await primaryButtons(page).count()).toBe(1);
      expect(await page.getAttribute('.wpwl-container-card .wpwl-method', 'aria-expanded')).toBe('false');
      await openMethod(page, 'virtualAccount-APPLEPAY');
      const [header, button] = await Promise.all([
        page.locator('.wpwl-container-virtualAccount-APPLEPAY .wpwl-method').boundingBox(),
        primaryButtons(page).boundingBox(),
      ]);
      expect((button?.y ?? 0) - (header?.y ?? 0) - (header?.height ?? 0)).toBeLessThan(MOST_ABOVE);
      expect(await seriousFaults(page)).toEqual([]);
      // The shop sends a form that is not open.
      await page.evaluate("wpwl.executePayment('wpwl-container-card')");
      await page.waitForSelector('.wpwl-container-card .wpwl-hint-cardNumberError', { state: 'visible' });
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it('fields have no scroll bars and no label twice, expiry and code share a row, errors keep their distance', async () => {
    const { id } = await widget.checkout();
    const { page } = await openPage(widget.browser, { viewport: { width: 320, height: 800 } });
    await page.goto(widget.page({ checkoutId: id }));
    const fields = ['card.number', 'card.cvv'].map((name) =>
      page.frameLocator(`iframe[name="${name}"]`).locator('#field:enabled'),
    );
    for (const field of fields) {
      await field.waitFor();
      const scroll = await field.evaluate(({ ownerDocument: { documentElement, body } }) =>
        [documentElement, body].map((each) => [
          each.scrollHeight > each.clientHeight,
          each.scrollWidth > each.clientWidth,
        ]),
      );
      expect(scroll.flat()).not.toContain(true);
      expect(await field.getAttribute('placeholder')).toBe('');
    }
    const placeholders = await page
      .locator('.wpwl-form input[type=text]')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('placeholder')));
    expect(placeholders).toEqual(['MM / YY', null]);
    const [expiry, code] = await Promise.all(
      ['.wpwl-control-expiry', '.wpwl-control-cvv'].map((selector) => page.locator(selector).boundingBox()),
    );
    expect(code?.y).toBeCloseTo(expiry?.y ?? 0, 0);
    expect(code?.x).toBeGreaterThan((expiry?.x ?? 0) + (expiry?.width ?? 0));
    expect(await page.textContent(PAY)).toBe('Pay €12.34');
    await page.click(PAY);
    await page.waitForSelector('.wpwl-hint-expiryError');
    const gaps = await page.evaluate<number[]>(`['cardNumber', 'expiry', 'cvv'].map((name) => {
      const text = document.createRange();
      text.selectNodeContents(document.querySelector('.wpwl-hint-' + name + 'Error'));
      return text.getBoundingClientRect().top - document.querySelector('.wpwl-control-' + name).getBoundingClientRect().bottom;
    })`);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(LEAST_GAP);
    await page.screenshot({ path: `${PICTURES}/errors.png`, fullPage: true });
    await page.close();
  });

  it('a shop may want all methods open: nothing stands above the button of a wallet', async () => {
    const { id } = await widget.checkout();
    const { page } = await openPage(widget.browser);
    await page.goto(
      widget.page({ checkoutId: id, brands: 'APPLEPAY GOOGLEPAY VISA', options: '{ accordion: false }' }),
    );
    await page.waitForSelector(PAY);
    const above = await page.evaluate<
      number[]
    >(`[...document.querySelectorAll('[class*=wpwl-container-virtualAccount]')].map((each) =>
      each.querySelector('.wpwl-button-pay').getBoundingClientRect().top - each.getBoundingClientRect().top)`);
    expect(above).toHaveLength(2);
    expect(Math.max(...above)).toBeLessThan(MOST_ABOVE);
    expect(await primaryButtons(page).count()).toBe(3);
    await page.close();
  });
}
