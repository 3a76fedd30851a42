import { readFileSync } from 'node:fs';
import type { Problems } from '@tillbridge/platform/config/problems.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import type { CapkRecord } from '@tillbridge/wire/crypto/emv/capk.js';
import { loadCapksFor } from '@tillbridge/wire/crypto/emv/capk-policy.js';

/** Largest file of certification authority keys; a terminal holds a few dozen of half a kilobyte each. */
const MAX_FILE_BYTES = 256 * 1024;
const HEX = Type.String({ expected: 'a text of hex digits' });
const RECORD = Type.Object(
  { rid: HEX, index: HEX, modulus: HEX, exponent: HEX, sha1: HEX },
  { expected: 'an object with rid, index, modulus, exponent and sha1' },
);
const RECORDS = Type.Array(RECORD, { minItems: 1, expected: 'a list of keys' });
const readRecords = jsonReader(RECORDS, 'the file', (reason) => new TypeError(reason));

/**
 * The keys of certification authorities that the terminals trust: a JSON list of `{rid, index, modulus, exponent, sha1}` in hex, as the acquirer
 * gives them. Notes what is wrong: a hash that differs, and in live mode a test key.
 */
export function readCapkFile(path: string, mode: 'test' | 'live', problems: Problems): readonly CapkRecord[] {
  const records = readList(path, problems);
  try {
    loadCapksFor(mode, records);
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    problems.at(['capkFile'], `holds keys that cannot be used: ${error.message}`);
  }
  return records;
}

function readList(path: string, problems: Problems): readonly CapkRecord[] {
  const refuse = (rule: string): readonly CapkRecord[] => {
    problems.at(['capkFile'], `is ${path}, ${rule}`);
    return [];
  };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`which cannot be read (${systemCode(error)})`);
  }
  if (text.length > MAX_FILE_BYTES) return refuse(`larger than ${MAX_FILE_BYTES} bytes`);
  try {
    return readRecords(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refuse(`where ${error.message}`);
  }
}
