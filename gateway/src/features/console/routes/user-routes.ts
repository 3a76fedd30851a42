import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UserRole } from '../../../kernel/api/catalogue/administration/user-role-names.js';
import { USER_PARAMETERS } from '../../../kernel/api/catalogue/administration/users.js';
import type { Values } from '../../../kernel/http/request/administration.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { done, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { formOf } from '../../../kernel/http/request/form.js';
import type { WithId } from '../../../kernel/http/request/route-kinds.js';
import { demandedValues } from '../../../kernel/http/request/valid-values.js';
import { allRows, findAll } from '../../../kernel/store/all-rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { UserError, type UserErrorCode } from '../users/user-error.js';
import { userView } from '../users/user-view.js';
import { type FoundUser, findUser, type Invited, type Manager, type Users } from '../users/users.js';

/** What the routes of users work with. */
export interface UserRouteDeps extends HttpDeps {
  readonly users: Users;
  /** Where the gateway is reached; undefined while it does not listen. */
  readonly origin: () => string | undefined;
}

const USERS = {
  read: { config: { right: 'users', throttle: 'reads' } },
  change: { config: { right: 'users', throttle: 'followUps' } },
} as const;

/** A request of somebody who looks after users. */
interface Managing {
  readonly manager: Manager;
  readonly values: Values;
  /** The entity that is named, else the caller's own; absent: an operator, for all. */
  readonly entityId: string | undefined;
  /** Whose users and roles are shown; absent: all. */
  readonly shown: readonly string[] | undefined;
}

/** Additions of ours: the users with a role for a merchant or channel, and what may be done with them. */
export function userRoutes(server: FastifyInstance, deps: UserRouteDeps): void {
  const { users, store } = deps;
  server.get('/v1/users', USERS.read, async (request) => {
    const { shown } = await managing(request, 'list');
    return done(deps, { users: await listUsers(store, shown) });
  });
  server.post('/v1/users', USERS.change, async (request) => {
    const { manager, values, entityId, shown } = await managing(request, 'creation', [
      'email',
      'name',
      'role',
    ]);
    const about = { email: values.get('email') ?? '', name: values.get('name') ?? '' };
    // An operator without an entity invites to none: roles follow.
    const role = entityId === undefined ? {} : { role: { entityId, role: values.get('role') as UserRole } };
    const invited = await refusing(() => users.invite(manager, { ...about, ...role }));
    return done(deps, await invitedAnswer(deps, invited, shown));
  });
  server.post<WithId>('/v1/users/:id/role', USERS.change, async (request) => {
    const { manager, values, entityId, shown } = await managing(request, 'role', ['role']);
    if (entityId === undefined) await callerOf(request).actsAs(undefined);
    await requireShown(store, request.params.id, shown);
    const wanted = { entityId: entityId ?? '', role: values.get('role') as UserRole | 'none' };
    const found = await refusing(() => users.setRole(manager, request.params.id, wanted));
    return done(deps, { user: userView(found, shown) });
  });
  server.post<WithId>('/v1/users/:id/reset', USERS.change, async (request) => {
    const { manager, shown } = await managing(request, 'one');
    await requireShown(store, request.params.id, shown);
    const invited = await refusing(() => users.reset(manager, request.params.id));
    return done(deps, await invitedAnswer(deps, invited, shown));
  });
  server.post<WithId>('/v1/users/:id/removal', USERS.change, async (request) => {
    const { manager, shown } = await managing(request, 'one');
    await requireShown(store, request.params.id, shown);
    await refusing(() => users.remove(manager, request.params.id));
    return done(deps, {});
  });
}

/** Who asks, for which entity, and what. @throws RequestRefused naming every fault, and for an entity that is not the caller's */
async function managing(
  request: FastifyRequest,
  rows: keyof typeof USER_PARAMETERS,
  names: readonly string[] = [],
): Promise<Managing> {
  const caller = callerOf(request);
  const { values } = demandedValues(formOf(request), USER_PARAMETERS[rows], names);
  const entityId = values.get('entityId') ?? caller.credential.entityId ?? undefined;
  const shown = entityId === undefined ? undefined : await caller.readableEntities(entityId);
  const { session, entityId: own } = caller.credential;
  const manager = {
    actor: caller.actor,
    isOperator: caller.has('operator'),
    owners: own === null ? [] : await caller.readableEntities(own),
    ...(session && { userId: session.userId }),
  };
  return { manager, values, entityId, shown };
}

/** The users with a role for one of the entities, by their addresses; absent: all. */
export async function listUsers(
  store: Store,
  shown: readonly string[] | undefined,
): Promise<readonly object[]> {
  const found = await foundUsers(store, shown);
  const views = found
    .filter(({ user }) => user.state !== 'removed')
    .sort((a, b) => (a.user.email < b.user.email ? -1 : 1))
    .map(async (each) => userView(each, shown, await store.get('userInvitations', [each.user.id])));
  return Promise.all(views);
}

async function foundUsers(store: Store, shown: readonly string[] | undefined): Promise<readonly FoundUser[]> {
  const ids = new Set<string>();
  if (shown) {
    for (const entityId of shown)
      for (const { userId } of await findAll(store, 'userRoles', 'entity', [entityId])) ids.add(userId);
  } else for (const { id } of await allRows(store, 'users')) ids.add(id);
  const found = await Promise.all([...ids].map((id) => findUser(store, id)));
  return found.filter((each) => each !== undefined);
}

/** @throws RequestRefused for a user without a role for any of the entities: it is as unknown as one that is not there */
async function requireShown(store: Store, id: string, shown: readonly string[] | undefined): Promise<void> {
  const found = await findUser(store, id);
  const isShown = shown === undefined || found?.roles.some(({ entityId }) => shown.includes(entityId));
  if (!found || found.user.state === 'removed' || !isShown) throw new RequestRefused('no-user');
}

async function invitedAnswer(
  { store, origin }: UserRouteDeps,
  { user, invitation }: Invited,
  shown: readonly string[] | undefined,
): Promise<object> {
  const roles = await findAll(store, 'userRoles', 'user', [user.id]);
  const view = userView({ user, roles }, shown, await store.get('userInvitations', [user.id]));
  const link = invitation && { invitation, link: invitationLink(origin(), invitation) };
  return { user: view, ...link };
}

/** The address by which an invitation is opened. What it holds stands behind `#`: it reaches no server and no log. */
export function invitationLink(origin: string | undefined, invitation: string): string {
  return `${origin ?? ''}/console#invitation=${invitation}`;
}

/** Parameters that a refusal is about. */
const ABOUT: Readonly<Record<UserErrorCode, string>> = {
  ...{ unknown: 'id', self: 'id', elsewhere: 'id', 'operator-only': 'id', removed: 'id' },
  ...{ 'no-entity': 'entityId', 'has-account': 'email', 'too-many': 'entityId' },
};

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message } = error;
    throw new RequestRefused('user-refused', [{ name: ABOUT[code], value: null, message }]);
  }
}
