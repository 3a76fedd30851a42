/** Most characters of pairs that are read. */
const MAX_PAIRS_TEXT = 4_096;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** `key=value` pairs, percent-encoded and parted by `&`; pairs without a value are left out. */
export function encodePairs(pairs: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(pairs)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${encoded(key)}=${encoded(value)}`]))
    .join('&');
}

/**
 * Reads what a till adds for the acquirer (SaleToAcquirerData): pairs, or a JSON object in base64. What cannot be read has no pairs: the
 * field carries data of others, too.
 */
export function readPairs(text: string): ReadonlyMap<string, string> {
  if (text.length > MAX_PAIRS_TEXT) return new Map();
  if (!text.includes('=') || BASE64.test(text)) {
    const object = jsonIn(text);
    if (object) return new Map(Object.entries(object).flatMap(textPair));
  }
  return new Map(text.split('&').map(pairOf));
}

function encoded(text: string): string {
  // Half a surrogate pair has no UTF-8.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD'));
}

function textPair([name, value]: [string, unknown]): [string, string][] {
  return typeof value === 'string' ? [[name, value]] : [];
}

function jsonIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [decoded(text), ''] : [decoded(text.slice(0, at)), decoded(text.slice(at + 1))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
