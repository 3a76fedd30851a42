import { peerName } from '@tillbridge/platform/net/peers.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { RecentUses, type RecentUsesDeps } from '../../../security/use-limits/recent-uses.js';
import { type FtpAccountDeps, judgeFtpAccount } from './ftp-account.js';

export const SIGN_IN_LIMITS = {
  /** Failures of an address at which none of its attempts succeeds any more, whatever account it names. */
  address: 10,
  /** Failures of an account, from any addresses, that lock it. */
  account: 50,
  /** How long a failure counts, in milliseconds. */
  windowMs: 15 * 60_000,
  /** Every failure is answered this long after its attempt began, in milliseconds: longer than any of them takes. */
  answerMs: 250,
  /** Longest name and password, in characters. */
  credential: 128,
} as const;

/** What clients are signed in with. */
export interface SignInDeps extends FtpAccountDeps {
  readonly store: FtpAccountDeps['store'] & RecentUsesDeps['store'];
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly fingerprint: RecentUsesDeps['fingerprint'];
  /** Called with an account that exists when its failures lock it. */
  readonly onLocked: (account: string) => void;
}

/**
 * Signs clients in. Wrong passwords are counted for each account and each address, in the database: all gateways count together. A locked one fails
 * like any other, with the same work and after the same time.
 */
export class SignIn {
  readonly #deps: SignInDeps;
  readonly #accounts: RecentUses;
  readonly #addresses: RecentUses;
  /** Failures of this process are counted one after the other: they would lose races against each other. */
  #counting: Promise<void> = Promise.resolve();

  constructor(deps: SignInDeps) {
    this.#deps = deps;
    const { windowMs, account, address } = SIGN_IN_LIMITS;
    this.#accounts = new RecentUses(deps, 'FTP account', { uses: account, windowMs });
    this.#addresses = new RecentUses(deps, 'FTP address', { uses: address, windowMs });
  }

  /** Whether a client may read the files of an account. @throws StoreUnavailableError, as late as a failure */
  async isGood(user: string, password: string, remoteAddress: string | undefined): Promise<boolean> {
    const { clock } = this.#deps;
    const startMs = clock.monotonicMs();
    const isGood = await this.#judge(user, password, peerName(remoteAddress)).catch(
      (error: unknown) => error,
    );
    if (isGood === true) return true;
    const waitMs = startMs + SIGN_IN_LIMITS.answerMs - clock.monotonicMs();
    await new Promise<void>((resolve) => void clock.setTimer(Math.max(0, waitMs), resolve));
    if (isGood === false) return false;
    throw isGood;
  }

  async #judge(user: string, password: string, address: string): Promise<boolean> {
    if (user.length > SIGN_IN_LIMITS.credential || password.length > SIGN_IN_LIMITS.credential) return false;
    const [found, ...isSpent] = await Promise.all([
      judgeFtpAccount(this.#deps, user, password),
      this.#addresses.isSpent(address),
      this.#accounts.isSpent(user),
    ]);
    if (isSpent.includes(true)) return false;
    if (found === 'good') {
      await this.#addresses.forget(address);
      return true;
    }
    const counted = this.#counting.then(() =>
      this.#count(address, found === 'wrong-password' ? user : undefined),
    );
    this.#counting = counted.catch(() => undefined);
    await counted;
    return false;
  }

  /** Counts a failure. Unknown names are not counted: they would fill the table. */
  async #count(address: string, account: string | undefined): Promise<void> {
    await this.#addresses.take(address);
    if (account === undefined || (await this.#accounts.take(account)) > 0) return;
    if (await this.#accounts.isSpent(account)) this.#deps.onLocked(account);
  }
}
