import { createHash } from 'node:crypto';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { oneOf, text } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { equalConstantTime, fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { TILL_RIGHTS, type Till, type TillRight } from './rights.js';

/** Most tills of one store. */
export const MAX_TILLS = 128;

/** What a till may be called. */
export const TILL_ID = /^[0-9A-Za-z][0-9A-Za-z._-]{0,31}$/;

/** Random bytes of a token. */
const TOKEN_BYTES = 32;

/** The file of the tills cannot be read or kept; the message names it. */
export class TillRegistryError extends Error {
  override readonly name = 'TillRegistryError';
}

interface StoredTill extends Till {
  readonly tokenHash: Uint8Array;
}

/**
 * The tills of the store and the digests of their tokens, in a file of the home. Only the running agent writes it.
 * It is no part of the journal's copy: a copy could bring a revoked token back.
 */
export class TillRegistry {
  readonly #path: string;
  readonly #random: Random;
  readonly #revoked = new Listeners<[till: string]>();
  #tills: ReadonlyMap<string, StoredTill>;

  /** @throws TillRegistryError when there is a file that cannot be understood */
  constructor(path: string, random: Random) {
    this.#path = path;
    this.#random = random;
    this.#tills = read(path);
  }

  /** The tills by name. */
  list(): readonly Till[] {
    return [...this.#tills.values()]
      .map(({ tokenHash: _hash, ...till }) => till)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /**
   * Makes a till and its token, which is returned here and never again. On disk when it returns.
   * @returns undefined where the till has a token already
   * @throws TillRegistryError, RangeError beyond {@link MAX_TILLS}
   */
  create(
    id: string,
    rights: readonly TillRight[],
    nowMs: number,
  ): { readonly till: Till; readonly token: string } | undefined {
    if (this.#tills.has(id)) return undefined;
    if (this.#tills.size >= MAX_TILLS) throw new RangeError(`a store has at most ${MAX_TILLS} tills`);
    const token = Buffer.from(this.#random.bytes(TOKEN_BYTES)).toString('base64url');
    const till = { id, rights, createdAtMs: nowMs };
    this.#keep(new Map([...this.#tills, [id, { ...till, tokenHash: digest(token) }]]));
    return { till, token };
  }

  /** Takes the token of a till away, at once and for ever. @returns whether there was one @throws TillRegistryError */
  revoke(id: string): boolean {
    if (!this.#tills.has(id)) return false;
    this.#keep(new Map([...this.#tills].filter(([each]) => each !== id)));
    this.#revoked.tell(id);
    return true;
  }

  /** Calls `listener` with every till that is revoked. Returns the function that ends it. */
  onRevoked(listener: (till: string) => void): () => void {
    return this.#revoked.add(listener);
  }

  /** The till of a token. Compares by digest with every till, in a time that reveals nothing of them. */
  find(token: string): Till | undefined {
    const given = digest(token);
    let found: Till | undefined;
    for (const till of this.#tills.values()) if (equalConstantTime(given, till.tokenHash)) found = till;
    return found;
  }

  #keep(tills: ReadonlyMap<string, StoredTill>): void {
    const stored = [...tills.values()].map(({ tokenHash, ...till }) => ({
      ...till,
      tokenHash: toHex(tokenHash),
    }));
    try {
      replaceFile(this.#path, `${JSON.stringify(stored, undefined, 2)}\n`);
    } catch (error) {
      throw new TillRegistryError(`${this.#path} cannot be written: ${(error as Error).message}`);
    }
    this.#tills = tills;
  }
}

const TILL = Type.Object(
  {
    id: text('the name of a till', TILL_ID),
    rights: Type.Array(oneOf(TILL_RIGHTS), { expected: 'a list of rights' }),
    createdAtMs: Type.Integer({ expected: 'a time' }),
    tokenHash: Type.String({ pattern: '^[0-9A-F]{64}$', expected: 'a digest of a token', secret: true }),
  },
  { expected: 'a till', secret: true },
);
const readTills = jsonReader(
  Type.Array(TILL, { expected: 'a list of tills', secret: true }),
  'the file',
  (reason) => new TillRegistryError(`${reason}: move it away, then make the tills anew`),
);

function read(path: string): ReadonlyMap<string, StoredTill> {
  const stored = readIfThere(path);
  const tills = stored === undefined ? [] : readTills(stored.toString('utf8'), path);
  return new Map(
    tills.map(({ id, rights, createdAtMs, tokenHash }) => [
      id,
      { id, rights, createdAtMs, tokenHash: fromHex(tokenHash) },
    ]),
  );
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
