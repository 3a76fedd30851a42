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
export function challengePage(view: ChallengeView, answerPath: string, nonce: string): Page {
  if (view.kind === 'done') {
    const { notificationUrl, cres, sessionData } = view;
    const session = sessionData === undefined ? {} : { threeDSSessionData: sessionData };
    return submittingPage('Back to the shop', notificationUrl, { cres: encodeCRes(cres), ...session }, nonce);
  }
  const { acsTransID, merchantName, amount, triesLeft, window } = view;
  const size = CHALLENGE_WINDOWS[window as ChallengeWindow];
  const wasWrong = triesLeft < ACS_LIMITS.tries;
  const paid = amount === '' ? '' : `<p>Amount: <strong>${escaped(amount)}</strong></p>`;
  return page(
    'Confirm your purchase',
    `<h1>Simulated bank</h1>
<p>Shop: <strong>${escaped(merchantName)}</strong></p>${paid}
<p>Enter the code ${RIGHT_CODE}.</p>
<form method="post" action="${escaped(answerPath)}">
<input type="hidden" name="acsTransID" value="${escaped(acsTransID)}">
<label>Code <input name="code" id="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12"${wasWrong ? ' aria-invalid="true" aria-describedby="tries" autofocus' : ''}></label>
${wasWrong ? `<p id="tries" role="alert">That code is not right. ${triesText(triesLeft)} left. Use the latest code of your bank.</p>` : ''}
<button id="confirm" name="action" value="confirm">Confirm</button>
<button id="cancel" name="action" value="cancel">Cancel</button>
</form>
<p class="window">Window ${escaped(window)}${size ? `, ${size.width} × ${size.height}` : ', full screen'}</p>`,
    nonce,
  );
}

function triesText(count: number): string {
  return count === 1 ? '1 try' : `${count} tries`;
}

/** What the hidden frame of the method call loads: it learns nothing of the device, and notifies at once. */
export function methodPage(
  { threeDSServerTransID, threeDSMethodNotificationURL }: MethodData,
  nonce: string,
): Page {
  const threeDSMethodData = encodeMethodNotification(threeDSServerTransID);
  return submittingPage('Method call', threeDSMethodNotificationURL, { threeDSMethodData }, nonce);
}

/** What the cardholder sees where a request cannot be taken. */
export function faultPage(nonce: string): Page {
  return page('Not possible', '<h1>Simulated bank</h1><p>This authentication is not known here.</p>', nonce);
}

/** A form that a browser sends by itself, and a person where it runs no script. */
function submittingPage(
  title: string,
  action: string,
  fields: Readonly<Record<string, string>>,
  nonce: string,
): Page {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return page(
    title,
    `<form id="go" method="post" action="${escaped(action)}">${inputs.join('')}<noscript><button>Go on</button></noscript></form>
<script nonce="${nonce}">document.getElementById('go').submit();</script>`,
    nonce,
  );
}

const STYLE = `body{font:15px/1.35 system-ui,sans-serif;margin:10px;max-width:34em;overflow-wrap:anywhere}
h1{font-size:1.15em;margin:.2em 0}#tries{color:#b3261e}p{margin:.5em 0}input[name=code]{width:6em;font:inherit}button{font:inherit;margin-right:.5em}
.window{color:#555;font-size:.85em}`;

function page(title: string, body: string, nonce: string): Page {
  return {
    nonce,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style nonce="${nonce}">${STYLE}</style></head><body>${body}</body></html>`,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
