import { createHash } from 'node:crypto';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';

/** Limits of the codes that sign a till in, by name. */
export const SIGN_IN_CODE_LIMITS = {
  /** How long a code may be used, once. */
  lifetimeMs: 10 * 60_000,
  /** Characters of a code: 40 random bits. */
  length: 8,
  /** Unused codes; beyond it the oldest goes. */
  maxUnused: 128,
} as const;

/** Crockford's alphabet: no letter that is read as a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What a code signs in. */
export interface CodeHolder {
  /** The till; absent: the store itself, of which only displays have codes. */
  readonly till?: string;
  /** A customer display of the till, by its terminal. */
  readonly display?: string;
}

/** One-time codes by which a till is signed in on a tablet: short enough to be typed, short-lived, only in memory. */
export class SignInCodes {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #unused = new Map<string, CodeHolder & { readonly expiresAtMs: number }>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A new code of a till or a display, such as `7K3M-9QTX`; an earlier one of it is void. */
  issue(holder: CodeHolder): string {
    this.#drop(({ till, display }) => till === holder.till && display === holder.display);
    const [oldest] = this.#unused.keys();
    if (this.#unused.size >= SIGN_IN_CODE_LIMITS.maxUnused && oldest !== undefined)
      this.#unused.delete(oldest);
    const code = [...this.#random.bytes(SIGN_IN_CODE_LIMITS.length)]
      .map((byte) => ALPHABET[byte % ALPHABET.length])
      .join('');
    const expiresAtMs = this.#clock.monotonicMs() + SIGN_IN_CODE_LIMITS.lifetimeMs;
    this.#unused.set(digest(code), { ...holder, expiresAtMs });
    return `${code.slice(0, 4)}-${code.slice(4)}`;
  }

  /** What a code signs in; undefined for one that is unknown, used or too old. It is used then. */
  redeem(text: string): CodeHolder | undefined {
    const key = digest(plain(text));
    const found = this.#unused.get(key);
    this.#unused.delete(key);
    return found && found.expiresAtMs > this.#clock.monotonicMs() ? found : undefined;
  }

  /** Takes back what a till has not used yet, for displays too. */
  revoke(till: string): void {
    this.#drop((unused) => unused.till === till);
  }

  #drop(isMeant: (unused: CodeHolder) => boolean): void {
    for (const [key, unused] of this.#unused) if (isMeant(unused)) this.#unused.delete(key);
  }
}

/** As people type it: in small letters, with or without the hyphen, O for 0 and I or L for 1. */
function plain(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

/** Found by digest: the time of the look-up reveals nothing of a code. */
function digest(text: string): string {
  return toHex(createHash('sha256').update(text).digest());
}
