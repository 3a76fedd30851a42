import type { Browser } from 'playwright-core';
import {
  BILLING,
  bankFrame,
  openPage,
  PAY,
  PURCHASE,
  typeCard,
  type WidgetStack,
} from '../widget/widget-stack.js';
import { withWidgetStack } from '../widget/with-widget-stack.js';
import type { Shoot } from './panel-page.js';

const HEAD =
  '<style>:root{color-scheme:light dark}body{margin:1rem;background:light-dark(#fff,#12151c);color:light-dark(#1b2130,#eef1f7)}</style>';
const BRANDS = 'VISA MASTER AMEX APPLEPAY GOOGLEPAY DIRECTDEBIT_SEPA PAYPAL';

/** Takes pictures of the payment form, a bank, and a payment link, in three languages. */
export function formPictures(_browser: Browser, shoot: Shoot): Promise<void> {
  return withWidgetStack(async (widget) => {
    for (const locale of ['en', 'de', 'ar']) await formIn(widget, locale, shoot);
    await challenge(widget, shoot);
    for (const locale of ['en', 'de', 'ar']) await linkIn(widget, locale, shoot);
  });
}

async function formIn(widget: WidgetStack, locale: string, shoot: Shoot): Promise<void> {
  const { id } = await widget.checkout();
  const { page } = await openPage(widget.browser);
  await page.goto(
    widget.page({ checkoutId: id, brands: BRANDS, options: `{ locale: '${locale}' }`, head: HEAD }),
  );
  await page.frameLocator('iframe[name="card.number"]').locator('#field:enabled').waitFor();
  await shoot(page, locale);
  await page.click(PAY);
  await page.waitForSelector('.wpwl-hint-cardNumberError');
  await shoot(page, `${locale}-errors`);
  await page.close();
}

async function challenge(widget: WidgetStack, shoot: Shoot): Promise<void> {
  const { id } = await widget.checkout(BILLING, 'threeDSecureMerchant');
  const { page } = await openPage(widget.browser, { viewport: { width: 390, height: 844 } });
  await page.goto(widget.page({ checkoutId: id, head: HEAD }));
  await typeCard(page, '4200000000000067');
  await page.click(PAY);
  const bank = await bankFrame(page);
  await bank.fill('#code', '0000');
  await bank.click('#confirm');
  await bank.waitForSelector('#tries');
  await shoot(page, 'challenge');
  await page.close();
}

async function linkIn(widget: WidgetStack, locale: string, shoot: Shoot): Promise<void> {
  const { link } = await widget.send('POST', '/paybylink/v1', {
    ...PURCHASE,
    locale,
    merchantInvoiceId: 'R-2031-07',
    'merchant.name': 'Café am Markt',
    'cart.items[0].name': 'Espresso',
    'cart.items[0].quantity': '2',
    'cart.items[0].totalAmount': '12.34',
    termsAndConditionsUrl: 'https://shop.example/terms',
    privacyPolicyUrl: 'https://shop.example/privacy',
  });
  const { page } = await openPage(widget.browser);
  await page.goto(String(link));
  await page.frameLocator('iframe[name="card.number"]').locator('#field:enabled').waitFor();
  await shoot(page, `link-${locale}`);
  await typeCard(page, '4200000000000000');
  await page.click(PAY);
  await page.waitForSelector('#receipt');
  await shoot(page, `receipt-${locale}`);
  await page.close();
}
