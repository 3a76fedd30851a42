import type { AdmitStranger } from '@tillbridge/platform/net/admit-strangers.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireRight } from '../../../kernel/http/request/authenticate.js';
import { Caller } from '../../../kernel/http/request/caller.js';
import { rightsOf } from '../../../kernel/http/request/documented-rights.js';
import { RequestRefused } from '../../../kernel/http/request/envelope.js';
import { queryForm } from '../../../kernel/http/request/form.js';
import type { Transport } from '../../../kernel/http/transport/redirect.js';
import type { Store } from '../../../kernel/store/store.js';
import { rightsFor } from '../rules/user-rights.js';
import { cookieOf, setCookie } from './cookie.js';
import { requireOwnPage } from './own-origin.js';
import type { FoundSession, Sessions } from './sessions.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the user who is signed in; undefined where there is none, or a token is used. */
    userSession: FoundSession | undefined;
  }
}

/** The merchant or channel that a user acts for. Absent: the one that a read names, else an operator for all merchants, else the user's first. */
const ENTITY_HEADER = 'x-tillbridge-entity';
/** What a page sends by itself, with no person at it, has this header with this value. */
const PAGE_HEADER = 'x-tillbridge-page';
const UNATTENDED = 'unattended';

/** What sessions of requests are found with. */
interface KnowSessionsDeps {
  readonly store: Store;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly transport: Transport;
}

/**
 * Makes users callers: a request with the cookie of a session, and without a token, acts with the rights of the user's role. Each request reads the
 * rows of session, user and roles, so that what was taken away is gone on every node.
 */
export function knowSessions(
  server: FastifyInstance,
  deps: KnowSessionsDeps,
  admitStranger: AdmitStranger,
): void {
  server.decorateRequest('userSession', undefined);
  server.addHook('onRequest', async (request, reply) => {
    const { right } = request.routeOptions.config;
    const isForSessions = right === 'session' || rightsOf(right).length > 0;
    // A token is no session, and wins where both would do.
    const isByToken = request.headers.authorization !== undefined && right !== 'session';
    if (!isForSessions || isByToken) return;
    const value = cookieOf(deps, request);
    if (value === undefined && right !== 'session') return;
    try {
      await signIn(deps, request, reply, value);
    } catch (error) {
      if (!(error instanceof RequestRefused) || (await admitStranger(request, reply))) throw error;
      return reply;
    }
  });
}

/** The session of a request, on a route for users. */
export function userSessionOf({ userSession, routeOptions }: FastifyRequest): FoundSession {
  if (!userSession) throw new Error(`route ${routeOptions.url} is not for sessions`);
  return userSession;
}

/** Finds out whose request it is, and what it may do. @throws RequestRefused */
async function signIn(
  deps: KnowSessionsDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string | undefined,
): Promise<void> {
  const { store, sessions, transport } = deps;
  const isAttended = request.headers[PAGE_HEADER] !== UNATTENDED;
  const found = value === undefined ? undefined : await sessions.find(value, isAttended);
  if (found === 'held') throw new RequestRefused('held');
  if (!found) {
    const message = 'may not be empty: sign in at /console';
    throw new RequestRefused('no-session', [{ name: 'Cookie', value: null, message }]);
  }
  requireOwnPage(transport, request);
  if (found.replaced !== undefined) setCookie(deps, request, reply, found.replaced);
  request.userSession = found;
  request.caller = await callerOf(store, request, found);
  requireRight(request, request.caller);
}

/** The caller that the user is for the entity of the request. @throws RequestRefused for an entity that is not the user's */
async function callerOf(store: Store, request: FastifyRequest, found: FoundSession): Promise<Caller> {
  const { user, roles, session } = found;
  const header = request.headers[ENTITY_HEADER]?.toString();
  const read = request.method === 'GET' ? queryEntity(request) : undefined;
  const [first] = roles;
  const entityId = header ?? read ?? (user.isOperator === 1 ? undefined : first?.entityId);
  const entity = entityId === undefined ? undefined : await store.get('entities', [entityId]);
  const rights = entityId !== undefined && !entity ? [] : rightsFor(found, entity);
  if (header !== undefined && rights.length === 0) {
    const message = 'must be a merchant or channel for which you have a role';
    throw new RequestRefused('entity-of-another', [{ name: ENTITY_HEADER, value: null, message }]);
  }
  return new Caller(store, {
    id: user.id,
    entityId: entityId ?? null,
    merchantId: entity?.parentId ?? entity?.id ?? user.id,
    rights: JSON.stringify(rights),
    session: { userId: user.id, hash: session.hash },
  });
}

function queryEntity(request: FastifyRequest): string | undefined {
  return queryForm(request).parameters.find(([name, value]) => name === 'entityId' && value !== '')?.[1];
}
