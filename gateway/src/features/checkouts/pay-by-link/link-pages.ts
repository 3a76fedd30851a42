import { escapeHtml, type HtmlPage } from '@tillbridge/platform/http/post-page.js';
import { localizedAmount } from '@tillbridge/wire/shopper/localized-amount.js';
import type { ShopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import { formPlace, type PlacedForm, shopperPage } from '../widget/form-page.js';
import { PAGE_STYLE } from '../widget/page-style.js';
import type { LinkLayout } from './link-layout.js';
import { dateIn, type LinkReceipt, type Price, quantityIn } from './link-receipt.js';
import { type LinkTexts, linkTexts } from './link-texts.js';
import type { ReceiptMailing } from './mailed-receipts.js';
import type { OrderLine } from './order-lines.js';

/** What the page of a link shows in addition to the form. */
interface LinkFacts {
  /** Name of the merchant's entity. */
  readonly merchant: string;
  readonly invoice: string | undefined;
  readonly price: Price | undefined;
  readonly lines: readonly OrderLine[];
  readonly wasDeclined: boolean;
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
}

/** The form of a receipt that sends it by e-mail. */
interface MailForm {
  /** Path that it is posted to. */
  readonly action: string;
  /** What became of the last request. */
  readonly mailing: ReceiptMailing | undefined;
  /** What was entered, where that was refused. */
  readonly entered: string;
}

const SHOP_STYLE =
  '.shop{position:relative;isolation:isolate;max-width:30rem;margin:0 auto 1rem;padding:.25rem 0}' +
  '.shop:has(.back){padding:1.25rem;border-radius:.75rem;overflow:hidden}' +
  '.shop h1,.shop p{margin:0 0 .25rem}' +
  '.shop h1{font-size:1.1rem;font-weight:600;overflow-wrap:anywhere}' +
  '.shop .price{font-size:1.75rem;line-height:1.2}' +
  '.shop .back{position:absolute;inset:0;z-index:-1;width:100%;height:100%;object-fit:cover}' +
  '.shop .logo{display:block;max-width:100%;margin-bottom:.75rem;object-fit:contain}' +
  // What stands below the form is shown with it, so that the reader sees nothing move.
  'form.paymentWidgets ~ *{visibility:hidden}' +
  '.shop ~ p,.shop ~ table{max-width:30rem;margin-inline:auto}';
const LINES_STYLE =
  '.lines{margin-bottom:1rem;font-size:.9375rem}' +
  '.lines td:first-child{padding-inline-start:0}.lines td:last-child{padding-inline-end:0}' +
  '.lines caption{padding:0 0 .25rem;font-weight:600;text-align:start}' +
  '.lines td:last-child{text-align:end;white-space:nowrap}';
const RECEIPT_STYLE =
  '.box{max-width:30rem;margin:0 auto}' +
  'dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.35rem 1.25rem;margin:1.25rem 0}' +
  'dt{color:light-dark(#5b6475,#a9b2c3)}dd{margin:0;text-align:end;overflow-wrap:anywhere}' +
  'dd.price{font-size:1.25rem;line-height:1.2}' +
  'form label{display:block;margin:1rem 0 0}' +
  'form input{width:100%;min-height:3rem;padding:0 .75rem;border:1px solid light-dark(#8a93a3,#727c8f);border-radius:.375rem;background:light-dark(#fff,#171b24);color:inherit;font:inherit}' +
  'form p{margin:.5rem 0 0}form [role=alert]{color:light-dark(#b3261e,#ffb4ab)}' +
  '@media print{:root{color-scheme:light}.box{border:0}button,form{display:none!important}}';

/** Shows the dialog of the browser for printing: the receipt is the page. */
const PRINT_SCRIPT = "document.getElementById('print').addEventListener('click', () => print());";

/** The page on which a link is paid. */
export function linkPage(
  locale: ShopperLocale,
  { merchant, invoice, price, lines, wasDeclined, terms, privacy }: LinkFacts,
  form: PlacedForm,
  { pictures, style, origins }: LinkLayout,
): HtmlPage {
  const texts = linkTexts(locale.language);
  const links = [
    [texts.terms, terms],
    [texts.privacy, privacy],
  ].flatMap(([text = '', url]) =>
    url ? `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(text)}</a>` : [],
  );
  const body = [
    `<header class="shop">${pictures}<h1>${escapeHtml(merchant)}</h1>`,
    price === undefined ? '' : `<p class="price">${amountIn(locale, price)}</p>`,
    '</header>',
    invoice === undefined ? '' : `<p class="soft">${escapeHtml(`${texts.invoice} ${invoice}`)}</p>`,
    linesTable(locale, lines),
    wasDeclined ? `<p id="declined" role="alert">${escapeHtml(texts.declined)}</p>` : '',
    formPlace(form),
    links.length > 0 ? `<p>${links.join(' · ')}</p>` : '',
  ];
  return shopperPage({
    title: merchant,
    lang: locale.tag,
    dir: locale.dir,
    style: PAGE_STYLE + SHOP_STYLE + LINES_STYLE + style,
    images: origins,
    form,
    body: `<main>${body.join('')}</main>`,
  });
}

/** The page of a link that cannot be paid now. */
export function noticePage(locale: ShopperLocale, what: 'pending' | 'closed'): HtmlPage {
  const texts = linkTexts(locale.language);
  return outcomePage(locale, { title: texts[what], text: texts[`${what}Text`], more: '' });
}

/** The page of a link that was paid: a receipt that can be printed, and be sent by e-mail where there is a form for that. */
export function receiptPage(
  locale: ShopperLocale,
  { merchant, price, reference, paidAtMs, lines }: LinkReceipt,
  mailForm?: MailForm,
): HtmlPage {
  const texts = linkTexts(locale.language);
  const facts = [
    [texts.merchant, escapeHtml(merchant)],
    [texts.amount, price && amountIn(locale, price), 'price'],
    [texts.reference, reference && `<bdi>${escapeHtml(reference)}</bdi>`],
    [texts.date, paidAtMs === undefined ? undefined : escapeHtml(dateIn(locale, paidAtMs))],
  ].flatMap(([name = '', value, kind = 'text']) =>
    value ? `<dt>${escapeHtml(name)}</dt><dd class="${kind}">${value}</dd>` : [],
  );
  return outcomePage(locale, {
    title: texts.paid,
    text: texts.paidText,
    more: `<dl id="receipt">${facts.join('')}</dl>${linesTable(locale, lines)}<button type="button" id="print" class="go">${escapeHtml(texts.print)}</button>${mailForm ? mailing(texts, mailForm) : ''}`,
    script: PRINT_SCRIPT,
  });
}

/** What a shopper reads of a request for an e-mail. */
const MAILING_TEXTS = { sent: 'mailSent', wrong: 'mailWrong', tooMany: 'mailTooMany' } as const;

function mailing(texts: LinkTexts, { action, mailing: last, entered }: MailForm): string {
  const role = last === 'sent' ? 'status' : 'alert';
  const note =
    last === undefined ? '' : `<p id="mailing" role="${role}">${escapeHtml(texts[MAILING_TEXTS[last]])}</p>`;
  const isWrong = last === 'wrong' ? ' aria-invalid="true" aria-describedby="mailing"' : '';
  return [
    `<form method="post" action="${escapeHtml(action)}"><label for="email">${escapeHtml(texts.email)}</label>`,
    `<input type="email" id="email" name="email" value="${escapeHtml(entered)}" required maxlength="320" autocomplete="email" dir="ltr"${isWrong}>`,
    `${note}<button class="go">${escapeHtml(texts.mail)}</button></form>`,
  ].join('');
}

function outcomePage(
  { tag, dir }: ShopperLocale,
  { title, text, more, script }: { title: string; text: string; more: string; script?: string },
): HtmlPage {
  return shopperPage({
    title,
    lang: tag,
    dir,
    style: PAGE_STYLE + LINES_STYLE + RECEIPT_STYLE,
    ...(script !== undefined && { script }),
    body: `<main><section class="box"><h1 id="outcome">${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${more}</section></main>`,
  });
}

function linesTable(locale: ShopperLocale, lines: readonly OrderLine[]): string {
  if (lines.length === 0) return '';
  const rows = lines.map(({ name, quantity, price }) => {
    const times = quantity === undefined ? '' : `${escapeHtml(quantityIn(locale, quantity))} × `;
    return `<tr><td>${times}<bdi>${escapeHtml(name)}</bdi></td><td>${price ? amountIn(locale, price) : ''}</td></tr>`;
  });
  const { order } = linkTexts(locale.language);
  return `<table class="lines"><caption>${escapeHtml(order)}</caption><tbody>${rows.join('')}</tbody></table>`;
}

function amountIn({ tag }: ShopperLocale, { amount, currency }: Price): string {
  return escapeHtml(localizedAmount(tag, amount, currency));
}
