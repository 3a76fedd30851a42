import { CryptoError } from '../ciphers/errors.js';

/** An object of a token, every field still unknown. */
export type TokenObject = Readonly<Record<string, unknown>>;

/** Characters of one text field of a token; real ones have a few thousand. */
export const TOKEN_TEXT_MAX_LENGTH = 65_536;

/**
 * The object under a name.
 * @throws CryptoError malformed
 */
export function objectField(token: TokenObject, name: string): TokenObject {
  const value = token[name];
  if (!isObject(value)) throw new CryptoError('malformed', `${name} is not an object`);
  return value;
}

/**
 * The text under a name.
 * @throws CryptoError malformed
 */
export function textField(token: TokenObject, name: string): string {
  const value = token[name];
  if (typeof value !== 'string') throw new CryptoError('malformed', `${name} is not a text`);
  if (value.length > TOKEN_TEXT_MAX_LENGTH) throw new CryptoError('malformed', `${name} is too long`);
  return value;
}

/**
 * The bytes of a base64 text under a name.
 * @throws CryptoError malformed
 */
export function base64Field(token: TokenObject, name: string): Buffer {
  return base64Bytes(textField(token, name), name);
}

/**
 * Bytes of a base64 text; `name` is for the message.
 * @throws CryptoError malformed
 */
export function base64Bytes(text: string, name: string): Buffer {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new CryptoError('malformed', `${name} is not base64`);
  return Buffer.from(text, 'base64');
}

/**
 * The texts of a list under a name, at least one.
 * @throws CryptoError malformed
 */
export function textListField(token: TokenObject, name: string): readonly string[] {
  const value = token[name];
  const isList = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
  if (!isList) throw new CryptoError('malformed', `${name} is not a list of texts`);
  return value as readonly string[];
}

/**
 * A JSON text that holds an object.
 * @throws CryptoError malformed; the text is not shown
 */
export function parseObject(text: string, name: string): TokenObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CryptoError('malformed', `${name} is not JSON`);
  }
  if (!isObject(value)) throw new CryptoError('malformed', `${name} is not a JSON object`);
  return value;
}

/**
 * Milliseconds since 1970 out of a text of digits, as these tokens carry them.
 * @throws CryptoError malformed
 */
export function unixMsField(token: TokenObject, name: string): number {
  const value = token[name];
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) {
    throw new CryptoError('malformed', `${name} is not a time in milliseconds`);
  }
  return Number(text);
}

function isObject(value: unknown): value is TokenObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
