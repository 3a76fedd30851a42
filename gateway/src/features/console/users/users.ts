import { toHex } from '@tillbridge/wire/bytes.js';
import type { UserRole } from '../../../kernel/api/catalogue/administration/user-role-names.js';
import { type AuditEntry, auditOf } from '../../../kernel/audit/audit.js';
import { findAll } from '../../../kernel/store/all-rows.js';
import { decideAgain } from '../../../kernel/store/decide-again.js';
import { newId } from '../../../kernel/store/new-id.js';
import type { UserInvitationRow, UserRoleRow, UserRow } from '../../../kernel/store/rows.js';
import type { Change, Store } from '../../../kernel/store/store.js';
import { invitationContext } from '../../../security/vault/contexts.js';
import { CODE_RULES } from '../rules/one-time-code.js';
import { faultOfRole, faultOfWhole, type ManageFault, type UserManager } from '../rules/user-rights.js';
import { type ConsoleDeps, newSecret } from './console-deps.js';
import { UserError } from './user-error.js';

/** Limits of users. */
export const USER_LIMITS = {
  /** Users with a role for one merchant or channel. */
  perEntity: 500,
  /** How long an invitation is good, in milliseconds. */
  invitationMs: 3 * 24 * 3_600_000,
} as const;

/** A user, and every role of it. */
export interface FoundUser {
  readonly user: UserRow;
  readonly roles: readonly UserRoleRow[];
}

/** Whom to invite. */
export interface NewUser {
  readonly email: string;
  readonly name: string;
  /** The role for a merchant or channel; absent: none yet. */
  readonly role?: { readonly entityId: string; readonly role: UserRole };
  readonly isOperator?: boolean;
}

/** Who does something with users: reach, and name for the audit. */
export interface Manager extends UserManager {
  readonly actor: string;
}

/** A user who is invited; absent link: the user could sign in before. */
export interface Invited {
  readonly user: UserRow;
  /** What the link holds; shown this once. */
  readonly invitation?: string;
}

/** A user by its id. @throws StoreUnavailableError */
export async function findUser(
  store: Pick<Store, 'get' | 'find'>,
  id: string,
): Promise<FoundUser | undefined> {
  const [user, roles] = await Promise.all([
    store.get('users', [id]),
    findAll(store, 'userRoles', 'user', [id]),
  ]);
  return user && { user, roles };
}

/** Invites, changes and removes users. A user without access any more is refused with the next request. */
export class Users {
  readonly #deps: ConsoleDeps;

  constructor(deps: ConsoleDeps) {
    this.#deps = deps;
  }

