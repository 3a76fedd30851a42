import { createHash } from 'node:crypto';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { Caller } from './rights.js';

/** Limits of the tokens for event streams, by name. */
export const STREAM_TOKEN_LIMITS = {
  /** How long a token opens a stream. */
  lifetimeMs: 60_000,
  /** Unused tokens; beyond it the oldest goes. */
  maxUnused: 256,
} as const;

/** Whose stream a token opens. */
interface StreamHolder {
  readonly caller: Caller;
  /** Whether the browser is still signed in; absent for a caller with a token of its own. */
  readonly isSignedIn?: (() => boolean) | undefined;
}

/**
 * Tokens that open one event stream each: a browser's `EventSource` cannot send a header, and what stands in an address may end up in a
 * log. They are short-lived and only in memory.
 */
export class StreamTokens {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #unused = new Map<string, StreamHolder & { readonly expiresAtMs: number }>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A new token for one stream of the caller. */
  issue({ caller, isSignedIn }: StreamHolder): string {
    const token = Buffer.from(this.#random.bytes(32)).toString('base64url');
    const [oldest] = this.#unused.keys();
    if (this.#unused.size >= STREAM_TOKEN_LIMITS.maxUnused && oldest !== undefined)
      this.#unused.delete(oldest);
    this.#unused.set(digest(token), {
      ...{ caller, isSignedIn },
      expiresAtMs: this.#clock.monotonicMs() + STREAM_TOKEN_LIMITS.lifetimeMs,
    });
    return token;
  }

  /** Whose stream it opens; undefined for a token that is unknown, used or too old. It is used then. */
  redeem(token: string): StreamHolder | undefined {
    const key = digest(token);
    const found = this.#unused.get(key);
    this.#unused.delete(key);
    if (!found || found.expiresAtMs <= this.#clock.monotonicMs()) return undefined;
    return found.isSignedIn?.() === false ? undefined : found;
  }

  /** Takes back what a till has not used yet. */
  revoke(till: string): void {
    for (const [key, { caller }] of this.#unused) if (caller.till === till) this.#unused.delete(key);
  }
}

/** Found by digest: the time of the look-up reveals nothing of a token. */
function digest(token: string): string {
  return toHex(createHash('sha256').update(token).digest());
}
