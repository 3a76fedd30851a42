import { findAll } from '../../../kernel/store/all-rows.js';
import type { EntityRow, UserInvitationRow, UserRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { rightsFor } from '../rules/user-rights.js';
import type { FoundUser } from './users.js';

/** Merchants that an operator is shown at most. */
const MAX_SHOWN_MERCHANTS = 500;

/** A user as lists show it: nothing by which it signs in. `owners`: roles for these alone; absent: all. */
export function userView(
  { user, roles }: FoundUser,
  owners?: readonly string[],
  invitation?: UserInvitationRow,
): object {
  const shown = roles.filter(({ entityId }) => owners === undefined || owners.includes(entityId));
  const { id, email, name, state, lastSignInAtMs, createdAtMs } = user;
  return {
    ...{ id, email, name, state, isOperator: user.isOperator === 1 },
    roles: shown.map(({ entityId, role }) => ({ entityId, role })),
    ...(lastSignInAtMs !== null && { lastSignInAt: instant(lastSignInAtMs) }),
    ...(invitation && state === 'invited' && { invitedUntil: instant(invitation.expiresAtMs) }),
    createdAt: instant(createdAtMs),
  };
}

/** Who is signed in, for which merchants and channels, and with which rights for each. */
export async function sessionView(store: Pick<Store, 'get' | 'find'>, found: FoundUser): Promise<object> {
  const { user, roles } = found;
  const entities = await entitiesOf(store, found);
  return {
    user: { id: user.id, email: user.email, name: user.name, isOperator: user.isOperator === 1 },
    roles: roles.map(({ entityId, role }) => ({ entityId, role })),
    entities: entities.map((entity) => ({
      ...{ id: entity.id, name: entity.name, kind: entity.kind, rights: rightsFor(found, entity) },
      ...(entity.parentId !== null && { merchantId: entity.parentId }),
    })),
    rights: rightsFor(found, undefined),
  };
}

/** The merchants and channels of a user, each merchant before its channels. */
async function entitiesOf(
  store: Pick<Store, 'get' | 'find'>,
  { user, roles }: Pick<FoundUser, 'roles'> & { readonly user: Pick<UserRow, 'isOperator'> },
): Promise<readonly EntityRow[]> {
  const found = new Map<string, EntityRow>();
  const named = await Promise.all(roles.map(({ entityId }) => store.get('entities', [entityId])));
  const merchants =
    user.isOperator === 1
      ? await store.find('entities', 'kind', ['merchant'], { limit: MAX_SHOWN_MERCHANTS })
      : named.filter((entity) => entity?.kind === 'merchant');
  for (const merchant of merchants) {
    if (!merchant) continue;
    found.set(merchant.id, merchant);
    for (const channel of await findAll(store, 'entities', 'parent', [merchant.id]))
      found.set(channel.id, channel);
  }
  for (const entity of named) if (entity) found.set(entity.id, entity);
  return [...found.values()];
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