  /** Invites a person, or gives a role to a user who is there. @throws UserError, StoreUnavailableError */
  invite(manager: Manager, about: NewUser): Promise<Invited> {
    return this.#decide(async () => {
      const email = about.email.toLowerCase();
      if (about.role) await this.#requireRoom(about.role.entityId);
      const [known] = await this.#deps.store.find('users', 'email', [email]);
      const roles = known ? ((await findUser(this.#deps.store, known.id))?.roles ?? []) : [];
      // Of a user elsewhere a merchant neither learns nor resets anything.
      const fault = known && known.state !== 'removed' && faultOfWhole(manager, { user: known, roles });
      if (fault) throw new UserError(fault === 'self' ? 'self' : 'has-account');
      const user = this.#invited(email, about, known);
      const detail = { email, operator: about.isOperator === true, role: about.role?.role ?? null };
      const record = this.#record(manager, 'users invite', user, detail, about.role?.entityId);
      const role = about.role ? this.#roleChange(user.id, about.role, roles) : [];
      const changes = [userChange(known, user), ...role, record];
      if (user.state === 'active') {
        await this.#deps.store.commit(changes);
        return { user };
      }
      const { change, invitation } = await this.#invitation(user);
      await this.#deps.store.commit([...changes, change]);
      return { user, invitation };
    });
  }

  /** Sets the role of a user for an entity; `none` takes it. A user without any is no user any more. @throws UserError, StoreUnavailableError */
  setRole(
    manager: Manager,
    id: string,
    wanted: { readonly entityId: string; readonly role: UserRole | 'none' },
  ): Promise<FoundUser> {
    return this.#decide(async () => {
      const found = await this.#require(id);
      refuse(faultOfRole(manager, found, wanted));
      const { entityId, role } = wanted;
      if (role !== 'none') await this.#requireRoom(entityId);
      const nowMs = this.#deps.clock.nowMs();
      const user = { ...found.user, rolesChangedAtMs: nowMs };
      await this.#deps.store.commit([
        { op: 'update', table: 'users', row: user },
        ...this.#roleChange(id, wanted, found.roles),
        this.#record(manager, 'users role', user, { role }, entityId),
      ]);
      return this.#require(id);
    });
  }

  /** Takes password and codes of a user, ends all sessions, and invites anew. @throws UserError, StoreUnavailableError */
  reset(manager: Manager, id: string): Promise<Invited> {
    return this.#decide(async () => {
      const found = await this.#require(id);
      refuse(faultOfWhole(manager, found));
      const user = withoutCredentials(found.user, 'invited');
      const { change, invitation } = await this.#invitation(user);
      await this.#deps.store.commit([
        { op: 'update', table: 'users', row: user },
        change,
        ...(await endedSessions(this.#deps.store, id)),
        this.#record(manager, 'users reset', user, {}, found.roles[0]?.entityId),
      ]);
      return { user, invitation };
    });
  }

  /**
   * Removes a user: of a merchant's administrator the roles in its reach, and all of the user where none is left.
   * @throws UserError, StoreUnavailableError
   */
  remove(manager: Manager, id: string): Promise<void> {
    return this.#decide(async () => {
      const { store, clock } = this.#deps;
      const found = await this.#require(id);
      const isWhole = faultOfWhole(manager, found);
      if (isWhole === 'self' || isWhole === 'operator-only') throw new UserError(isWhole);
      const taken = found.roles.filter(
        ({ entityId }) => isWhole === undefined || manager.owners.includes(entityId),
      );
      const { user } = found;
      const invitation = await store.get('userInvitations', [id]);
      const isRemoved = isWhole === undefined;
      const row = isRemoved
        ? withoutCredentials(user, 'removed')
        : { ...user, rolesChangedAtMs: clock.nowMs() };
      await store.commit([
        { op: 'update', table: 'users', row },
        ...taken.map(roleDeletion),
        ...(isRemoved && invitation ? [invitationDeletion(invitation)] : []),
        ...(isRemoved ? await endedSessions(store, id) : []),
        this.#record(manager, 'users remove', user, {}, taken[0]?.entityId),
      ]);
    });
  }

  /** Ends every session of a user. @throws UserError, StoreUnavailableError */
  signOut(manager: Manager, id: string): Promise<void> {
    return this.#decide(async () => {
      const found = await this.#require(id);
      const fault = faultOfWhole(manager, found);
      if (fault !== 'self') refuse(fault);
      await this.#deps.store.commit([
        ...(await endedSessions(this.#deps.store, id)),
        this.#record(manager, 'users sign-out', found.user, {}, found.roles[0]?.entityId),
      ]);
    });
  }

  #decide<T>(round: () => Promise<T>): Promise<T> {
    return decideAgain(this.#deps, round);
  }

  /** A user who is there. @throws UserError */
  async #require(id: string): Promise<FoundUser> {
    const found = await findUser(this.#deps.store, id);
    if (!found) throw new UserError('unknown');
    if (found.user.state === 'removed') throw new UserError('removed');
    return found;
  }

  /** @throws UserError for an entity that is none, or has its most users */
  async #requireRoom(entityId: string): Promise<void> {
    const { store } = this.#deps;
    const entity = await store.get('entities', [entityId]);
    if (entity?.kind !== 'merchant' && entity?.kind !== 'channel') throw new UserError('no-entity');
    const { length } = await store.find('userRoles', 'entity', [entityId], { limit: USER_LIMITS.perEntity });
    if (length === USER_LIMITS.perEntity) throw new UserError('too-many');
  }

  /** The row of an invited person: a new one, that of a user who is there, or that of one who was removed. */
  #invited(email: string, { name, isOperator = false }: NewUser, known: UserRow | undefined): UserRow {
    const nowMs = this.#deps.clock.nowMs();
    if (known && known.state !== 'removed')
      return { ...known, isOperator: known.isOperator || isOperator ? 1 : 0, rolesChangedAtMs: nowMs };
    const again = known && { id: known.id, createdAtMs: known.createdAtMs, version: known.version };
    const id = newId(this.#deps.random);
    return { ...newUserRow({ id, email, name, isOperator }, nowMs), ...again };
  }

  /** An invitation in the place of the one before, and what its link holds. */
  async #invitation({ id: userId }: UserRow): Promise<{ change: Change; invitation: string }> {
    const { store, clock, random, fingerprint, rowSeal } = this.#deps;
    const before = await store.get('userInvitations', [userId]);
    const invitation = newSecret(random);
    const secret = toHex(random.bytes(CODE_RULES.secretBytes));
    const nowMs = clock.nowMs();
    const row: UserInvitationRow = {
      userId,
      hash: fingerprint('invitation', invitation),
      ...rowSeal.seal(invitationContext({ userId }), { secret }),
      expiresAtMs: nowMs + USER_LIMITS.invitationMs,
      createdAtMs: nowMs,
      version: before?.version ?? 1,
    };
    return { change: { op: before ? 'update' : 'insert', table: 'userInvitations', row }, invitation };
  }

  #roleChange(
    userId: string,
    { entityId, role }: { readonly entityId: string; readonly role: UserRole | 'none' },
    roles: readonly UserRoleRow[],
  ): readonly Change[] {
    const before = roles.find((each) => each.entityId === entityId);
    if (role === 'none') return before ? [roleDeletion(before)] : [];
    if (before) return [{ op: 'update', table: 'userRoles', row: { ...before, role } }];
    const row: UserRoleRow = { userId, entityId, role, createdAtMs: this.#deps.clock.nowMs(), version: 1 };
    return [{ op: 'insert', table: 'userRoles', row }];
  }

  #record(
    { actor }: Manager,
    action: string,
    { id: subject }: UserRow,
    detail: AuditEntry['detail'],
    entityId: string | undefined,
  ): Change {
    return auditOf(this.#deps, {
      actor,
      action,
      subject,
      detail,
      ...(entityId !== undefined && { entityId }),
    });
  }
}

