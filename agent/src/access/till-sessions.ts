import { createHash } from 'node:crypto';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { TillRegistryError } from './till-registry.js';

/** Limits of the sessions of browsers, by name. */
export const SESSION_LIMITS = {
  /** How long a browser stays signed in. */
  lifetimeMs: 90 * 24 * 3_600_000,
  /** Sessions of one till, or of the store itself, and as many displays of it; beyond it the oldest of them goes. */
  maxOfTill: 16,
  /** A till with a PIN is locked when no person did anything on its page for so long. */
  idleMs: 5 * 60_000,
  /** Wrong PINs that end a session. */
  wrongPins: 5,
} as const;

/** Random bytes of a session. */
const SESSION_BYTES = 32;

interface Session {
  readonly hash: string;
  /** Absent: the store itself. */
  readonly till?: string;
  /** A customer display of it: the terminal that it shows. */
  readonly display?: string;
  /** Of the token that the till had: a session ends with it. */
  readonly credential: string;
  readonly createdAtMs: number;
}

/** What sessions work with. */
interface TillSessionsDeps {
  /** Their file; absent: they are only in memory. */
  readonly path?: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The digest of the token that a till has now; undefined: it has none. `till` absent: the store. */
  readonly credential: (till: string | undefined) => string | undefined;
  /** Whether a till has a PIN, and whether this is it. */
  readonly isPin: (till: string, pin: string) => boolean;
  readonly hasPin: (till: string) => boolean;
}

/** A session that was found. */
export interface FoundSession {
  /** Whether it has neither ended nor been locked since. */
  readonly isOpen: () => boolean;
  readonly till?: string;
  readonly display?: string;
  /** The PIN of its till is needed. */
  readonly locked: boolean;
}

/**
 * Browsers that stay signed in: each has a random value in a cookie that scripts cannot read, of which the home keeps the digest. A session ends
 * with the token of its till.
 */
export class TillSessions {
  readonly #deps: TillSessionsDeps;
  #sessions: ReadonlyMap<string, Session>;
  /** When a person was last at the page of a till with a PIN, monotonic milliseconds, by session; those that are not here are locked. */
  readonly #seen = new Map<string, number>();
  readonly #wrongPins = new Map<string, number>();

  /** @throws TillRegistryError when there is a file that cannot be understood */
  constructor(deps: TillSessionsDeps) {
    this.#deps = deps;
    this.#sessions = read(deps.path);
  }

