import { type Meaning, text, wholeNumber } from '../schema/fields.js';
import { listed } from './list-setting.js';

/** A host name or address. */
export function host(meaning: Meaning) {
  return text('a host name or address', /^[0-9A-Za-z.:_-]{1,255}$/, meaning);
}

/** Names of a server in addition to its address. */
export function hostNames(meaning: Meaning) {
  const isName = (name: string) => /^[0-9A-Za-z](?:[0-9A-Za-z.:-]{0,251}[0-9A-Za-z])?$/.test(name);
  const expected = 'host names or addresses without a port, parted by commas';
  return listed(expected, (names) => names.every(isName), meaning);
}

/** Origins of web pages (RFC 6454). */
export function origins(meaning: Meaning) {
  const isOrigin = (text: string) =>
    /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
  const expected = 'origins without a path, such as https://till.example, parted by commas';
  return listed(expected, (entries) => entries.every(isOrigin), meaning);
}

/** A TCP port; 0 is any free one. */
export function port(meaning: Meaning) {
  return wholeNumber(0, 65_535, meaning);
}

/** True for the addresses and the name of this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return ['127.0.0.1', '[::1]', '::1', 'localhost'].includes(host);
}
