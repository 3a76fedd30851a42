/** Characters of a URL (RFC 3986 §2); everything else is sent with percent signs. A backslash is a slash to browsers. */
const URL_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;
/** A scheme, and a place in it: what an app registers (RFC 8252 §7.1) looks so too. */
const ABSOLUTE = /^([a-z][a-z0-9+.-]*):\/(?!$)/i;
const WEB = /^https?:\/\/[^/?#]/i;
/** Schemes of browsers and systems; an app has one of its own. */
const NO_APP: ReadonlySet<string> = new Set(
  'about blob chrome data file filesystem ftp intent javascript jar mailto resource sftp ssh tel vbscript view-source ws wss'.split(
    ' ',
  ),
);

/**
 * What is wrong with an address that a shopper is sent back to; undefined when nothing is. It is absolute, of http, https or an app, and has no
 * user or password, which browsers hide.
 */
export function returnUrlError(url: string): string | undefined {
  const scheme = ABSOLUTE.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL_CHARACTERS.test(url) || !URL.canParse(url))
    return 'must be an absolute URL, URL-encoded';
  if (NO_APP.has(scheme)) return 'must be of http, https or the scheme of an app';
  const isWeb = scheme === 'http' || scheme === 'https';
  if (isWeb && !WEB.test(url)) return 'must be an absolute URL, URL-encoded';
  const { username, password } = new URL(url);
  return username === '' && password === '' ? undefined : 'must not contain a user or a password';
}

/**
 * The address with more parameters in its query, before a fragment. It is not normalised: a shop finds its own text again.
 * @param more names and values in clear
 */
export function withQuery(url: string, more: Readonly<Record<string, string>>): string {
  const at = url.indexOf('#');
  const [before, fragment] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  const query = Object.entries(more).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const joint = before.includes('?') ? (/[?&]$/.test(before) ? '' : '&') : '?';
  return before + joint + query.join('&') + fragment;
}
