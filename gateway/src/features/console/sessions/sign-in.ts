import { fromHex, withSecret } from '@tillbridge/wire/bytes.js';
import { auditOf } from '../../../kernel/audit/audit.js';
import type { UserInvitationRow, UserRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict } from '../../../kernel/store/store.js';
import { RecentUses } from '../../../security/use-limits/recent-uses.js';
import { invitationContext, userContext } from '../../../security/vault/contexts.js';
import { base32, stepOfCode } from '../rules/one-time-code.js';
import { passwordFault } from '../rules/password-rules.js';
import type { ConsoleDeps } from '../users/console-deps.js';
import type { PasswordHashes } from '../users/password-hashes.js';
import { type FoundUser, findUser, invitationDeletion } from '../users/users.js';
import type { Sessions } from './sessions.js';

/** How often it may be tried to sign in. */
export const SIGN_IN_LIMITS = {
  /** Attempts of an address since one of its own succeeded. */
  address: 20,
  /** Attempts for an account, from any addresses, since one succeeded. */
  account: 10,
  /** How long an attempt counts, in milliseconds. */
  windowMs: 15 * 60_000,
  /** Recovery codes of a user. */
  recoveryCodes: 8,
  /** Random bytes of a recovery code. */
  recoveryBytes: 10,
} as const;

/** What sign-ins work with. */
export interface SignInDeps extends ConsoleDeps {
  readonly sessions: Sessions;
  readonly hashes: PasswordHashes;
  /** In test mode a user without one-time codes, as `seed` makes it, signs in by its password alone. */
  readonly mode: 'test' | 'live';
}

/** Who tries, and from where. */
export interface Peer {
  readonly address: string;
  /** The value of the cookie that the browser has. */
  readonly cookie: string | undefined;
}

/** How an attempt ended. `wait`: too many were made, for so many milliseconds. */
export type SignInResult =
  | {
      readonly kind: 'in';
      readonly value: string;
      readonly found: FoundUser;
      readonly recoveryCodes?: readonly string[];
    }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'unknown-invitation' }
  | { readonly kind: 'bad-password'; readonly fault: string }
  | { readonly kind: 'wait'; readonly waitMs: number };

/** An invitation that is good, and the secret of its one-time codes. */
export interface OpenInvitation {
  readonly user: UserRow;
  readonly invitation: UserInvitationRow;
  readonly secret: Buffer;
}

/**
 * Signs users in. Attempts are counted in the database before anything is computed, for the address and for the account that is named, whether there
 * is one or not: all nodes count together, and no answer tells an account that exists from one that does not.
 */
