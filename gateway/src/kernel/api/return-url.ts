/** Characters of a URL (RFC 3986 §2); everything else is sent with percent signs. A backslash is a slash to browsers. */
const URL_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;
/** A scheme, and a place in it: what an app registers (RFC 8252 §7.1) looks so too. */
const ABSOLUTE = /^([a-z][a-z0-9+.-]*):\/(?!$)/i;
const WEB = /^https?:\/\/[^/?#]/i;
/** Schemes that every merchant may name. */
const WEB_SCHEMES: readonly string[] = ['https', 'http'];

/**
 * The scheme of an app that an address names, in small letters; undefined for an address of the web, or none at all. Whether a shopper is sent
 * there, the entity's list decides.
 */
export function appSchemeOf(url: string): string | undefined {
  const scheme = ABSOLUTE.exec(url)?.[1]?.toLowerCase();
  return scheme === undefined || WEB_SCHEMES.includes(scheme) ? undefined : scheme;
}

/**
 * What is wrong with an address that a shopper is sent back to; undefined when nothing is. It is absolute, of https, http or an app that the
 * merchant has named, and has no user or password, which browsers hide.
 * @param appSchemes schemes of the merchant's apps, in small letters; no others open anything
 */
export function returnUrlError(url: string, appSchemes: readonly string[] = []): string | undefined {
  const scheme = ABSOLUTE.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL_CHARACTERS.test(url) || !URL.canParse(url))
    return 'must be an absolute URL, URL-encoded';
  const isWeb = WEB_SCHEMES.includes(scheme);
  if (!isWeb && !appSchemes.includes(scheme))
    return 'must be of https, http or the scheme of an app that the operator has set for the merchant';
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
