import { escapeHtml, type HtmlPage, htmlPage } from '@tillbridge/platform/http/post-page.js';
import { pageTexts, type ShopperReader } from '@tillbridge/wire/shopper/page-texts.js';

/** How long the page of the method call waits for the notification, in milliseconds (EMV 3DS section 5.8.1: ten seconds). */
export const METHOD_WAIT_MS = 10_000;
/** The message of the notification page to the page around it. */
const NOTIFIED = 'tillbridge-method-ended';

/**
 * The page of the method call: a hidden frame posts to the access control server, and the browser goes on once that has notified us, or
 * after ten seconds.
 * @param acsUrl where the frame posts `threeDSMethodData`
 * @param endPath where the browser goes on
 */
export function methodPage(acsUrl: string, data: string, endPath: string, reader: ShopperReader): HtmlPage {
  const texts = pageTexts(reader.locale.language);
  const page = htmlPage(
    texts.oneMoment,
    `<p>${escapeHtml(texts.bankPrepares)}</p>
<iframe name="method" hidden title="3D Secure"></iframe>
<form id="call" method="post" action="${escapeHtml(acsUrl)}" target="method">
<input type="hidden" name="threeDSMethodData" value="${escapeHtml(data)}"></form>
<form id="end" method="post" action="${escapeHtml(endPath)}"><button>${escapeHtml(texts.goOn)}</button></form>
<script nonce="${reader.nonce}">
const end = document.getElementById('end');
let ended = false;
const goOn = () => { if (!ended) { ended = true; end.submit(); } };
addEventListener('message', ({ data, origin }) => { if (origin === location.origin && data === '${NOTIFIED}') goOn(); });
setTimeout(goOn, ${METHOD_WAIT_MS});
document.getElementById('call').submit();
</script>`,
    reader,
  );
  return framing(page, `frame-src ${new URL(acsUrl).origin} 'self'`);
}

/** What the hidden frame shows once the access control server has notified us. */
export function notifiedPage(reader: ShopperReader): HtmlPage {
  const script = `<script nonce="${reader.nonce}">parent.postMessage('${NOTIFIED}', location.origin)</script>`;
  return framing(
    htmlPage(pageTexts(reader.locale.language).oneMoment, script, reader),
    "frame-ancestors 'self'",
  );
}

/** The page with one more rule for what it may frame, or be framed by. */
function framing({ html, headers }: HtmlPage, rule: string): HtmlPage {
  const policy = headers['content-security-policy'];
  return { html, headers: { ...headers, 'content-security-policy': `${policy}; ${rule}` } };
}
