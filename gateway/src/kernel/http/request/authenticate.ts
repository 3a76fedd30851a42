import type { KeyObject } from 'node:crypto';
import type { AdmitStranger } from '@tillbridge/platform/net/admit-strangers.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TokenRight } from '../../api/token-rights.js';
import { isHeld } from '../../restored-database/restore-gap.js';
import type { TokenRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import { accessTokenHash, accessTokenHashes } from './access-token-hash.js';
import { bodyLength } from './body-length.js';
import { Caller } from './caller.js';
import { requireDocumented, rightsOf } from './documented-rights.js';
import { RequestRefused } from './envelope.js';
import { notAuthenticated, tokenRefused } from './sign-in-refusals.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The right that a token needs for this route. Every path of the API names one, as its document does; absent elsewhere: the route is
     * for everybody. `session`: it is for users who are signed in, whatever their roles. `refused`: every request is refused, for every caller.
     */
    right?: TokenRight | RightChoice | 'public' | 'session' | 'refused';
    /** Requests that need no token all the same. */
    isOpenTo?: (request: FastifyRequest) => boolean;
  }
  interface FastifyRequest {
    /** The caller of the request; undefined on routes for everybody. */
    caller: Caller | undefined;
    /** User id and password of an older client, in place of the header. */
    login: { readonly userId: string; readonly password: string } | undefined;
  }
}

/** A route whose parameters decide which right a request needs. */
export interface RightChoice {
  /** A token without any of these is refused before the body is read. */
  readonly anyOf: readonly TokenRight[];
  /** The right that the parameters ask for; undefined: any of them serves. */
  readonly of: (request: FastifyRequest) => TokenRight | undefined;
}

/** What authentication needs. */
export interface AuthenticationDeps {
  readonly store: Store;
  readonly tokenKey: KeyObject;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** What requests without credentials are held to. */
interface StrangerTerms {
  /** Longest body that is read without a token. */
  readonly maxFormBytes: number;
  /** Passed by requests whose credentials are none, before they are refused. */
  readonly admitStranger: AdmitStranger;
}

/** How often the last use of a token is written, at most. */
const LAST_USE_STEP_MS = 3_600_000;

/** RFC 6750: the scheme in any case, then a token68. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * Looks up the token of each request whose route names a right, before its body is read. A header of the wrong form is refused with 401, an
 * unknown or revoked token, or one without the right, with 403. A request without a header may be an older client's, which names
 * itself in its form: a short body is read, and then decides.
 */
export function authenticateRequests(
  server: FastifyInstance,
  deps: AuthenticationDeps,
  { maxFormBytes, admitStranger }: StrangerTerms,
): void {
  server.decorateRequest('caller', undefined);
  server.addHook('onRoute', (route) => requireDocumented(route));
  const hashOf = accessTokenHashes(deps.tokenKey);
  /** The caller; undefined where the sender of a request to be refused has hung up. */
  const signIn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    bodyLimit?: number,
  ): Promise<Caller | undefined> => {
    try {
      if (bodyLimit !== undefined && request.headers.authorization === undefined)
        throw notAuthenticated(undefined, bodyLimit);
      request.caller ??= await callerBy(deps, request, hashOf);
    } catch (error) {
      if (!(error instanceof RequestRefused) || (await admitStranger(request, reply))) throw error;
    }
    return request.caller;
  };
  server.addHook('onRequest', async (request, reply) => {
    if (isOpen(request) || request.caller || mayNameItself(request, maxFormBytes)) return;
    if (!(await signIn(request, reply, maxFormBytes))) return reply;
  });
  server.addHook('preHandler', (request, reply, done) => {
    if (isOpen(request)) return done();
    if (!request.caller)
      return signIn(request, reply).then((caller) =>
        caller ? requireRightOfParameters(request, caller) : reply,
      );
    requireRightOfParameters(request, request.caller);
    done();
  });
}

/** The right that the parameters of a request ask for. @throws RequestRefused where its caller has not got it */
function requireRightOfParameters(request: FastifyRequest, caller: Caller): void {
  const { right } = request.routeOptions.config;
  const wanted = typeof right === 'object' ? right.of(request) : undefined;
  if (wanted !== undefined && !caller.has(wanted)) throw caller.lacks(wanted);
}

/** The caller, on a route that names a right. */
export function callerOf({ caller, routeOptions }: FastifyRequest): Caller {
  if (!caller) throw new Error(`route ${routeOptions.url} names no right`);
  return caller;
}

function isOpen(request: FastifyRequest): boolean {
  return (
    rightsOf(request.routeOptions.config.right).length === 0 ||
    request.routeOptions.config.isOpenTo?.(request) === true
  );
}

function mayNameItself({ raw, method, headers }: FastifyRequest, maxFormBytes: number): boolean {
  if (headers.authorization !== undefined) return false;
  // Only the body of a POST is read at all.
  return method !== 'POST' || (bodyLength(raw) ?? Number.POSITIVE_INFINITY) <= maxFormBytes;
}

/** The caller of a request. @throws RequestRefused for a token that is not known here, or has none of the rights of the route */
async function callerBy(
  deps: AuthenticationDeps,
  request: FastifyRequest,
  hashOf: (token: string) => string,
): Promise<Caller> {
  const token = await tokenOf(deps, request, hashOf);
  const caller = new Caller(deps.store, token);
  requireRight(request, caller);
  noteUse(deps, token);
  return caller;
}

/** @throws RequestRefused for a caller with none of the rights of the route */
export function requireRight({ routeOptions }: FastifyRequest, caller: Caller): void {
  const rights = rightsOf(routeOptions.config.right);
  if (rights.length > 0 && !rights.some((right) => caller.has(right))) throw caller.lacks(...rights);
}

async function tokenOf(
  { store, tokenKey }: AuthenticationDeps,
  { login, headers }: FastifyRequest,
  hashOf: (token: string) => string,
): Promise<TokenRow> {
  const presented = login?.password ?? BEARER.exec(headers.authorization ?? '')?.[1];
  if (presented === undefined) throw notAuthenticated(headers.authorization);
  // A password of an older client may have fewer random bits than a token: its hash is not remembered.
  const hash = login === undefined ? hashOf(presented) : accessTokenHash(tokenKey, presented);
  const [token] = await store.find('tokens', 'hash', [hash]);
  const isGood = token?.revokedAtMs === null && (login === undefined || login.userId === token.id);
  if (!isGood) throw tokenRefused(login !== undefined);
  if (await isHeld(store, token.createdAtMs)) throw new RequestRefused('held');
  return token;
}

/** Records the last use of a token once an hour at most; a failed or conflicting write is ignored. */
function noteUse({ store, clock }: AuthenticationDeps, token: TokenRow): void {
  const nowMs = clock.nowMs();
  if (nowMs - (token.lastUsedAtMs ?? 0) < LAST_USE_STEP_MS) return;
  store
    .commit([{ op: 'update', table: 'tokens', row: { ...token, lastUsedAtMs: nowMs } }])
    .catch(() => undefined);
}
