import { createHash } from 'node:crypto';
import { escapeHtml, type HtmlPage } from '@tillbridge/platform/http/post-page.js';
import { pageTexts } from '@tillbridge/wire/shopper/page-texts.js';
import { type ShopperLocale, shopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import type { Bundle, WidgetFiles } from './files.js';

/** A page that stands in a frame of the payment form. */
export type FramePage = 'field' | 'session' | 'challenge' | 'wallet';

/** How a page differs from the others: what it shows, and what it may reach. */
interface FrameOptions {
  readonly bundle: Bundle;
  readonly body: string;
  readonly style: string;
  /** Rules of the Content-Security-Policy in addition to those of all pages. */
  readonly policy: string;
}

const FIELD_STYLE =
  'html,body,input{display:block;margin:0;width:100%;height:100%;box-sizing:border-box;background:transparent;overflow:hidden}' +
  'input{border:0;outline:0;padding:0;font:1rem system-ui,sans-serif;direction:ltr}' +
  'input::placeholder{color:var(--placeholder);opacity:1}' +
  'input:-webkit-autofill{background-clip:text}' +
  '#error{position:absolute;inset-block-start:0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}';

const WHOLE_FRAME = 'html,body,iframe{margin:0;width:100%;height:100%;border:0;display:block}';
/** Banks and wallets may be anywhere. */
const FRAMES_ANY = "frame-src http: https:; form-action 'none'";

const FRAMES: Readonly<Record<FramePage, FrameOptions>> = {
  field: {
    bundle: 'field.js',
    body: '<input id="field" type="text" inputmode="numeric" aria-label="…" aria-describedby="error" spellcheck="false" disabled><div id="error"></div>',
    style: FIELD_STYLE,
    // What is typed can be sent nowhere: the session frame reads it.
    policy: "form-action 'none'",
  },
  session: { bundle: 'session.js', body: '', style: '', policy: "connect-src 'self'; form-action 'none'" },
  challenge: {
    bundle: 'challenge.js',
    body: '<iframe id="bank" name="bank" title="…"></iframe>',
    style: WHOLE_FRAME,
    policy: FRAMES_ANY,
  },
  wallet: {
    bundle: 'wallet.js',
    body: '<iframe id="sheet" name="sheet" title="…"></iframe>',
    style: WHOLE_FRAME,
    policy: FRAMES_ANY,
  },
};

/** Any shop may frame them: they answer to the page around alone, and show nothing but what is typed into them. */
const FRAMED_BY_SHOPS = 'frame-ancestors http: https:';

/** Is it the name of a page? */
export function isFramePage(name: string): name is FramePage {
  return Object.hasOwn(FRAMES, name);
}

/** A page of a build, with the headers without which it must not be sent. */
export function framePage(page: FramePage, { files }: WidgetFiles): HtmlPage {
  const { bundle, body, style, policy } = FRAMES[page];
  return scripted({
    title: '…',
    body,
    style,
    script: files[bundle],
    policy: `${policy}; ${FRAMED_BY_SHOPS}`,
  });
}

/** The page at the end of a challenge in a frame, which sends the shopper on to the shop. @param url of the shop */
export function returnedPage(url: string, { files }: WidgetFiles, locale: ShopperLocale): HtmlPage {
  const { goOn } = pageTexts(locale.language);
  return scripted({
    title: goOn,
    locale,
    body: `<p><a id="on" href="${escapeHtml(url)}">${escapeHtml(goOn)}</a></p>`,
    style: '',
    script: files['returned.js'],
    policy: `form-action 'none'; ${FRAMED_BY_SHOPS}`,
  });
}

/** A page, and what it differs by from the others. */
interface ScriptedPage extends Record<'title' | 'body' | 'style' | 'script' | 'policy', string> {
  /** Absent: its script brings the texts. */
  readonly locale?: ShopperLocale;
}

function scripted({
  title,
  body,
  style,
  script,
  policy,
  locale = shopperLocale(undefined),
}: ScriptedPage): HtmlPage {
  const scriptText = inHtml(script);
  return {
    html: `<!doctype html>\n<html lang="${escapeHtml(locale.tag)}" dir="${locale.dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head><body>${body}<script>${scriptText}</script></body></html>\n`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src '${sha256(scriptText)}'; style-src '${sha256(style)}'; base-uri 'none'; ${policy}`,
      'referrer-policy': 'no-referrer',
    },
  };
}

/** A script inside a page ends at the first end tag, even in a text. */
function inHtml(script: string): string {
  return script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c');
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
