import { escapeHtml, type HtmlPage } from '@tillbridge/platform/http/post-page.js';
import { formPlace, type PlacedForm, shopperPage } from '../widget/form-page.js';
import { PAGE_STYLE } from '../widget/page-style.js';
import type { LinkLayout } from './link-layout.js';

/** Texts of a link's page in addition to the form. */
interface LinkTexts {
  /** Name of the merchant's entity. */
  readonly merchant: string;
  readonly invoice: string | undefined;
  /** With its currency. */
  readonly amount: string | undefined;
  readonly wasDeclined: boolean;
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
}

const SHOP_STYLE =
  '.shop{position:relative;isolation:isolate;max-width:30rem;margin:0 auto 1rem;padding:.25rem 0}' +
  '.shop:has(.back){padding:1.25rem;border-radius:.75rem;overflow:hidden}' +
  '.shop h1,.shop p{margin:0 0 .25rem}' +
  '.shop .back{position:absolute;inset:0;z-index:-1;width:100%;height:100%;object-fit:cover}' +
  '.shop .logo{display:block;max-width:100%;margin-bottom:.75rem;object-fit:contain}' +
  '.shop ~ p{max-width:30rem;margin-inline:auto}';

/** The page on which a link is paid. */
export function linkPage(
  { merchant, invoice, amount, wasDeclined, terms, privacy }: LinkTexts,
  form: PlacedForm,
  { pictures, style, origins }: LinkLayout,
): HtmlPage {
  const links = [
    ['Terms and conditions', terms],
    ['Privacy policy', privacy],
  ].flatMap(([text, url]) =>
    url ? `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${text}</a>` : [],
  );
  const body = [
    `<header class="shop">${pictures}<h1>${escapeHtml(merchant)}</h1>`,
    amount === undefined ? '' : `<p class="price">${escapeHtml(amount)}</p>`,
    '</header>',
    invoice === undefined ? '' : `<p class="soft">Invoice ${escapeHtml(invoice)}</p>`,
    wasDeclined
      ? '<p id="declined" role="alert">The payment was declined. Try another card or another way to pay.</p>'
      : '',
    formPlace(form),
    links.length > 0 ? `<p>${links.join(' · ')}</p>` : '',
  ];
  return shopperPage({
    title: merchant,
    style: PAGE_STYLE + SHOP_STYLE + style,
    images: origins,
    form,
    body: `<main>${body.join('')}</main>`,
  });
}

const NOTICES = {
  paid: ['Thank you', 'The payment has arrived.'],
  pending: ['One moment', 'The payment is being processed. This page needs nothing more of you.'],
  closed: [
    'This link cannot be used',
    'It has expired, or its sender has ended it. Ask the sender for another one.',
  ],
} as const;

/** The page of a link that cannot be paid now. */
export function noticePage(what: keyof typeof NOTICES): HtmlPage {
  const [title, text] = NOTICES[what];
  return shopperPage({
    title,
    style: PAGE_STYLE,
    body: `<main><section class="box"><h1 id="outcome">${title}</h1><p>${text}</p></section></main>`,
  });
}
