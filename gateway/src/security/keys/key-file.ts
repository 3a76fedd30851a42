import { createSecretKey, type KeyObject } from 'node:crypto';
import { withSecret } from '@tillbridge/wire/bytes.js';
import { GCM_KEY_BYTES } from '@tillbridge/wire/crypto/ciphers/gcm.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { readSecretFile, SecretFileError, writeSecretFile } from '../../kernel/data-folder/secret-file.js';

const KEY_TEXT = /^[0-9A-F]{64}\n?$/;

/**
 * The 256-bit key of a key file: one line of 64 uppercase hex digits, mode 0600.
 * @throws SecretFileError when it is missing, open to others or of another form
 */
export function loadKeyFile(path: string): KeyObject {
  const content = readSecretFile(path);
  if (content === undefined)
    throw new SecretFileError(
      `${path} is missing; "tillbridge-gateway seed" makes it for development, "tillbridge-gateway init" for a new home`,
    );
  return withSecret(content, (text) => {
    if (!KEY_TEXT.test(text.toString('latin1')))
      throw new SecretFileError(`${path} must hold 64 uppercase hex digits`);
    return keyFromHex(text);
  });
}

/** Parses in place of `Buffer.from(text, 'hex')`: no text with the key stays behind in memory. */
function keyFromHex(ascii: Uint8Array): KeyObject {
  return withSecret(Buffer.alloc(GCM_KEY_BYTES), (bytes) => {
    for (let i = 0; i < bytes.length; i += 1)
      bytes[i] = (nibble(ascii[2 * i] ?? 0) << 4) | nibble(ascii[2 * i + 1] ?? 0);
    return createSecretKey(bytes);
  });
}

function nibble(ascii: number): number {
  return ascii <= 0x39 ? ascii - 0x30 : ascii - 0x41 + 10;
}

/**
 * The key of the file, made of random bytes first when there is no file yet.
 * @throws SecretFileError
 */
export function ensureKeyFile(path: string, random: Random): KeyObject {
  if (readSecretFile(path) === undefined)
    withSecret(withSecret(random.bytes(GCM_KEY_BYTES), hexLine), (line) => writeSecretFile(path, line));
  return loadKeyFile(path);
}

const HEX_DIGITS = Buffer.from('0123456789ABCDEF');
const LINE_FEED = 0x0a;

/** The bytes as uppercase hex and a line feed, again without a text in between. */
function hexLine(bytes: Uint8Array): Buffer {
  const line = Buffer.alloc(2 * bytes.length + 1, LINE_FEED);
  for (const [at, byte] of bytes.entries()) {
    line[2 * at] = HEX_DIGITS[byte >>> 4] ?? 0;
    line[2 * at + 1] = HEX_DIGITS[byte & 0x0f] ?? 0;
  }
  return line;
}