export class SignIn {
  readonly #deps: SignInDeps;
  readonly #accounts: RecentUses;
  readonly #addresses: RecentUses;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
    const { account, address, windowMs } = SIGN_IN_LIMITS;
    this.#accounts = new RecentUses(deps, 'console account', { uses: account, windowMs });
    this.#addresses = new RecentUses(deps, 'console address', { uses: address, windowMs });
  }

  /** By password and one-time code. @throws HashQueueFullError, StoreUnavailableError */
  async signIn(
    {
      email: typed,
      password,
      code,
    }: { readonly email: string; readonly password: string; readonly code: string },
    peer: Peer,
  ): Promise<SignInResult> {
    const { store, hashes } = this.#deps;
    const email = typed.toLowerCase();
    const waitMs = (await this.#addresses.take(peer.address)) || (await this.#accounts.take(email));
    if (waitMs > 0) return { kind: 'wait', waitMs };
    const [row] = await store.find('users', 'email', [email]);
    const user = row?.state === 'active' ? row : undefined;
    const isGood = await hashes.isPassword(password, user?.password ?? null);
    const passed = await this.#codePassed(user, code);
    if (!user || !isGood || !passed) return this.#refused(row, email, peer);
    const hash = await hashes.renewed(password, user.password ?? '');
    const nowMs = this.#deps.clock.nowMs();
    const signedIn = { ...user, ...passed, password: hash, lastSignInAtMs: nowMs };
    const change: Change = { op: 'update', table: 'users', row: signedIn };
    const value = await this.#open(signedIn, [change], peer, 'sign-in');
    // Of two with one code the other came first: it is used.
    if (value === undefined) return this.#refused(row, email, peer);
    await Promise.all([this.#addresses.forget(peer.address), this.#accounts.forget(email)]);
    const found = await findUser(store, user.id);
    return found ? { kind: 'in', value, found } : { kind: 'wrong' };
  }

  /** The invitation of a link; undefined where it is none, or not any more. @throws StoreUnavailableError */
  async openInvitation(link: string): Promise<OpenInvitation | undefined> {
    const { store, fingerprint, clock, rowSeal } = this.#deps;
    const [invitation] = await store.find('userInvitations', 'hash', [fingerprint('invitation', link)]);
    if (!invitation || clock.nowMs() >= invitation.expiresAtMs) return undefined;
    const user = await store.get('users', [invitation.userId]);
    if (user?.state !== 'invited') return undefined;
    const { secret } = await rowSeal.open<{ secret: string }>(invitationContext(invitation), invitation);
    return { user, invitation, secret: fromHex(secret) };
  }

  /** Makes an invited person a user, with the password and a code that shows that the secret was taken over. @throws HashQueueFullError, StoreUnavailableError */
  async accept(
    {
      invitation: link,
      password,
      code,
    }: { readonly invitation: string; readonly password: string; readonly code: string },
    peer: Peer,
  ): Promise<SignInResult> {
    const { store, clock, rowSeal, hashes } = this.#deps;
    const waitMs = await this.#addresses.take(peer.address);
    if (waitMs > 0) return { kind: 'wait', waitMs };
    const open = await this.openInvitation(link);
    if (!open) return { kind: 'unknown-invitation' };
    const { user, invitation, secret } = open;
    const fault = passwordFault(password, user.email);
    if (fault !== undefined) return { kind: 'bad-password', fault };
    const codeStep = withSecret(secret, () =>
      stepOfCode(secret, code, { nowMs: clock.nowMs(), usedStep: null }),
    );
    if (codeStep === undefined) return { kind: 'wrong' };
    const hash = await hashes.hash(password);
    const recoveryCodes = this.#newRecoveryCodes();
    const { secret: kept } = await rowSeal.open<{ secret: string }>(
      invitationContext(invitation),
      invitation,
    );
    const row: UserRow = {
      ...{ ...user, state: 'active', password: hash, codeStep, lastSignInAtMs: clock.nowMs() },
      ...rowSeal.seal(userContext(user), { secret: kept }),
      recoveryCodes: JSON.stringify(recoveryCodes.map((each) => this.#recoveryHash(user.id, each))),
    };
    const changes: Change[] = [{ op: 'update', table: 'users', row }, invitationDeletion(invitation)];
    const value = await this.#open(row, changes, peer, 'users accept');
    if (value === undefined) return { kind: 'unknown-invitation' };
    await this.#addresses.forget(peer.address);
    const found = await findUser(store, user.id);
    return found ? { kind: 'in', value, found, recoveryCodes } : { kind: 'unknown-invitation' };
  }

  /** Commits a sign-in; undefined where another commit was faster. */
  async #open(
    user: UserRow,
    changes: readonly Change[],
    peer: Peer,
    action: string,
  ): Promise<string | undefined> {
    const { store, sessions } = this.#deps;
    const { changes: opening, value } = await sessions.opening(user.id, peer.cookie);
    try {
      await store.commit([...changes, ...opening, await this.#record(user, action, peer, 'done')]);
      return value;
    } catch (error) {
      if (error instanceof CommitConflict) return undefined;
      throw error;
    }
  }

  async #refused(user: UserRow | undefined, email: string, peer: Peer): Promise<SignInResult> {
    const isLocked = await this.#accounts.isSpent(email);
    const record = await this.#record(user, isLocked ? 'sign-in locked' : 'sign-in', peer, 'failed');
    await this.#deps.store.commit([record]);
    return { kind: 'wrong' };
  }

  async #record(
    user: UserRow | undefined,
    action: string,
    { address }: Peer,
    outcome: 'done' | 'failed',
  ): Promise<Change> {
    const found = user && (await findUser(this.#deps.store, user.id));
    const entityId = found?.roles[0]?.entityId;
    const entry = {
      actor: user ? `user ${user.id}` : 'stranger',
      ...{ action, subject: user?.id ?? '', detail: { address } },
      ...(entityId !== undefined && { entityId }),
    };
    return auditOf(this.#deps, entry, outcome);
  }

  /** What of the user's row a good code changes; undefined: it is none. A recovery code is used up. */
  async #codePassed(user: UserRow | undefined, code: string): Promise<Partial<UserRow> | undefined> {
    const { clock, rowSeal, mode } = this.#deps;
    const typed = code.replace(/[\s-]/g, '').toUpperCase();
    const left = JSON.parse(user?.recoveryCodes ?? '[]') as string[];
    const recovery = this.#recoveryHash(user?.id ?? '', typed);
    if (!user) return undefined;
    if (user.sealed === null || user.keyId === null) return mode === 'test' ? {} : undefined;
    const sealed = { sealed: user.sealed, keyId: user.keyId };
    const { secret: hex } = await rowSeal.open<{ secret: string }>(userContext(user), sealed);
    const codeStep = withSecret(fromHex(hex), (secret) =>
      stepOfCode(secret, typed, { nowMs: clock.nowMs(), usedStep: user.codeStep }),
    );
    if (codeStep !== undefined) return { codeStep };
    if (!left.includes(recovery)) return undefined;
    return { recoveryCodes: JSON.stringify(left.filter((each) => each !== recovery)) };
  }

  #newRecoveryCodes(): readonly string[] {
    const { recoveryCodes, recoveryBytes } = SIGN_IN_LIMITS;
    return Array.from({ length: recoveryCodes }, () => base32(this.#deps.random.bytes(recoveryBytes)));
  }

  #recoveryHash(userId: string, code: string): string {
    return this.#deps.fingerprint('recovery code', `${userId} ${code}`);
  }
}
