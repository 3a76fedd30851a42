import { createHash } from 'node:crypto';
import { equalConstantTime, fromHex, toHex } from '@tillbridge/protocol/bytes.js';
import { readIfThere } from '@tillbridge/protocol/platform/read-file.js';
import { replaceFile } from '@tillbridge/protocol/platform/write-file.js';
import { Listeners } from '@tillbridge/protocol/seams/listeners.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
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

  /** The till of a token. Compares by digest with every till, in a time that tells nothing of them. */
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

function read(path: string): ReadonlyMap<string, StoredTill> {
  const refuse = (error: unknown) =>
    new TillRegistryError(
      `${path} cannot be understood (${(error as Error).message}): move it away, then make the tills anew`,
    );
  try {
    const bytes = readIfThere(path);
    const stored: unknown = bytes === undefined ? [] : JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (!Array.isArray(stored)) throw new TypeError('expected a list');
    return new Map(stored.map((entry) => [String(entry?.id), storedTill(entry)]));
  } catch (error) {
    throw refuse(error);
  }
}

function storedTill(entry: unknown): StoredTill {
  const { id, rights, createdAtMs, tokenHash } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || !TILL_ID.test(id)) throw new TypeError('a till has no name');
  const isRight = (right: unknown): right is TillRight => TILL_RIGHTS.some((known) => known === right);
  if (!Array.isArray(rights) || !rights.every(isRight)) throw new TypeError(`till ${id}: wrong rights`);
  if (typeof createdAtMs !== 'number' || typeof tokenHash !== 'string' || !/^[0-9A-F]{64}$/.test(tokenHash))
    throw new TypeError(`till ${id}: time or digest is missing`);
  return { id, rights, createdAtMs, tokenHash: fromHex(tokenHash) };
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
