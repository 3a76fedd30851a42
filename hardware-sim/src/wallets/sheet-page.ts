import { escapeHtml, type HtmlPage } from '@tillbridge/platform/http/post-page.js';
import { pageTexts, type ShopperReader } from '@tillbridge/wire/shopper/page-texts.js';
import type { SheetAnswer } from '@tillbridge/wire/simulated-bank/wallet-sheet.js';

/** What the shopper sees on a sheet. */
interface SheetTexts {
  /** Name of the shop. */
  readonly label: string;
  /** With its currency. */
  readonly amount: string;
  /** Cards to choose from, by their names in the form. */
  readonly cards: readonly (readonly [name: string, text: string])[];
}

const STYLE = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;padding:1.25rem;background:light-dark(#fff,#1c1f26);color:light-dark(#14171d,#eef1f7);font:1rem/1.4 system-ui,sans-serif}
h1{margin:0;font-size:1.1rem;overflow-wrap:anywhere}
p{margin:.25rem 0}
.soft{color:light-dark(#545c6b,#aeb6c5);font-size:.875rem}
#amount{font-size:1.5rem;font-weight:600}
fieldset{margin:1rem 0;padding:0;border:0}
legend{padding:0;margin-bottom:.25rem;font-size:.875rem}
label{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;padding:.25rem .75rem;border:1px solid light-dark(#8a93a3,#727c8f);border-radius:.5rem;margin-bottom:.5rem}
button{width:100%;min-height:2.75rem;border:0;border-radius:.5rem;font:inherit;font-weight:600;cursor:pointer}
#pay{background:light-dark(#14171d,#eef1f7);color:light-dark(#fff,#14171d)}
#cancel{margin-top:.5rem;background:none;color:inherit;text-decoration:underline}
:focus-visible{outline:2px solid light-dark(#1f5fd0,#8ab4ff);outline-offset:2px}`;

/** The sheet on which a shopper chooses a card and agrees. @param origin of the page around it */
export function sheetPage(
  { label, amount, cards }: SheetTexts,
  origin: string,
  reader: ShopperReader,
): HtmlPage {
  const texts = pageTexts(reader.locale.language);
  const choices = cards.map(
    ([name, text], at) =>
      `<label><input type="radio" name="card" value="${escapeHtml(name)}"${at === 0 ? ' checked autofocus' : ''}>${escapeHtml(text)}</label>`,
  );
  const body = `<p class="soft">${escapeHtml(`${texts.simulatedWallet}. ${texts.noMoney}`)}</p><h1>${escapeHtml(label)}</h1><p id="amount">${escapeHtml(amount)}</p>
<form method="post"><fieldset><legend>${escapeHtml(texts.card)}</legend>${choices.join('')}</fieldset>
<button id="pay" name="decision" value="pay">${escapeHtml(texts.pay)}</button><button id="cancel" name="decision" value="cancel">${escapeHtml(texts.cancel)}</button></form>`;
  const script = `addEventListener('keydown', ({ key }) => { if (key === 'Escape') ${telling({ type: 'cancelled' }, origin)} });`;
  return page(body, script, reader);
}

/** The page that reports the shopper's decision to the page around it. */
export function answerPage(answer: SheetAnswer, origin: string, reader: ShopperReader): HtmlPage {
  const { oneMoment } = pageTexts(reader.locale.language);
  return page(`<p>${escapeHtml(oneMoment)} …</p>`, telling(answer, origin), reader);
}

function telling(answer: SheetAnswer, origin: string): string {
  const [message, target] = [answer, origin].map((each) => JSON.stringify(each).replaceAll('<', '\\u003c'));
  return `parent.postMessage(${message}, ${target});`;
}

function page(body: string, script: string, { locale, nonce }: ShopperReader): HtmlPage {
  const { simulatedWallet } = pageTexts(locale.language);
  return {
    html: `<!doctype html>\n<html lang="${escapeHtml(locale.tag)}" dir="${locale.dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(simulatedWallet)}</title><style nonce="${nonce}">${STYLE}</style></head>\n<body><main>${body}</main><script nonce="${nonce}">${script}</script></body></html>\n`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'`,
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  };
}