/** The row of a user who is invited, and has nothing to sign in with yet. */
export function newUserRow(
  { isOperator, ...about }: Pick<UserRow, 'id' | 'email' | 'name'> & { readonly isOperator: boolean },
  nowMs: number,
): UserRow {
  return {
    ...{ ...about, state: 'invited', isOperator: isOperator ? 1 : 0, password: null },
    ...{ sealed: null, keyId: null, codeStep: null, recoveryCodes: '[]' },
    ...{ rolesChangedAtMs: nowMs, lastSignInAtMs: null, createdAtMs: nowMs, version: 1 },
  };
}

/** What ends every session of a user. */
export async function endedSessions(store: Pick<Store, 'find'>, userId: string): Promise<readonly Change[]> {
  const sessions = await findAll(store, 'userSessions', 'user', [userId]);
  return sessions.map(({ hash, version }) => ({ op: 'delete', table: 'userSessions', key: [hash], version }));
}

/** What takes an invitation away. */
export function invitationDeletion({ userId, version }: UserInvitationRow): Change {
  return { op: 'delete', table: 'userInvitations', key: [userId], version };
}

function withoutCredentials(user: UserRow, state: UserRow['state']): UserRow {
  return { ...user, state, password: null, sealed: null, keyId: null, codeStep: null, recoveryCodes: '[]' };
}

function userChange(known: UserRow | undefined, row: UserRow): Change {
  return { op: known ? 'update' : 'insert', table: 'users', row };
}

function roleDeletion({ userId, entityId, version }: UserRoleRow): Change {
  return { op: 'delete', table: 'userRoles', key: [userId, entityId], version };
}

function refuse(fault: ManageFault | undefined): void {
  if (fault) throw new UserError(fault);
}
