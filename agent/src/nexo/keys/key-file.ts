import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '@tillbridge/protocol/platform/read-file.js';
import { replaceFile } from '@tillbridge/protocol/platform/write-file.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { TILL_RIGHTS, type TillRight } from '../../access/rights.js';
import { NEXO_FILES } from '../../home/home-files.js';
import { isPartyId } from '../messages/header.js';
import type { NexoKey } from '../messages/message-cipher.js';
import type { NexoCaller } from './caller.js';

/** A file of the nexo interface cannot be used; the message names it, never a key. */
export class NexoFileError extends Error {
  override readonly name = 'NexoFileError';
}

/** A key, and the tills that may use it. */
export interface TillKey extends NexoKey, NexoCaller {}

/** Limits of the file. */
const KEY_LIMITS = { maxKeys: 256, maxSaleIds: 64, minPassphrase: 16 } as const;

const KEY_IDENTIFIER = 'tillbridge';
const PASSPHRASE_BYTES = 32;

/** The file with the keys of tills: one key for all of them, or a list of keys that may each be of some tills. */
export class KeyFile {
  readonly #path: string;
  #seen = '';

  /** The file is made with one key where `keyFile` names none and the home has none. @throws NexoFileError */
  constructor(home: string, keyFile: string | undefined, random: Random) {
    this.#path = keyFile ?? join(home, NEXO_FILES.messageKey);
    if (readIfThere(this.#path) !== undefined) return;
    if (keyFile !== undefined)
      throw new NexoFileError(`${keyFile} is not there: it must hold the key of the tills`);
    const passphrase = Buffer.from(random.bytes(PASSPHRASE_BYTES)).toString('base64url');
    const key: NexoKey = { identifier: KEY_IDENTIFIER, version: 1, passphrase };
    replaceFile(this.#path, `${JSON.stringify(key, null, 2)}\n`);
  }

  get path(): string {
    return this.#path;
  }

  /** The keys, where the file has changed since they were read. @throws NexoFileError, once for each change */
  changed(): readonly TillKey[] | undefined {
    const seen = stampOf(this.#path);
    if (seen === this.#seen) return undefined;
    this.#seen = seen;
    return readKeys(this.#path);
  }
}

/** Changes whenever the file does. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : 'none';
}

function readKeys(path: string): readonly TillKey[] {
  const refuse = (rule: string) => new NexoFileError(`${path} ${rule}`);
  const text = readIfThere(path)?.toString('utf8');
  if (text === undefined) throw refuse('is not there: it must hold the key of the tills');
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw refuse('is open to other users: set its mode to 0600');
  const written = parsed(text);
  const entries: readonly unknown[] = Array.isArray(written) ? written : [written];
  if (entries.length === 0 || entries.length > KEY_LIMITS.maxKeys)
    throw refuse(`must hold 1 to ${KEY_LIMITS.maxKeys} keys`);
  const keys = entries.map((entry, at) => {
    const key = readKey(entry);
    if (typeof key === 'string')
      throw refuse(`must be JSON${entries.length > 1 ? `, entry ${at}` : ''}: ${key}`);
    return key;
  });
  const names = new Set(keys.map(({ identifier, version }) => JSON.stringify([identifier, version])));
  if (names.size < keys.length) throw refuse('has two keys with one identifier and version');
  return keys;
}

/** The key of an entry, or the rule that it breaks. */
function readKey(entry: unknown): TillKey | string {
  const { identifier, version, passphrase, saleIds, rights } = (entry ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (typeof identifier !== 'string' || identifier === '') return 'identifier must be a text';
  if (!Number.isSafeInteger(version)) return 'version must be a whole number';
  if (typeof passphrase !== 'string' || passphrase.length < KEY_LIMITS.minPassphrase)
    return `passphrase must have ${KEY_LIMITS.minPassphrase} characters or more`;
  if (saleIds !== undefined && !isListOf(saleIds, isPartyId))
    return `saleIds must be a list of 1 to ${KEY_LIMITS.maxSaleIds} SaleIDs`;
  if (rights !== undefined && !isListOf(rights, isRight))
    return `rights must be a list of ${TILL_RIGHTS.join(', ')}`;
  return {
    identifier,
    version: Number(version),
    passphrase,
    rights: rights ?? TILL_RIGHTS,
    ...(saleIds && { saleIds }),
  };
}

function isListOf<T>(value: unknown, is: (each: unknown) => each is T): value is readonly T[] {
  return Array.isArray(value) && value.length > 0 && value.length <= KEY_LIMITS.maxSaleIds && value.every(is);
}

function isRight(value: unknown): value is TillRight {
  return TILL_RIGHTS.some((right) => right === value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
