import { escapeHtml } from '@tillbridge/platform/http/post-page.js';
import { localizedAmount } from '@tillbridge/wire/shopper/localized-amount.js';
import { filled, pageTexts, type ShopperReader } from '@tillbridge/wire/shopper/page-texts.js';
import {
  encodeCRes,
  encodeMethodNotification,
  type MethodData,
} from '@tillbridge/wire/three-d-secure/browser-messages.js';
import {
  CHALLENGE_WINDOWS,
  type ChallengeWindow,
} from '@tillbridge/wire/three-d-secure/challenge-windows.js';
import { ACS_LIMITS, type ChallengeView, RIGHT_CODE } from './access-control-server.js';

/** A page and the nonce that its own script and style carry. */
export interface Page {
  readonly html: string;
  readonly nonce: string;
}

/** What a browser may do on the page: its own script and style, and forms to whom the protocol names. */
export function contentPolicy(nonce: string): string {
  return `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; form-action http: https:; base-uri 'none'`;
}

/** What the cardholder sees of a challenge; at its end the form that brings the browser back. */
export function challengePage(view: ChallengeView, answerPath: string, reader: ShopperReader): Page {
  const { locale } = reader;
  const texts = pageTexts(locale.language);
  if (view.kind === 'done') {
    const { notificationUrl, cres, sessionData } = view;
    const session = sessionData === undefined ? {} : { threeDSSessionData: sessionData };
    return submittingPage(texts.backToShop, notificationUrl, { cres: encodeCRes(cres), ...session }, reader);
  }
  const { acsTransID, merchantName, price, triesLeft, window } = view;
  const size = CHALLENGE_WINDOWS[window as ChallengeWindow];
  const wasWrong = triesLeft < ACS_LIMITS.tries;
  const paid = price && fact(texts.amount, localizedAmount(locale.tag, price.amount, price.currency));
  const wrong = escapeHtml(filled(texts.wrongCode, { count: triesLeft }));
  const sizeText = size ? `${size.width} × ${size.height}` : escapeHtml(texts.fullScreen);
  return page(
    texts.confirmPurchase,
    `<h1>${escapeHtml(texts.simulatedBank)}</h1>
${fact(texts.shop, merchantName)}${paid ?? ''}
<p>${escapeHtml(filled(texts.enterCode, { code: RIGHT_CODE }))}</p>
<form method="post" action="${escapeHtml(answerPath)}">
<input type="hidden" name="acsTransID" value="${escapeHtml(acsTransID)}">
<label>${escapeHtml(texts.code)} <input name="code" id="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12"${wasWrong ? ' aria-invalid="true" aria-describedby="tries" autofocus' : ''}></label>
${wasWrong ? `<p id="tries" role="alert">${wrong}</p>` : ''}
<button id="confirm" name="action" value="confirm">${escapeHtml(texts.confirm)}</button>
<button id="cancel" name="action" value="cancel">${escapeHtml(texts.cancel)}</button>
</form>
<p class="window">${escapeHtml(filled(texts.window, { name: window }))}, ${sizeText}</p>`,
    reader,
  );
}

function fact(name: string, value: string): string {
  return `<p>${escapeHtml(name)}: <strong>${escapeHtml(value)}</strong></p>`;
}

/** What the hidden frame of the method call loads: it learns nothing of the device, and notifies at once. */
export function methodPage(
  { threeDSServerTransID, threeDSMethodNotificationURL }: MethodData,
  reader: ShopperReader,
): Page {
  const threeDSMethodData = encodeMethodNotification(threeDSServerTransID);
  return submittingPage(
    pageTexts(reader.locale.language).oneMoment,
    threeDSMethodNotificationURL,
    { threeDSMethodData },
    reader,
  );
}

/** What the cardholder sees where a request cannot be taken. */
export function faultPage(reader: ShopperReader): Page {
  const { notPossible, simulatedBank, notKnown } = pageTexts(reader.locale.language);
  return page(notPossible, `<h1>${escapeHtml(simulatedBank)}</h1><p>${escapeHtml(notKnown)}</p>`, reader);
}

/** A form that a browser sends by itself, and a person where it runs no script. */
function submittingPage(
  title: string,
  action: string,
  fields: Readonly<Record<string, string>>,
  reader: ShopperReader,
): Page {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return page(
    title,
    `<form id="go" method="post" action="${escapeHtml(action)}">${inputs.join('')}<noscript><button>${escapeHtml(pageTexts(reader.locale.language).goOn)}</button></noscript></form>
<script nonce="${reader.nonce}">document.getElementById('go').submit();</script>`,
    reader,
  );
}

const STYLE = `body{font:15px/1.35 system-ui,sans-serif;margin:10px;max-width:34em;overflow-wrap:anywhere}
h1{font-size:1.15em;margin:.2em 0}#tries{color:#b3261e}p{margin:.5em 0}input[name=code]{width:6em;font:inherit}button{font:inherit;margin-right:.5em}
.window{color:#555;font-size:.85em}`;

function page(title: string, body: string, { locale, nonce }: ShopperReader): Page {
  return {
    nonce,
    html: `<!doctype html><html lang="${escapeHtml(locale.tag)}" dir="${locale.dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style nonce="${nonce}">${STYLE}</style></head><body>${body}</body></html>`,
  };
}
