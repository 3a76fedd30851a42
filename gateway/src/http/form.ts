import { invalidParameters } from './envelope.js';

/** Names and values in the order they were sent. */
export type Form = readonly (readonly [name: string, value: string])[];

/** Content type of request bodies (spec 1, rule 10). */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a form body.
 * @throws RequestRefused when it is not UTF-8 or an escape is broken; the message names the parameter
 */
export function parseForm(body: Uint8Array): Form {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw refuse('', 'the body must be UTF-8');
  }
  return parseFormText(text);
}

/** Reads a form text, such as the query of a URL. @throws RequestRefused */
export function parseFormText(text: string): Form {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const name = decode(at < 0 ? pair : pair.slice(0, at), '');
      return [name, at < 0 ? '' : decode(pair.slice(at + 1), name)] as const;
    });
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refuse(name, 'has a broken percent escape: encode it as UTF-8, each byte as % and two hex digits');
  }
}

function refuse(name: string, message: string): Error {
  return invalidParameters([{ name, value: null, message }]);
}
