import type { Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  BILLING,
  bankFrame,
  openMethod,
  openPage,
  PAY,
  PURCHASE,
  typeCard,
  type WidgetStack,
} from './widget-stack.js';

/** A card with a method call and a challenge. */
const METHOD_CHALLENGE = '4200000000000042';
const METHOD_PATH = '**/acs/method';
/** What is the same in every language: names of brands, of merchants, of protocols, and what the purchase calls so. */
const NAMES = new RegExp(
  [
    'American Express|Asyacard|ASYACARD|AXESS|Apple Pay|BONUS|Carte Bancaire|Carte Bleue|Dankort|Diners Club|Discover|Google Pay|Hipercard|JCB',
    'Maestro|Mastercard|PayPal|PAYPAL|Samsung Pay|Skrill|Sofort|V PAY|Visa Electron|VISA|Visa|WORLD|Wallet [ABC]|eps|giropay|iDEAL',
    'Development channel|Shop 7|R-2031-09|IBAN|BIC|SEPA|EUR|UTC|3D Secure',
  ].join('|'),
  'g',
);
/** Words of other languages that are written like the English ones. */
const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  de: ['Code', 'Shop', 'Wallet', 'Test'],
  ar: [],
};

/** The page of the shop has no words of its own. */
const WITHOUT_SHOP = [
  '<script>document.querySelector("h1").remove(); document.title = "";</script>',
  '',
] as const;

/** What a page and its frames show or read out: texts, titles, labels of what can be used. */
async function textsOf(page: Page): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const frame of page.frames()) for (const text of await textsIn(frame)) found.add(text);
  return found;
}

/** Countries are named by the browser; they are looked at where an address is collected. */
function textsIn(frame: Frame): Promise<string[]> {
  return frame
    .evaluate<string[]>(`(() => {
      const texts = [document.title];
      const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
      while (walker.nextNode())
        if (!walker.currentNode.parentElement.closest('script, style, noscript, svg, [aria-hidden=true], select[name$=country]'))
          texts.push(walker.currentNode.textContent);
      for (const element of document.querySelectorAll(':not([aria-hidden=true])'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '');
      return texts.map((text) => text.trim()).filter((text) => /\\p{L}{2}/u.test(text));
    })()`)
    .catch(() => []);
}

/** Every page that a shopper meets, from the form to the receipt, as the texts that stand on it. */
async function textsOfPages(
  widget: WidgetStack,
  locale: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const pages = new Map<string, ReadonlySet<string>>();
  const note = async (name: string, page: Page): Promise<void> => void pages.set(name, await textsOf(page));
  for (const visit of [visitForm, visitBank, visitLink, visitOther]) {
    const { page } = await openPage(widget.browser, { locale });
    await visit(widget, page, locale, (name) => note(name, page));
    await page.close();
  }
  return pages;
}

type Visit = (
  widget: WidgetStack,
  page: Page,
  locale: string,
  note: (name: string) => Promise<void>,
) => Promise<void>;

const visitForm: Visit = async (widget, page, locale, note) => {
  const { id } = await widget.checkout();
  const options = `{ locale: '${locale}', applePay: { total: { label: 'Shop 7' } } }`;
  const brands = 'VISA MASTER DIRECTDEBIT_SEPA PAYPAL APPLEPAY GOOGLEPAY PREPAYMENT';
  await page.goto(widget.page({ checkoutId: id, brands, options, around: WITHOUT_SHOP }));
  await page.frameLocator('iframe[name="card.number"]').locator('#field:enabled').waitFor();
  await page.click(PAY);
  await page.waitForSelector('.wpwl-hint-expiryError');
  await note('the form with its errors');
  await openMethod(page, 'directDebit');
  await page.click('.wpwl-container-directDebit .wpwl-button-pay');
  await page.waitForSelector('.wpwl-container-directDebit [class*=Error]');
  await note('the direct debit with its errors');
  await openMethod(page, 'virtualAccount-APPLEPAY');
  await page.click('.wpwl-container-virtualAccount-APPLEPAY .wpwl-button-pay');
  await page.frameLocator('dialog.wpwl-sheet iframe').frameLocator('#sheet').locator('#pay').waitFor();
  await note('the sheet of a wallet');
};

