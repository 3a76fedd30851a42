import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { createFile } from '@tillbridge/platform/write-file.js';
import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import { TILL_TOKEN_FILE } from '../home/home-files.js';
import { type Caller, callerOf, STORE } from './rights.js';
import type { TillRegistry } from './till-registry.js';

/** What a bearer token may be made of (RFC 6750 §2.1), and how long. */
const TOKEN = /^[A-Za-z0-9._~+/-]{16,256}=*$/;

/** The token cannot be used; the message names the file, never the token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/**
 * Reads a token file.
 * @throws TokenError when it is missing, open to other users or no bearer token.
 */
export function readToken(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const code = systemCode(error);
    throw new TokenError(`cannot read the tills' token from ${path} (${code})`);
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new TokenError(`${path} is open to other users: set its mode to 0600`);
  }
  if (!isToken(text)) throw new TokenError(`${path}: a token is 16-256 letters, digits or . _ ~ + / -`);
  return text;
}

/** The token in `home`, made on the first call: 256 random bits. */
export function ensureToken(home: string): string {
  const path = join(home, TILL_TOKEN_FILE);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    createFile(path, `${Buffer.from(systemRandom.bytes(32)).toString('base64url')}\n`);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  return readToken(path);
}

/** True when the text may be a bearer token. */
function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Who sent credentials, or what is wrong with them; `locked`: the PIN of the cashier is needed. */
export type Credentials = 'missing' | 'wrong' | 'locked' | Caller;

/** The digest of a token, by which a session is bound to it. */
export function tokenDigest(token: string): string {
  return digest(token).toString('hex').toUpperCase();
}

/**
 * Compares with the token of the store, then with those of its tills: by digest, in a time that reveals neither content nor length.
 * `tills`: absent where the store has none.
 */
export function tokenCheck(
  token: string,
  tills?: TillRegistry,
): (authorization: string | undefined) => Credentials {
  const expected = digest(token);
  return (authorization) => {
    const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (given === undefined) return 'missing';
    if (equalConstantTime(digest(given), expected)) return STORE;
    const till = tills?.find(given);
    return till ? callerOf(till) : 'wrong';
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
