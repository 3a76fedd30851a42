import type { UserRole } from '../../../kernel/api/catalogue/administration/user-role-names.js';
import type { TokenRight } from '../../../kernel/api/token-rights.js';
import { OPERATOR_RIGHTS, USER_ROLES } from '../../../kernel/api/user-roles.js';
import type { EntityRow, UserRoleRow, UserRow } from '../../../kernel/store/rows.js';

/** A user with all roles. */
export interface UserWithRoles {
  readonly user: Pick<UserRow, 'id' | 'isOperator'>;
  readonly roles: readonly Pick<UserRoleRow, 'entityId' | 'role'>[];
}

/** The entity that a request acts for; absent: all merchants. */
export type ActingFor = Pick<EntityRow, 'id' | 'kind' | 'parentId'> | undefined;

/**
 * The rights of a user for an entity: those of the role there, of the role at its merchant, and of an operator. A role counts nowhere else: who is
 * an administrator of one channel and sees another is none there. Empty: the entity is not theirs. Pure.
 */
export function rightsFor({ user, roles }: UserWithRoles, entity: ActingFor): readonly TokenRight[] {
  const rights = new Set<TokenRight>(user.isOperator === 1 ? OPERATOR_RIGHTS : []);
  if (entity && entity.kind !== 'merchant' && entity.kind !== 'channel') return [];
  const isOf = ({ entityId }: { readonly entityId: string }): boolean =>
    entity !== undefined &&
    (entityId === entity.id || (entity.kind === 'channel' && entityId === entity.parentId));
  for (const { role } of roles.filter(isOf)) for (const right of USER_ROLES[role].rights) rights.add(right);
  return [...rights];
}

/** Who changes users: the entities that it may act for, or all of them. */
export interface UserManager {
  /** Absent: an access token. */
  readonly userId?: string;
  /** All merchants. */
  readonly isOperator: boolean;
  /** The merchant or channel with its channels. */
  readonly owners: readonly string[];
}

/** Why a user may not be changed so. */
export type ManageFault = 'self' | 'elsewhere' | 'operator-only';

/** Whether the manager may reset the password of a user or take all away: nothing of the user may be out of its reach. Pure. */
export function faultOfWhole(manager: UserManager, { user, roles }: UserWithRoles): ManageFault | undefined {
  if (manager.userId === user.id) return 'self';
  if (manager.isOperator) return undefined;
  if (user.isOperator === 1) return 'operator-only';
  return roles.every(({ entityId }) => manager.owners.includes(entityId)) ? undefined : 'elsewhere';
}

/** Whether the manager may give or take a role of a user. Pure. */
export function faultOfRole(
  manager: UserManager,
  { user }: UserWithRoles,
  change: { readonly entityId: string; readonly role: UserRole | 'none' },
): ManageFault | undefined {
  if (manager.userId === user.id) return 'self';
  return manager.isOperator || manager.owners.includes(change.entityId) ? undefined : 'elsewhere';
}
