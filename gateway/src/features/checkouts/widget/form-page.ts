import { createHash } from 'node:crypto';
import { escapeHtml, type HtmlPage } from '@tillbridge/platform/http/post-page.js';

/** A page of ours for shoppers. */
interface ShopperPage {
  readonly title: string;
  /** Language of its texts. */
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl';
  readonly body: string;
  readonly style: string;
  /** Origins that images may come from; none without. */
  readonly images?: readonly string[];
  /** The payment form in it. */
  readonly form?: PlacedForm;
  /** Its own script, where it has no form. */
  readonly script?: string;
}

/** The payment form as a shop places it. */
export interface PlacedForm {
  readonly checkoutId: string;
  /** Hash of the script, `sha384-…`. */
  readonly integrity: string;
  /** Where the shopper goes after. */
  readonly shopperResultUrl: string;
  /** Names of brands; empty: all that the checkout takes. */
  readonly brands: string;
  /** `wpwlOptions`. */
  readonly options: object;
}

/**
 * A page with the payment form or without, under the policy that the docs give to shops. No page frames it, so that no other site puts something
 * over its button.
 */
export function shopperPage(page: ShopperPage): HtmlPage {
  const { title, lang = 'en', dir = 'ltr', body, style, images = [], form, script = '' } = page;
  const settings = form ? `var wpwlOptions = ${scriptText(form.options)};` : script;
  const source = form ? `/v1/paymentWidgets.js?checkoutId=${encodeURIComponent(form.checkoutId)}` : '';
  const scripts = form
    ? `<script>${settings}</script><script src="${escapeHtml(source)}" integrity="${escapeHtml(form.integrity)}" crossorigin="anonymous" defer></script>`
    : '';
  const policy = [
    "default-src 'none'",
    scriptPolicy(form !== undefined, settings),
    `style-src '${sha256(style)}'`,
    ...(images.length > 0 ? [`img-src ${images.join(' ')}`] : []),
    ...(form ? ["frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    html: `<!doctype html>
<html lang="${escapeHtml(lang)}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style>${scripts}</head>
<body>${body}${form || settings === '' ? '' : `<script>${settings}</script>`}</body></html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  };
}

/** The script of the form comes from the gateway; what stands in the page runs by its hash. */
function scriptPolicy(hasForm: boolean, script: string): string {
  const sources = [...(hasForm ? ["'self'"] : []), ...(script === '' ? [] : [`'${sha256(script)}'`])];
  return `script-src ${sources.length > 0 ? sources.join(' ') : "'none'"}`;
}

/** The place in the body of a page where the payment form stands. */
export function formPlace({ shopperResultUrl, brands }: PlacedForm): string {
  return `<form action="${escapeHtml(shopperResultUrl)}" class="paymentWidgets" data-brands="${escapeHtml(brands)}"></form>`;
}

/** JSON inside a script of a page: no text of it ends the script. */
function scriptText(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
