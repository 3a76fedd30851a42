import { createHash, scryptSync, timingSafeEqual } from 'node:crypto';
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

/** What a PIN of a cashier may be. */
export const CASHIER_PIN = /^\d{4,8}$/;

/** Bytes of the salt and of the hash of a PIN. */
const PIN_BYTES = 16;

interface StoredTill extends Till {
  readonly tokenHash: Uint8Array;
  /** Salt and scrypt hash of the cashier's PIN. */
  readonly pinHash?: Uint8Array;
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
      .map(({ tokenHash: _hash, pinHash, ...till }) => ({ ...till, hasPin: pinHash !== undefined }))
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
    pin?: string,
  ): { readonly till: Till; readonly token: string } | undefined {
    if (this.#tills.has(id)) return undefined;
    if (this.#tills.size >= MAX_TILLS) throw new RangeError(`a store has at most ${MAX_TILLS} tills`);
    const token = Buffer.from(this.#random.bytes(TOKEN_BYTES)).toString('base64url');
    const till = { id, rights, createdAtMs: nowMs };
    const pinHash = pin === undefined ? undefined : hashPin(pin, this.#random.bytes(PIN_BYTES));
    const stored = { ...till, tokenHash: digest(token), ...(pinHash && { pinHash }) };
    this.#keep(new Map([...this.#tills, [id, stored]]));
    return { till: { ...till, hasPin: pinHash !== undefined }, token };
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

  /** A till that has a token. */
  get(id: string): Till | undefined {
    const till = this.#tills.get(id);
    return till && { ...till, hasPin: till.pinHash !== undefined };
  }

  /** The digest of the token that a till has now. */
  credential(id: string): string | undefined {
    const till = this.#tills.get(id);
    return till && toHex(till.tokenHash);
  }

  hasPin(id: string): boolean {
    return this.#tills.get(id)?.pinHash !== undefined;
  }

  /** Whether it is the PIN of the till. */
  isPin(id: string, pin: string): boolean {
    const stored = this.#tills.get(id)?.pinHash;
    if (!stored || !CASHIER_PIN.test(pin)) return false;
    return timingSafeEqual(hashPin(pin, stored.subarray(0, PIN_BYTES)), stored);
  }

  /** The till of a token. Compares by digest with every till, in a time that reveals nothing of them. */
  find(token: string): Till | undefined {
    const given = digest(token);
    let found: Till | undefined;
    for (const till of this.#tills.values()) if (equalConstantTime(given, till.tokenHash)) found = till;
    return found;
  }

  #keep(tills: ReadonlyMap<string, StoredTill>): void {
    const stored = [...tills.values()].map(({ tokenHash, pinHash, ...till }) => ({
      ...till,
      tokenHash: toHex(tokenHash),
      ...(pinHash && { pinHash: toHex(pinHash) }),
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
    pinHash: Type.Optional(
      Type.String({ pattern: '^[0-9A-F]{64}$', expected: 'a hash of a PIN', secret: true }),
    ),
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
    tills.map(({ id, rights, createdAtMs, tokenHash, pinHash }) => [
      id,
      {
        ...{ id, rights, createdAtMs, tokenHash: fromHex(tokenHash) },
        ...(pinHash !== undefined && { pinHash: fromHex(pinHash) }),
      },
    ]),
  );
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** Salt and hash: slow, as a PIN has few digits. */
function hashPin(pin: string, salt: Uint8Array): Uint8Array {
  return Buffer.concat([salt, scryptSync(pin, salt, PIN_BYTES)]);
}
