import { peerName } from '@tillbridge/protocol/platform/net/peers.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { type FtpAccountParts, judgeFtpAccount } from './ftp-account.js';

export const SIGN_IN_LIMITS = {
  /** Failures of an address at which none of its attempts succeeds any more, whatever account it names. */
  address: 10,
  /** Failures of an account, from whatever addresses, at which nobody signs in to it any more. */
  account: 50,
  /** From the first failure that counts to the end of the lock, in milliseconds. */
  windowMs: 15 * 60_000,
  /** Every failure is answered this long after its attempt began, in milliseconds: longer than any of them takes. */
  answerMs: 250,
  /** Longest name and password, in characters. */
  credential: 128,
  /** Accounts and addresses whose failures are remembered, each; beyond, the oldest are forgotten. */
  remembered: 10_000,
} as const;

/** What clients are signed in with. */
export interface SignInParts extends FtpAccountParts {
  readonly clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  /** Called with an account that exists when its failures lock it. */
  readonly onLocked: (account: string) => void;
}

/**
 * Signs clients in. Wrong passwords are counted for each account and each address in the memory of this process; a locked one fails like any other,
 * with the same work and after the same time.
 */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #accounts = new Failures(SIGN_IN_LIMITS.account);
  readonly #addresses = new Failures(SIGN_IN_LIMITS.address);

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** Whether a client may read the files of an account. @throws StoreUnavailableError, as late as a failure */
  async isGood(user: string, password: string, remoteAddress: string | undefined): Promise<boolean> {
    const { clock } = this.#parts;
    const startMs = clock.monotonicMs();
    const isGood = await this.#judge(user, password, peerName(remoteAddress), startMs).catch(
      (error: unknown) => error,
    );
    if (isGood === true) return true;
    const waitMs = startMs + SIGN_IN_LIMITS.answerMs - clock.monotonicMs();
    await new Promise<void>((resolve) => void clock.setTimer(Math.max(0, waitMs), resolve));
    if (isGood === false) return false;
    throw isGood;
  }

  async #judge(user: string, password: string, address: string, nowMs: number): Promise<boolean> {
    const isLocked = this.#addresses.isLocked(address, nowMs) || this.#accounts.isLocked(user, nowMs);
    if (user.length > SIGN_IN_LIMITS.credential || password.length > SIGN_IN_LIMITS.credential) return false;
    const found = await judgeFtpAccount(this.#parts, user, password);
    if (isLocked) return false;
    if (found === 'good') {
      this.#addresses.forget(address);
      return true;
    }
    this.#addresses.count(address, nowMs);
    if (this.#accounts.count(user, nowMs) && found === 'wrong-password') this.#parts.onLocked(user);
    return false;
  }
}

/** Counts failures by subject. */
class Failures {
  readonly #limit: number;
  /** The oldest first. */
  readonly #counts = new Map<string, { count: number; readonly sinceMs: number }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  isLocked(subject: string, nowMs: number): boolean {
    return (this.#current(subject, nowMs)?.count ?? 0) >= this.#limit;
  }

  /** Counts one more; returns whether it is the one that locks. */
  count(subject: string, nowMs: number): boolean {
    const counted = this.#current(subject, nowMs) ?? { count: 0, sinceMs: nowMs };
    counted.count += 1;
    this.#counts.set(subject, counted);
    if (this.#counts.size > SIGN_IN_LIMITS.remembered) {
      const [oldest = ''] = this.#counts.keys();
      this.#counts.delete(oldest);
    }
    return counted.count === this.#limit;
  }

  forget(subject: string): void {
    this.#counts.delete(subject);
  }

  #current(subject: string, nowMs: number) {
    const counted = this.#counts.get(subject);
    if (!counted || nowMs < counted.sinceMs + SIGN_IN_LIMITS.windowMs) return counted;
    this.#counts.delete(subject);
    return undefined;
  }
}
