import { isHeld } from '../../../kernel/restored-database/restore-gap.js';
import { findAll } from '../../../kernel/store/all-rows.js';
import { unlessConflict } from '../../../kernel/store/decide-again.js';
import type { UserSessionRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { judgeSession, SESSION_LIMITS } from '../rules/session-rules.js';
import { type ConsoleDeps, newSecret } from '../users/console-deps.js';
import { type FoundUser, findUser } from '../users/users.js';

/** A session that counts, and whose it is. */
export interface FoundSession extends FoundUser {
  readonly session: UserSessionRow;
  /** The value that the cookie has from now on; absent: it stays. */
  readonly replaced?: string;
}

/** Browsers that are signed in: each has a random value in a cookie, of which the database has a keyed hash. All nodes look there with each request. */
export class Sessions {
  readonly #deps: Omit<ConsoleDeps, 'rowSeal'>;

  constructor(deps: Omit<ConsoleDeps, 'rowSeal'>) {
    this.#deps = deps;
  }

  /** What opens a session of a user, with the value of its cookie; the oldest of too many ends, and the one that the browser had. */
  async opening(
    userId: string,
    before: string | undefined,
  ): Promise<{ readonly changes: readonly Change[]; readonly value: string }> {
    const { store, clock, random } = this.#deps;
    const value = newSecret(random);
    const nowMs = clock.nowMs();
    const own = await findAll(store, 'userSessions', 'user', [userId]);
    const hash = before === undefined ? undefined : this.#hash(before);
    const had = hash === undefined ? undefined : await store.get('userSessions', [hash]);
    const oldest = own
      .filter((each) => each.hash !== had?.hash)
      .sort((a, b) => a.signedInAtMs - b.signedInAtMs)
      .slice(0, Math.max(0, own.length + 1 - SESSION_LIMITS.perUser));
    const row: UserSessionRow = {
      hash: this.#hash(value),
      userId,
      signedInAtMs: nowMs,
      seenAtMs: nowMs,
      endsAtMs: nowMs + SESSION_LIMITS.lifetimeMs,
      createdAtMs: nowMs,
      version: 1,
    };
    const ended = [...(had ? [had] : []), ...oldest].map(deletion);
    return { changes: [...ended, { op: 'insert', table: 'userSessions', row }], value };
  }

  /**
   * The session of a cookie; undefined for one that is unknown or has ended. `held`: the database was put back, and an operator has not confirmed it.
   * @param attended a person is at the page: what a page requests by itself keeps no session alive
   */
  async find(value: string, attended: boolean): Promise<FoundSession | 'held' | undefined> {
    const { store, clock } = this.#deps;
    const session = await store.get('userSessions', [this.#hash(value)]);
    if (!session) return undefined;
    const found = await findUser(store, session.userId);
    const nowMs = clock.nowMs();
    const verdict = judgeSession(session, found?.user, nowMs);
    if (!found || verdict === 'ended') return undefined;
    if (await isHeld(store, session.createdAtMs)) return 'held';
    if (verdict === 'rotate') return { ...found, ...(await this.#rotated(session, nowMs)) };
    if (attended && nowMs - session.seenAtMs >= SESSION_LIMITS.seenStepMs) {
      const seen = { ...session, seenAtMs: nowMs };
      await unlessConflict(
        () => store.commit([{ op: 'update', table: 'userSessions', row: seen }]),
        undefined,
      );
    }
    return { ...found, session };
  }

  /** Ends the session of a cookie; one that is unknown changes nothing. @returns what does */
  async ending(value: string): Promise<readonly Change[]> {
    const session = await this.#deps.store.get('userSessions', [this.#hash(value)]);
    return session ? [deletion(session)] : [];
  }

  /** The session under another id. The old one is good for requests that are under way; of two at once, one does it. */
  async #rotated(
    session: UserSessionRow,
    nowMs: number,
  ): Promise<Pick<FoundSession, 'session' | 'replaced'>> {
    const { store, random } = this.#deps;
    const value = newSecret(random);
    const row = { ...session, hash: this.#hash(value), seenAtMs: nowMs, createdAtMs: nowMs, version: 1 };
    const old = { ...session, endsAtMs: Math.min(session.endsAtMs, nowMs + SESSION_LIMITS.replacedMs) };
    const changes: readonly Change[] = [
      { op: 'update', table: 'userSessions', row: old },
      { op: 'insert', table: 'userSessions', row },
    ];
    const isDone = await unlessConflict(async () => {
      await store.commit(changes);
      return true;
    }, false);
    return isDone ? { session: row, replaced: value } : { session };
  }

  #hash(value: string): string {
    return this.#deps.fingerprint('session', value);
  }
}

function deletion({ hash, version }: UserSessionRow): Change {
  return { op: 'delete', table: 'userSessions', key: [hash], version };
}