  /**
   * Signs a browser in.
   * @param holder a till or the store itself, or a customer display of it
   * @param replaced the value of the cookie that it had: that session ends
   * @returns the value of its cookie
   * @throws TillRegistryError
   */
  open(holder: Pick<Session, 'till' | 'display'>, replaced?: string): string {
    const { till, display } = holder;
    const { clock, random, credential } = this.#deps;
    const current = credential(till);
    if (current === undefined) throw new TillRegistryError(`till ${till} has no token`);
    const value = Buffer.from(random.bytes(SESSION_BYTES)).toString('base64url');
    const hash = digest(value);
    const session = {
      ...{ hash, credential: current, createdAtMs: clock.nowMs() },
      ...(till !== undefined && { till }),
      ...(display !== undefined && { display }),
    };
    const ended = replaced === undefined ? undefined : digest(replaced);
    const valid = [...this.#sessions.values()].filter((each) => each.hash !== ended && this.#isValid(each));
    // Only its own go: no till signs another one out.
    const isDisplay = display !== undefined;
    const own = valid.filter((each) => each.till === till && (each.display !== undefined) === isDisplay);
    const gone = new Set(own.slice(0, Math.max(0, own.length - SESSION_LIMITS.maxOfTill + 1)));
    this.#keep([...valid.filter((each) => !gone.has(each)), session]);
    return value;
  }

  /**
   * The session of a cookie; undefined for one that is unknown or has ended.
   * @param attended a person is at the page: what a page requests by itself does not keep it unlocked
   */
  find(value: string, attended = true): FoundSession | undefined {
    const session = this.#sessions.get(digest(value));
    if (!session || !this.#isValid(session)) return undefined;
    const { till, display, hash } = session;
    const locked = this.#isLocked(session);
    if (!locked && attended) this.#seen.set(hash, this.#deps.clock.monotonicMs());
    return {
      ...(till !== undefined && { till }),
      ...(display !== undefined && { display }),
      locked,
      isOpen: () => this.#isOpen(hash),
    };
  }

  #isOpen(hash: string): boolean {
    const session = this.#sessions.get(hash);
    return session !== undefined && this.#isValid(session) && !this.#isLocked(session);
  }

  /** A display has no cashier in front of it. */
  #isLocked({ hash, till, display }: Session): boolean {
    if (till === undefined || display !== undefined || !this.#deps.hasPin(till)) return false;
    const seenMs = this.#seen.get(hash) ?? Number.NEGATIVE_INFINITY;
    return this.#deps.clock.monotonicMs() - seenMs >= SESSION_LIMITS.idleMs;
  }

  /** Unlocks a session by the PIN of its till; too many wrong ones end it. */
  unlock(value: string, pin: string): 'unlocked' | 'wrong' | 'ended' {
    const session = this.#sessions.get(digest(value));
    if (!session?.till || session.display !== undefined || !this.#isValid(session)) return 'ended';
    const { hash, till } = session;
    const before = this.#wrongPins.get(hash) ?? 0;
    // Where its end could not be written, not even the right one counts.
    if (before < SESSION_LIMITS.wrongPins && this.#deps.isPin(till, pin)) {
      this.#wrongPins.delete(hash);
      this.#seen.set(hash, this.#deps.clock.monotonicMs());
      return 'unlocked';
    }
    const wrong = before + 1;
    this.#wrongPins.set(hash, wrong);
    if (wrong < SESSION_LIMITS.wrongPins) return 'wrong';
    this.end(value);
    return 'ended';
  }

  /** Locks a session: its till needs the PIN again. */
  lock(value: string): void {
    this.#seen.delete(digest(value));
  }

  /** Signs a browser out; one that is not signed in changes nothing. @throws TillRegistryError */
  end(value: string): void {
    const hash = digest(value);
    if (this.#sessions.has(hash))
      this.#keep([...this.#sessions.values()].filter((each) => each.hash !== hash));
  }

  #isValid({ till, credential, createdAtMs }: Session): boolean {
    const ageMs = this.#deps.clock.nowMs() - createdAtMs;
    return ageMs < SESSION_LIMITS.lifetimeMs && this.#deps.credential(till) === credential;
  }

  #keep(sessions: readonly Session[]): void {
    const { path } = this.#deps;
    try {
      if (path !== undefined) replaceFile(path, `${JSON.stringify(sessions, undefined, 2)}\n`);
    } catch (error) {
      throw new TillRegistryError(`${path} cannot be written: ${(error as Error).message}`);
    }
    this.#sessions = byHash(sessions);
    for (const each of [this.#seen, this.#wrongPins])
      for (const hash of each.keys()) if (!this.#sessions.has(hash)) each.delete(hash);
  }
}

const HASH = (expected: string) => Type.String({ pattern: '^[0-9A-F]{64}$', expected, secret: true });

const readSessions = jsonReader(
  Type.Array(
    Type.Object(
      {
        hash: HASH('a digest of a session'),
        till: Type.Optional(Type.String({ expected: 'the name of a till' })),
        display: Type.Optional(Type.String({ expected: 'the id of a terminal' })),
        credential: HASH('a digest of a token'),
        createdAtMs: Type.Integer({ expected: 'a time' }),
      },
      { expected: 'a session', secret: true },
    ),
    { expected: 'a list of sessions', secret: true },
  ),
  'the file',
  (reason) => new TillRegistryError(`${reason}: move it away, then sign the tills in anew`),
);

function read(path: string | undefined): ReadonlyMap<string, Session> {
  const stored = path === undefined ? undefined : readIfThere(path);
  return byHash(stored === undefined ? [] : readSessions(stored.toString('utf8'), path ?? ''));
}

function byHash(sessions: readonly Session[]): ReadonlyMap<string, Session> {
  return new Map(sessions.map((session) => [session.hash, session]));
}

function digest(text: string): string {
  return toHex(createHash('sha256').update(text).digest());
}
