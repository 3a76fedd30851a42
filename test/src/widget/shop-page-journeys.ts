import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { MOST_SHIFT, seriousFaults, shiftOf, watchShifts } from './page-measures.js';
import { PICTURES } from './pictures.js';
import { endOf, openPage, PAY, typeCard, type WidgetStack } from './widget-stack.js';

/** What pages of shops see of the script and the form. @param started the stack that all journeys share */
export function shopPageJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });
  /** Most bytes of the script as it is sent. */
  const MOST_BYTES = 30_000;
  const CARD = '4200000000000000';

  const number = (page: Page) => page.frameLocator('iframe[name="card.number"]').locator('#field');
  /** The form is there and can be typed in. */
  const isReady = (page: Page) =>
    number(page).and(page.frameLocator('iframe[name="card.number"]').locator(':enabled')).waitFor();

  describe('the script', () => {
    it('is small as it is sent', async () => {
      const response = await fetch(`${widget.stack.url}/v1/paymentWidgets.js`);
      const bytes = gzipSync(await response.text(), { level: 9 }).length;
      console.log(`paymentWidgets.js: ${bytes} bytes of gzip`);
      expect(bytes).toBeLessThan(MOST_BYTES);
      expect(response.headers.get('content-encoding')).toBe('gzip');
    });

    it('runs under a strict policy with the hash that its checkout was given; with a wrong one it does not', async () => {
      const { id, integrity } = await widget.checkout({ integrity: 'true' });
      expect(integrity).toMatch(/^sha384-/);
      const { url } = widget.stack;
      const policy = `default-src 'none'; script-src 'nonce-n' ${url}; frame-src ${url}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'`;
      const { page, faults } = await openPage(widget.browser);
      const tag = `integrity="${integrity}" crossorigin="anonymous"`;
      await page.goto(widget.page({ checkoutId: id, tag, policy }));
      await typeCard(page, CARD);
      await page.click(PAY);
      await endOf(page);
      expect(faults).toEqual([]);
      expect((await widget.status(id)).result.code).toBe('000.100.110');
      // One byte of the script is another one.
      await page.route('**/paymentWidgets.js*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()} ` });
      });
      const { id: second } = await widget.checkout();
      await page.goto(widget.page({ checkoutId: second, tag }));
      expect(faults.join()).toMatch(/integrity/);
      expect(await page.locator('form.paymentWidgets').count()).toBe(1);
      expect(await page.evaluate('typeof wpwl')).toBe('undefined');
      await page.close();
    });
  });

  describe('a shopper', () => {
    it('pays only with the keyboard, and sees first what is wrong', async () => {
      const { id } = await widget.checkout();
      const { page } = await openPage(widget.browser);
      await page.goto(widget.page({ checkoutId: id, options: "{ autofocus: 'paymentBrand' }" }));
      await isReady(page);
      await page.focus('select[name=paymentBrand]');
      const keys = (text: string) => page.keyboard.type(text);
      await page.keyboard.press('Tab');
      await keys('4200000000000001');
      await page.keyboard.press('Tab');
      await keys('1231');
      await page.keyboard.press('Tab');
      await keys('123');
      await page.keyboard.press('Tab');
      await keys('Jane Jones');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.wpwl-hint-cardNumberError');
      await expect.poll(() => number(page).getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('iframe.wpwl-has-error[name="card.number"]').count()).toBe(1);
      // The focus is where the fault is.
      await expect
        .poll(() => number(page).evaluate((field) => field === field.ownerDocument.activeElement))
        .toBe(true);
      await page.keyboard.press('Backspace');
      await keys('0');
      await page.waitForSelector('.wpwl-hint-cardNumberError', { state: 'detached' });
      await page.keyboard.press('Enter');
      await endOf(page);
      expect((await widget.status(id)).result.code).toBe('000.100.110');
      await page.close();
    });

    it('reads and pays from right to left', async () => {
      const { id } = await widget.checkout();
      const { page } = await openPage(widget.browser, { viewport: { width: 360, height: 800 } });
      await page.goto(widget.page({ checkoutId: id, options: "{ locale: 'ar' }" }));
      await isReady(page);
      expect(await page.getAttribute('form.wpwl-form-card', 'dir')).toBe('rtl');
      expect(await page.textContent(PAY)).toMatch(/^ادفع .*12/);
      await expect.poll(() => number(page).evaluate((field) => field.style.textAlign)).toBe('right');
      const [label, field] = await Promise.all(
        ['.wpwl-label-cardHolder', '.wpwl-control-cardHolder'].map((selector) =>
          page.locator(selector).boundingBox(),
        ),
      );
      expect((label?.x ?? 0) + (label?.width ?? 0)).toBeCloseTo((field?.x ?? 0) + (field?.width ?? 0), 0);
      await page.screenshot({ path: `${PICTURES}/rtl.png` });
      await typeCard(page, CARD);
      await page.click(PAY);
      await endOf(page);
      await page.close();
    });
  });

  describe('the form', () => {
    it.each([
      ['phone', 320, 'light', 'card'],
      ['tablet', 820, 'dark', 'card'],
      ['desktop', 1280, 'light', 'plain'],
      ['logos', 1280, 'dark', 'logos'],
    ] as const)('on a %s is accessible, fits, and moves nothing', async (name, width, colorScheme, style) => {
      const { id } = await widget.checkout();
      const { page, faults } = await openPage(widget.browser, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      await watchShifts(page);
      const head = '<style>:root{color-scheme:light dark}</style>';
      const around = ['', '<p id="below">Below the form.</p>'] as const;
      const options = `{ style: '${style}', showCVVHint: true }`;
      const brands = name === 'desktop' ? 'VISA DIRECTDEBIT_SEPA PAYPAL' : 'VISA MASTER';
      await page.goto(widget.page({ checkoutId: id, head, around, options, brands }));
      await isReady(page);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.click(PAY);
      await page.waitForSelector('.wpwl-hint-cardNumberError');
      expect(await seriousFaults(page)).toEqual([]);
      expect(await shiftOf(page)).toBeLessThan(MOST_SHIFT);
      await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
      expect(faults).toEqual([]);
      await page.close();
    });
  });
}