const visitBank: Visit = async (widget, page, locale, note) => {
  const { id } = await widget.checkout(BILLING, 'threeDSecureMerchant');
  // The bank does not notify: the page of the method call stays until it is continued.
  await page.route(METHOD_PATH, (route) => route.abort());
  await page.goto(widget.page({ checkoutId: id, options: `{ locale: '${locale}' }`, around: WITHOUT_SHOP }));
  await typeCard(page, METHOD_CHALLENGE);
  await page.click(PAY);
  const method = await frameWith(page, '#end button');
  await note('the method call of 3D Secure');
  await method.click('#end button');
  const bank = await bankFrame(page);
  await bank.fill('#code', '0000');
  await bank.click('#confirm');
  await bank.waitForSelector('#tries');
  await note('the challenge after a wrong code');
};

const visitLink: Visit = async (widget, page, locale, note) => {
  const { link } = await widget.send('POST', '/paybylink/v1', {
    ...PURCHASE,
    'merchant.name': 'Shop 7',
    merchantInvoiceId: 'R-2031-09',
    'cart.items[0].name': 'R-2031-09',
    'cart.items[0].totalAmount': '12.34',
    collectBilling: 'all',
    termsAndConditionsUrl: 'https://shop.example/terms',
    privacyPolicyUrl: 'https://shop.example/privacy',
  });
  await page.goto(String(link));
  await typeCard(page, '4200000000000000', { holder: '800.100.152' });
  await page.fill('[name="billing.city"]', 'R-2031-09');
  await page.click(PAY);
  await page.waitForSelector('#declined');
  await note('the page of a link after a decline');
  await typeCard(page, '4200000000000000');
  await page.click(PAY);
  await page.waitForSelector('#receipt');
  await note('the receipt');
  await page.evaluate("document.querySelector('form').noValidate = true");
  await page.click('form .go');
  await page.waitForSelector('#mailing[role=alert]');
  await note('the receipt without an address');
  await page.fill('#email', `${locale}@shop.example`);
  await page.click('form .go');
  await page.waitForSelector('#mailing[role=status]');
  await page.fill('#email', '');
  await note('the receipt that was sent');
};

const visitOther: Visit = async (widget, page, _locale, note) => {
  await page.goto(`${widget.stack.url}/pay/${'0'.repeat(32)}`);
  await note('a link that is not there');
  const { link } = await widget.send('POST', '/paybylink/v1', PURCHASE);
  await page.goto(String(link));
  await openMethod(page, 'virtualAccount-PAYPAL');
  await page.click('.wpwl-container-virtualAccount-PAYPAL .wpwl-button-pay');
  await page.waitForSelector('#leave');
  const bank = page.url();
  await note('the page of a bank');
  await page.click('#leave');
  await page.waitForSelector('#left');
  await note('the page of a bank that was left');
  await page.goto(String(link));
  await page.waitForSelector(`#outcome, ${PAY}`);
  await note('a link whose payment waits');
  await page.goto(bank);
  await Promise.all([page.waitForURL(/\/pay\/.*result|\/pay\//), page.click('#refuse')]);
  await page.goto(bank);
  await page.waitForSelector('#state');
  await note('the page of a bank after the decision');
};

/** The frame of the page that has an element, once there is one. */
async function frameWith(page: Page, selector: string): Promise<Frame> {
  for (;;) {
    for (const frame of page.frames()) if ((await frame.$(selector).catch(() => null)) !== null) return frame;
    await page.waitForEvent('framenavigated', { timeout: 250 }).catch(() => undefined);
  }
}

/** Texts that stand on a page in English and in the other language alike, although they have words. */
function leftovers(
  locale: string,
  english: ReadonlySet<string>,
  texts: ReadonlySet<string>,
): readonly string[] {
  return [...texts].filter((text) => {
    if (!english.has(text) || SAME_WORDS[locale]?.includes(text.replace(/:$/, ''))) return false;
    return /\p{L}{2}/u.test(text.replaceAll(NAMES, ''));
  });
}

/** The language of the pages around a payment. @param started the stack that all journeys share */
export function textJourneys(started: () => WidgetStack): void {
  describe('the language of the pages that a shopper meets', () => {
    let widget: WidgetStack;
    let english: ReadonlyMap<string, ReadonlySet<string>>;
    beforeAll(async () => {
      widget = started();
      english = await textsOfPages(widget, 'en');
    });

    it.each(Object.keys(SAME_WORDS))('is %s, and no English text is left', async (locale) => {
      const pages = await textsOfPages(widget, locale);
      expect([...pages.keys()]).toEqual([...english.keys()]);
      const left = [...pages].map(
        ([name, texts]) => [name, leftovers(locale, english.get(name) ?? new Set(), texts)] as const,
      );
      expect(left.filter(([, texts]) => texts.length > 0)).toEqual([]);
      expect([...pages].filter(([, texts]) => texts.size === 0)).toEqual([]);
    });
  });
}
