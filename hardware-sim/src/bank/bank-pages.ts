import { escapeHtml, type HtmlPage, htmlPage } from '@tillbridge/platform/http/post-page.js';
import { localizedAmount } from '@tillbridge/wire/shopper/localized-amount.js';
import { pageTexts } from '@tillbridge/wire/shopper/page-texts.js';
import type { ShopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import type { BankEntry } from '@tillbridge/wire/simulated-bank/bank-payments.js';

/** The page on which the customer decides. */
export function decisionPage({ brand, amount, currency, token }: BankEntry, locale: ShopperLocale): HtmlPage {
  const texts = pageTexts(locale.language);
  const button = (decision: 'approve' | 'refuse' | 'leave') =>
    `<button id="${decision}" name="decision" value="${decision}">${escapeHtml(texts[decision])}</button>`;
  const price = localizedAmount(locale.tag, amount, currency);
  return bankPage(
    `<h1>${escapeHtml(brand)}</h1><p id="amount">${escapeHtml(price)}</p>` +
      `<form method="post" action="/pay"><input type="hidden" name="token" value="${escapeHtml(token)}">` +
      `${button('approve')} ${button('refuse')} ${button('leave')}</form>`,
    locale,
  );
}

/** The page of a payment that was decided before. */
export function decidedPage({ state, returnUrl }: BankEntry, locale: ShopperLocale): HtmlPage {
  const texts = pageTexts(locale.language);
  return bankPage(
    `<p id="state">${state === 'open' ? '' : escapeHtml(texts[state])}</p><p><a id="back" href="${escapeHtml(returnUrl)}">${escapeHtml(texts.backToShop)}</a></p>`,
    locale,
  );
}

/** The page of a customer who leaves; the bank notifies no merchant. */
export function leftPage(locale: ShopperLocale): HtmlPage {
  return bankPage(`<p id="left">${escapeHtml(pageTexts(locale.language).left)}</p>`, locale);
}

function bankPage(body: string, locale: ShopperLocale): HtmlPage {
  return htmlPage(pageTexts(locale.language).simulatedBank, body, { locale });
}
