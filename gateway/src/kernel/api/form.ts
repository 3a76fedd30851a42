import { MAX_NAME_LENGTH } from './names.js';
import { MAX_PARAMETERS, type ParameterError, shorten } from './validate.js';

/** Largest body that is read: a full cart with texts of moderate length. */
export const MAX_BODY_BYTES = 2_097_152;
/** Parts of a name, parted by dots and brackets; the deepest of the catalogue has six. */
const MAX_NAME_DEPTH = 8;
/** Content type of request bodies. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Parameters in the order they were sent, each name once, and what is wrong with the body. */
export interface ParsedForm {
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly errors: readonly ParameterError[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a form body: UTF-8, brackets raw or percent-encoded, `+` for a blank. Nothing is thrown: errors come back as parameter
 * errors, those of the whole body with an empty name.
 */
export function parseForm(body: Uint8Array, contentType?: string): ParsedForm {
  if (body.length > MAX_BODY_BYTES) return refused(`the body is larger than ${MAX_BODY_BYTES} bytes`);
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return refused(`the body must be UTF-8${latin1Hint(body)}`);
  }
  const wrongKind = otherKind(text, contentType);
  return wrongKind === undefined ? parseFormText(text) : refused(wrongKind);
}

/** Reads a form text, such as the query of a URL. */
export function parseFormText(text: string): ParsedForm {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > MAX_PARAMETERS) return refused(`more than ${MAX_PARAMETERS} parameters`);
  const parameters = new Map<string, string>();
  const errors: ParameterError[] = [];
  for (const pair of pairs) {
    const { name, value, error } = readPair(pair);
    const problem = error ?? (parameters.has(name) ? 'must not be given more than once' : undefined);
    if (problem === undefined) parameters.set(name, value);
    else errors.push({ name: shorten(name), value: null, message: problem });
  }
  return { parameters: [...parameters], errors };
}

function readPair(pair: string): { name: string; value: string; error?: string } {
  const at = pair.indexOf('=');
  const name = decode(at < 0 ? pair : pair.slice(0, at));
  const value = decode(at < 0 ? '' : pair.slice(at + 1));
  if (name === undefined) return { name: '', value: '', error: `the name of a parameter ${BROKEN_ESCAPE}` };
  if (value === undefined) return { name, value: '', error: escapeError(pair) };
  const error = nameError(name);
  return { name, value, ...(error !== undefined && { error }) };
}

/** First byte of a letter beyond ASCII in Latin-1. */
const LATIN1_LETTERS = 0xa0;
const HEX = 16;
/** Characters of a value that are looked at for what is wrong with its escapes. */
const MAX_HINT_LENGTH = 4_096;

/** The sign that bytes are Latin-1: a letter of it, which no byte of UTF-8 follows. Empty where they are something else. */
function latin1Hint(bytes: Uint8Array): string {
  const at = bytes.findIndex(
    (byte, index) => byte >= LATIN1_LETTERS && ((bytes[index + 1] ?? 0) & 0xc0) !== 0x80,
  );
  const byte = bytes[at];
  if (byte === undefined || bytes.includes(0)) return '';
  const letter = String.fromCharCode(byte);
  const hex = (code: number) => code.toString(HEX).toUpperCase();
  const utf8Bytes = [...new TextEncoder().encode(letter)].map(hex).join(' ');
  return `, and is Latin-1 (ISO 8859-1): ${letter} came as the byte ${hex(byte)}, and is ${utf8Bytes} in UTF-8`;
}

/** What is wrong with a value whose escapes are no UTF-8. */
function escapeError(pair: string): string {
  const isWhole = !/%(?![0-9A-Fa-f]{2})/.test(pair);
  const bytes = [...pair.slice(0, MAX_HINT_LENGTH).matchAll(/%([0-9A-Fa-f]{2})|./gs)].map(([all, hex]) =>
    hex === undefined ? all.charCodeAt(0) : Number.parseInt(hex, HEX),
  );
  const hint = isWhole ? latin1Hint(Uint8Array.from(bytes)) : '';
  return hint === '' ? BROKEN_ESCAPE : `must be UTF-8 before it is percent-encoded${hint}`;
}

const BROKEN_ESCAPE = 'has a broken percent escape: encode it as UTF-8, each byte as % and two hex digits';

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

function nameError(name: string): string | undefined {
  if (name === '') return 'a value stands without the name of a parameter';
  if (name.length > MAX_NAME_LENGTH) return `the name is longer than ${MAX_NAME_LENGTH} characters`;
  const depth = partsOf(name);
  return depth > MAX_NAME_DEPTH ? `the name has ${depth} parts, ${MAX_NAME_DEPTH} at most` : undefined;
}

/** Parts of a name, parted by dots and opening brackets. */
function partsOf(name: string): number {
  let parts = 1;
  for (let at = 0; at < name.length; at += 1) if (name[at] === '.' || name[at] === '[') parts += 1;
  return parts;
}

/** What a body is that is no form; undefined when it may be one. */
function otherKind(text: string, contentType = FORM_TYPE): string | undefined {
  const sendForm = `send the parameters as ${FORM_TYPE}, such as amount=92.00&currency=EUR`;
  if (/json/i.test(contentType) || /^\s*[{[]/.test(text)) return `the body is JSON; ${sendForm}`;
  if (/^\s*<\?xml/.test(text) || /xml/i.test(contentType)) return `the body is XML; ${sendForm}`;
  if (/^multipart\//i.test(contentType)) return `the body is a multipart form; ${sendForm}`;
  return undefined;
}

function refused(message: string): ParsedForm {
  return { parameters: [], errors: [{ name: '', value: null, message }] };
}
