import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { createFile } from '@tillbridge/platform/write-file.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { TokenError } from '../../access/token.js';
import { HOME_FILES } from '../../home/home-files.js';

const PASSWORD = /^\d{6}$/;
const PASSWORDS = 1_000_000;

/** The password of a file. @throws TokenError when it is missing, open to other users or not six digits */
export function readPassword(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new TokenError(`cannot read the password of ZVT from ${path} (${systemCode(error)})`);
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new TokenError(`${path} is open to other users: set its mode to 0600`);
  if (!PASSWORD.test(text)) throw new TokenError(`${path}: the password of ZVT is six digits`);
  return text;
}

/** The password of the home, made on the first call. @throws TokenError */
export function ensurePassword(home: string, random: Random): string {
  const path = join(home, HOME_FILES.zvtPassword);
  try {
    const number = Buffer.from(random.bytes(6)).readUIntBE(0, 6) % PASSWORDS;
    createFile(path, `${String(number).padStart(6, '0')}\n`);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  return readPassword(path);
}
