/** A page that sends its reader's browser on with a form. */
interface PostPage {
  readonly url: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/** A page and the headers without which it must not be sent. */
export interface HtmlPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, in an attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Whom a page is for. */
interface PageReader {
  /** Language of the texts (BCP 47), and their direction. */
  readonly locale: { readonly tag: string; readonly dir: 'ltr' | 'rtl' };
  /** Of the page's own script: unguessable, fresh for each page. */
  readonly nonce?: string;
}

/** A page of a title and a body of HTML: it loads nothing, and runs the one script of the nonce if there is one. */
export function htmlPage(title: string, body: string, { locale, nonce }: PageReader): HtmlPage {
  const script = nonce === undefined ? "'none'" : `'nonce-${nonce}'`;
  return {
    html: `<!doctype html>\n<html lang="${escapeHtml(locale.tag)}" dir="${locale.dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>\n<body>${body}</body></html>\n`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${script}; base-uri 'none'`,
      // With `no-referrer` a browser posts a form without its origin, and the receiver refuses it.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  };
}

/** The page that posts a form at once, or at a click where no script runs. @param goOn what the button says */
export function postPage(
  { url, parameters }: PostPage,
  goOn: string,
  reader: Required<PageReader>,
): HtmlPage {
  const fields = parameters.map(
    ({ name, value }) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const form = `<form id="on" method="post" action="${escapeHtml(url)}">${fields.join('')}<button>${escapeHtml(goOn)}</button></form>`;
  return htmlPage(
    goOn,
    `${form}<script nonce="${reader.nonce}">document.getElementById('on').submit()</script>`,
    reader,
  );
}
