import { escapeHtml, type HtmlPage, htmlPage } from '@tillbridge/platform/http/post-page.js';
import type { BankEntry } from '@tillbridge/wire/simulated-bank/bank-payments.js';

/** The page on which the customer decides. */
export function decisionPage({ brand, amount, currency, token }: BankEntry): HtmlPage {
  const button = (decision: string, text: string) =>
    `<button id="${decision}" name="decision" value="${decision}">${text}</button>`;
  return htmlPage(
    'Simulated bank',
    `<h1>${escapeHtml(brand)}</h1><p id="amount">${escapeHtml(`${amount} ${currency}`)}</p>` +
      `<form method="post" action="/pay"><input type="hidden" name="token" value="${escapeHtml(token)}">` +
      `${button('approve', 'Approve')} ${button('refuse', 'Refuse')} ${button('leave', 'Leave without deciding')}</form>`,
  );
}

/** The page of a payment that was decided before. */
export function decidedPage({ state, returnUrl }: BankEntry): HtmlPage {
  return htmlPage(
    'Simulated bank',
    `<p id="state">The payment is ${state}.</p><p><a id="back" href="${escapeHtml(returnUrl)}">Back to the shop</a></p>`,
  );
}

/** The page of a customer who leaves; the bank notifies no merchant. */
export function leftPage(): HtmlPage {
  return htmlPage(
    'Simulated bank',
    '<p id="left">You have left. The payment stays open until it is ended here.</p>',
  );
}
