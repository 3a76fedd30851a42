import { escapeHtml, type HtmlPage } from '@tillbridge/platform/http/post-page.js';
import { resultGroup } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import { formPlace, type PlacedForm, shopperPage } from '../widget/form-page.js';
import { PAGE_STYLE } from '../widget/page-style.js';
import { type DemoAnswer, GOODS, MAX_PIECES } from './demo-shop.js';

const STYLE = PAGE_STYLE;
const LOCALES = ['en', 'de', 'fr', 'es', 'ar', 'ja'];
const STYLES = ['card', 'logos', 'plain'];

/** Cards to try, and what comes of them. */
const TEST_CARDS = [
  ['4200 0000 0000 0000', 'approved'],
  ['5454 5454 5454 5454', 'approved, Mastercard'],
  ['3777 777777 77770', 'approved, four digits of code'],
  ['4200 0000 0000 0067', 'with 3D Secure: your bank asks for a code; it is 1234'],
] as const;

const DRAWINGS: Readonly<Record<(typeof GOODS)[number]['id'], string>> = {
  coffee:
    '<path d="M60 20h40l8 70H52z" fill="#8b5a2b"/><rect x="60" y="45" width="40" height="22" fill="#f3e3cf"/>',
  tea: '<rect x="55" y="25" width="50" height="65" rx="6" fill="#4e8d5b"/><circle cx="80" cy="56" r="14" fill="#e4f1e4"/>',
  cup: '<path d="M50 35h50v30a20 20 0 0 1-20 20H70a20 20 0 0 1-20-20z" fill="#5b8def"/><path d="M100 42h12v20h-12" fill="none" stroke="#5b8def" stroke-width="6"/>',
};

/** The goods, and what the shopper may choose. */
export function shopPage(): HtmlPage {
  const goods = GOODS.map(
    ({ id, name, cents }, at) =>
      `<li><svg viewBox="0 0 160 110" aria-hidden="true">${DRAWINGS[id]}</svg><h2>${name}</h2><p class="price">€${(cents / 100).toFixed(2)}</p><label>Pieces <input type="number" name="${id}" min="0" max="${MAX_PIECES}" value="${at === 0 ? 1 : 0}"></label></li>`,
  );
  const choice = (name: string, label: string, values: readonly string[]) =>
    `<label>${label} <select name="${name}">${values.map((value) => `<option>${value}</option>`).join('')}</select></label>`;
  return shopperPage({
    title: 'Demo shop',
    style: STYLE,
    body: `<main><h1>Demo shop</h1><p class="soft">Test mode: no money moves, nothing is sent.</p>
<form method="post" action="/demo/checkouts"><ul class="goods">${goods.join('')}</ul>
<p><label><input type="checkbox" name="confirmed" value="true"> 3D Secure</label>${choice('locale', 'Language', LOCALES)}${choice('style', 'Style', STYLES)}</p>
<button class="go">Checkout</button></form></main>`,
  });
}

/** What the checkout page is made of; its values came through the address of the page. */
interface DemoCheckout {
  readonly id: string;
  readonly integrity: string;
  readonly locale: string;
  readonly style: string;
  readonly shopperResultUrl: string;
}

/** The payment form, and the cards that may be tried. */
export function checkoutPage({ id, integrity, locale, style, shopperResultUrl }: DemoCheckout): HtmlPage {
  const form: PlacedForm = {
    checkoutId: id,
    integrity,
    shopperResultUrl,
    brands: 'VISA MASTER AMEX APPLEPAY GOOGLEPAY DIRECTDEBIT_SEPA PAYPAL',
    options: { locale, style, showCVVHint: true },
  };
  const rows = TEST_CARDS.map(
    ([number, what]) => `<tr><td><code>${number}</code></td><td>${escapeHtml(what)}</td></tr>`,
  );
  return shopperPage({
    title: 'Checkout',
    style: STYLE,
    form,
    body: `<main><h1>Checkout</h1><div class="columns"><section class="box"><h2>Cards to try</h2>
<table><thead><tr><th>Number</th><th>Comes out as</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<p class="soft">Any expiry date to come, any security code. The cardholder <code>800.100.152</code> is declined, as is any result code in
its place. SEPA: <code>AT611904300234573201</code>.</p><p><a href="/demo">Back to the goods</a></p></section>
<div>${formPlace(form)}</div></div></main>`,
  });
}

/** How a payment ended. @param again where the shopper may try again */
export function outcomePage(answer: DemoAnswer, again: string): HtmlPage {
  const { result, amount, currency, paymentBrand, card, id } = answer;
  const group = resultGroup(result.code);
  const isPaid = group === 'success';
  const isOpen = group === 'pending-short';
  const title = isPaid ? 'Thank you' : isOpen ? 'Not paid yet' : 'Not paid';
  const rows = [
    ['Result', `${result.code} ${result.description}`],
    ['Amount', amount && `${amount} ${currency ?? ''}`],
    ['Paid with', paymentBrand && `${paymentBrand} ${card?.last4Digits ? `•••• ${card.last4Digits}` : ''}`],
    ['Payment', id],
  ].flatMap(([name, value]) => (value ? `<tr><th>${name}</th><td>${escapeHtml(value)}</td></tr>` : []));
  return shopperPage({
    title,
    style: STYLE,
    body: `<main><section class="box"><h1 id="outcome">${title}</h1><table><tbody>${rows.join('')}</tbody></table>
${isPaid ? '' : `<p><a class="go" href="${escapeHtml(again)}">Try again</a></p>`}<p><a href="/demo">Back to the goods</a></p></section></main>`,
  });
}
