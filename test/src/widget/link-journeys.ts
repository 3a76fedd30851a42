import { beforeAll, expect, it } from 'vitest';
import { MOST_SHIFT, primaryButtons, seriousFaults, shiftOf, watchShifts } from './page-measures.js';
import { PICTURES } from './pictures.js';
import { openPage, PAY, PURCHASE, typeCard, type WidgetStack } from './widget-stack.js';

/** What shoppers see of a payment link. @param started the stack that all journeys share */
export function linkJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });
  /** Most of the page on a phone, in pixels: all methods, and the fields of a card. */
  const MOST_HEIGHT = 1_650;
  const PHONE = { viewport: { width: 390, height: 844 } };
  /** What is English wherever it stands in a German page. */
  const ENGLISH =
    /Invoice|Pay |Terms|Privacy|Order\b|Country|Direct debit|Prepayment|\(test\)|Card\b|Thank|Paid|Reference|Print|Germany|EUR\b/;

  it('a shopper pays by a link, after a card that is declined', async () => {
    const { id, link } = await widget.send('POST', '/paybylink/v1', {
      ...PURCHASE,
      merchantInvoiceId: 'invoice-0007',
      collectBilling: 'city',
      'layout.logo': `${widget.shop.url}/logo`,
      'layout.payButtonColor': '#0a5c36',
    });
    const { page, faults } = await openPage(widget.browser, PHONE);
    await page.goto(String(link));
    await typeCard(page, '4200000000000000', { holder: '800.100.152' });
    await page.fill('[name="billing.city"]', 'Berlin');
    const color = await page.evaluate(`getComputedStyle(document.querySelector('${PAY}')).backgroundColor`);
    expect(color).toBe('rgb(10, 92, 54)');
    expect(widget.shop.requestedUrls).toContain('/logo');
    expect(faults).toEqual([]);
    await page.click(PAY);
    await page.waitForSelector('#declined');
    await typeCard(page, '4200000000000000');
    await page.click(PAY);
    await page.waitForSelector('#outcome');
    expect(await page.textContent('#outcome')).toBe('Thank you');
    expect(await widget.send('GET', `/paybylink/v1/${id}`)).toMatchObject({ state: 'paid' });
    await page.close();
  });

  it('the page of a link is short and wholly in its language, and ends with a receipt', async () => {
    const { link } = await widget.send('POST', '/paybylink/v1', {
      ...PURCHASE,
      amount: '1234.50',
      merchantInvoiceId: 'R-2031-07',
      'merchant.name': 'Müller & Söhne',
      locale: 'de',
      collectBilling: 'city,country',
      mandatoryBilling: 'country',
      termsAndConditionsUrl: 'https://shop.example/agb',
      privacyPolicyUrl: 'https://shop.example/datenschutz',
      'cart.items[0].name': 'Kaffee',
      'cart.items[0].quantity': '2',
      'cart.items[0].price': '617.25',
      'cart.items[0].totalAmount': '1234.50',
    });
    const { page, faults } = await openPage(widget.browser, { ...PHONE, colorScheme: 'dark' });
    await watchShifts(page);
    await page.addInitScript('window.print = () => { window.printed = true; }');
    await page.goto(String(link));
    await page.frameLocator('iframe[name="card.number"]').locator('#field:enabled').waitFor();
    expect(await shiftOf(page)).toBeLessThan(MOST_SHIFT);
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    console.log(`payment link on a phone: ${height} px, layout shift ${await shiftOf(page)}`);
    expect(height).toBeLessThan(MOST_HEIGHT);
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    expect((await page.textContent('.price'))?.replaceAll('\u00a0', ' ')).toBe('1.234,50 €');
    expect((await page.textContent('table.lines'))?.replaceAll('\u00a0', ' ')).toBe(
      'Bestellung2 × Kaffee1.234,50 €',
    );
    const names = await page.locator('.wpwl-method-name').allTextContents();
    expect(names.slice(0, 4)).toEqual(['Wallet A (Test)', 'Wallet B (Test)', 'Wallet C (Test)', 'Karte']);
    expect(names.slice(4)).toEqual(expect.arrayContaining(['PayPal', 'Lastschrift', 'Überweisung']));
    expect(await primaryButtons(page).count()).toBe(1);
    await page.selectOption('[name="billing.country"]', { label: 'Deutschland' });
    expect(await page.inputValue('[name="billing.country"]')).toBe('DE');
    expect(await page.innerText('body')).not.toMatch(ENGLISH);
    expect(await seriousFaults(page)).toEqual([]);
    await page.screenshot({ path: `${PICTURES}/link-phone-dark.png`, fullPage: true });
    await typeCard(page, '4200000000000000');
    await page.click(PAY);
    await page.waitForSelector('#receipt');
    expect(await page.textContent('#outcome')).toBe('Vielen Dank');
    const receipt = (await page.innerText('#receipt')).replaceAll('\u00a0', ' ').split('\n');
    expect(receipt).toEqual(expect.arrayContaining(['Müller & Söhne', '1.234,50 €', 'R-2031-07']));
    expect(receipt.at(-1)).toMatch(/^\d+\. \p{L}+ 20\d\d/u);
    expect(await page.innerText('body')).not.toMatch(ENGLISH);
    await page.click('#print');
    expect(await page.evaluate('window.printed')).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.isVisible('#print')).toBe(false);
    await page.emulateMedia({ media: null });
    expect(await seriousFaults(page)).toEqual([]);
    await page.screenshot({ path: `${PICTURES}/link-receipt.png`, fullPage: true });
    // The receipt comes by e-mail, too.
    await page.fill('#email', 'unknown');
    await page.click('form .go');
    expect(await page.evaluate("document.querySelector('#email').validity.valid")).toBe(false);
    await page.fill('#email', 'jane@shop.example');
    await page.click('form .go');
    expect(await page.textContent('#mailing[role=status]')).toBe('Der Beleg ist unterwegs zu Ihnen.');
    expect(await seriousFaults(page)).toEqual([]);
    const { text, isEnciphered } = await widget.mails.to('jane@shop.example');
    expect(isEnciphered).toBe(true);
    expect(text).toContain('multipart/alternative');
    expect(text).toMatch(/Referenz: R-2031-07/);
    await page.screenshot({ path: `${PICTURES}/link-receipt-sent.png`, fullPage: true });
    // Who opens the link again sees the same.
    await page.goto(String(link));
    expect(await page.textContent('#outcome')).toBe('Vielen Dank');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('a receipt goes to no address that is none, and to few: what was entered stays, and the text states why', async () => {
    const { id, link } = await widget.send('POST', '/paybylink/v1', { ...PURCHASE, locale: 'de' });
    const { page } = await openPage(widget.browser, PHONE);
    await page.goto(String(link));
    await typeCard(page, '4200000000000000');
    await page.click(PAY);
    await page.waitForSelector('#receipt');
    // A browser that checks no address of its own.
    await page.evaluate("document.querySelector('form').noValidate = true");
    await page.fill('#email', 'jane@shop.example, eve@shop.example');
    await page.click('form .go');
    expect(await page.getAttribute('#email', 'aria-invalid')).toBe('true');
    expect(await page.textContent('#mailing[role=alert]')).toContain('Geben Sie eine E-Mail-Adresse ein');
    expect(await seriousFaults(page)).toEqual([]);
    for (const name of ['one', 'two', 'three']) {
      await page.fill('#email', `${name}-${id}@shop.example`);
      await page.click('form .go');
      await page.waitForSelector('#mailing[role=status]');
    }
    await page.fill('#email', `four-${id}@shop.example`);
    await page.click('form .go');
    expect(await page.textContent('#mailing[role=alert]')).toContain('Es wurden zu viele Belege gesendet');
    await page.close();
  });

  it('a link without a language speaks that of the browser, from right to left too', async () => {
    const { link } = await widget.send('POST', '/paybylink/v1', {
      ...PURCHASE,
      merchantInvoiceId: 'R-2031-08',
      termsAndConditionsUrl: 'https://shop.example/terms',
    });
    const { page } = await openPage(widget.browser, { ...PHONE, locale: 'ar-EG' });
    await page.goto(String(link));
    await page.waitForSelector(PAY);
    expect(await page.getAttribute('html', 'dir')).toBe('rtl');
    expect(await page.textContent('main > p:last-child')).toBe('الشروط والأحكام');
    await page.screenshot({ path: `${PICTURES}/link-phone-rtl.png`, fullPage: true });
    await page.close();
    const unknown = await fetch(`${widget.stack.url}/pay/${'0'.repeat(32)}`, {
      headers: { 'accept-language': 'xx, fr;q=0.9' },
    });
    expect(await unknown.text()).toContain('Ce lien n’est pas utilisable');
  });
}
