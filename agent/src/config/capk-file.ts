import { readFileSync } from 'node:fs';
import { CryptoError } from '@tillbridge/protocol/crypto/ciphers/errors.js';
import type { CapkRecord } from '@tillbridge/protocol/crypto/emv/capk.js';
import { loadCapksFor } from '@tillbridge/protocol/crypto/emv/capk-policy.js';
import { systemCode } from '@tillbridge/protocol/errors/system-code.js';
import type { Problems } from '@tillbridge/protocol/platform/config/problems.js';

/** Largest file of certification authority keys; a terminal holds a few dozen of half a kilobyte each. */
const MAX_FILE_BYTES = 256 * 1024;
const MEMBERS = ['rid', 'index', 'modulus', 'exponent', 'sha1'] as const;

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
  let list: unknown;
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > MAX_FILE_BYTES) return refuse(`larger than ${MAX_FILE_BYTES} bytes`);
    list = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('which is no JSON');
    return refuse(`which cannot be read (${systemCode(error)})`);
  }
  if (!Array.isArray(list) || list.length === 0 || !list.every(isRecord))
    return refuse(`expected a list of {${MEMBERS.join(', ')}}, each a text of hex digits`);
  return list;
}

function isRecord(value: unknown): value is CapkRecord {
  if (typeof value !== 'object' || value === null) return false;
  const object = value as Readonly<Record<string, unknown>>;
  return MEMBERS.every((member) => typeof object[member] === 'string');
}
