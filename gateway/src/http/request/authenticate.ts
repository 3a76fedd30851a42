import type { KeyObject } from 'node:crypto';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessTokenHash, type TokenRight } from '../../security/tokens/access-tokens.js';
import type { TokenRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import { Caller } from './caller.js';
import { RequestRefused } from './envelope.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The right that a token needs for this route; absent: the route is for everybody. */
    right?: TokenRight;
    /** Requests that need no token all the same. */
    isOpenTo?: (request: FastifyRequest) => boolean;
  }
  interface FastifyRequest {
    /** Who asks; undefined on routes for everybody. */
    caller: Caller | undefined;
    /** User id and password of an older client, in place of the header. */
    login: { readonly userId: string; readonly password: string } | undefined;
  }
}

/** What authentication needs. */
export interface AuthenticationDeps {
  readonly store: Store;
  readonly tokenKey: KeyObject;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** How often the last use of a token is written, at most. */
const LAST_USE_STEP_MS = 3_600_000;

/** RFC 6750: the scheme in any case, then a token68. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * Looks up the token of each request whose route names a right, before throttling and the route. A header of the wrong form is refused
 * with 401, an unknown or revoked token, or one without the right, with 403 (spec 5).
 */
export function authenticateRequests(server: FastifyInstance, deps: AuthenticationDeps): void {
  server.decorateRequest('caller', undefined);
  server.addHook('preHandler', async (request) => {
    const { right, isOpenTo } = request.routeOptions.config;
    if (right === undefined || isOpenTo?.(request)) return;
    const token = await tokenOf(deps, request);
    if (!(JSON.parse(token.rights) as string[]).includes(right)) throw new RequestRefused('no-right');
    noteUse(deps, token);
    request.caller = new Caller(deps.store, token);
  });
}

/** The caller, on a route that names a right. */
export function callerOf({ caller, routeOptions }: FastifyRequest): Caller {
  if (!caller) throw new Error(`route ${routeOptions.url} names no right`);
  return caller;
}

async function tokenOf(
  { store, tokenKey }: AuthenticationDeps,
  { login, headers }: FastifyRequest,
): Promise<TokenRow> {
  const presented = login?.password ?? BEARER.exec(headers.authorization ?? '')?.[1];
  if (presented === undefined) throw new RequestRefused('not-authenticated');
  const [token] = await store.find('tokens', 'hash', [accessTokenHash(tokenKey, presented)]);
  const isGood = token?.revokedAtMs === null && (login === undefined || login.userId === token.id);
  if (!isGood) throw new RequestRefused('token-refused');
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
