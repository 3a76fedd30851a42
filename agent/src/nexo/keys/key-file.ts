import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { oneOf, section } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { type Static, type TSchema, Type } from '@tillbridge/platform/schema/type.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { TILL_RIGHTS } from '../../access/rights.js';
import { NEXO_FILES } from '../../home/home-files.js';
import { isPartyId } from '../messages/header.js';
import type { NexoKey } from '../messages/message-cipher.js';
import { NEXO_RIGHTS, type NexoCaller, type NexoRight } from './caller.js';

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

const SALE_ID = Type.Unsafe<string>({
  expected: 'a SaleID',
  rule: (id: unknown) => (isPartyId(id) ? undefined : {}),
});
const KEY = section(
  {
    identifier: Type.String({ minLength: 1, expected: 'a text' }),
    version: Type.Integer({ expected: 'a whole number' }),
    passphrase: Type.String({
      minLength: KEY_LIMITS.minPassphrase,
      expected: `${KEY_LIMITS.minPassphrase} characters or more`,
      secret: true,
    }),
    saleIds: Type.Optional(listOf(SALE_ID, 'SaleIDs')),
    rights: Type.Unsafe<readonly NexoRight[]>({
      ...listOf(oneOf(NEXO_RIGHTS), `rights out of ${NEXO_RIGHTS.join(', ')}`),
      default: TILL_RIGHTS,
    }),
  },
  { expected: 'an object with identifier, version and passphrase', secret: true },
);
type WrittenKey = Static<typeof KEY>;

/** One key, or a list of them. */
const KEYS = Type.Unsafe<WrittenKey | WrittenKey[]>({
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: Type.Array(KEY, {
    minItems: 1,
    maxItems: KEY_LIMITS.maxKeys,
    expected: `1 to ${KEY_LIMITS.maxKeys} keys`,
    secret: true,
  }),
  else: KEY,
});

function listOf<T extends TSchema>(item: T, what: string) {
  const maxItems = KEY_LIMITS.maxSaleIds;
  return Type.Array(item, { minItems: 1, maxItems, expected: `a list of 1 to ${maxItems} ${what}` });
}

const readWritten = jsonReader(KEYS, 'the file', (reason) => new NexoFileError(reason));

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
  const written = readWritten(text, path);
  const keys = Array.isArray(written) ? written : [written];
  const names = new Set(keys.map(({ identifier, version }) => JSON.stringify([identifier, version])));
  if (names.size < keys.length) throw refuse('has two keys with one identifier and version');
  return keys;
}
