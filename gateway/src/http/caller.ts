import type { FastifyRequest } from 'fastify';
import type { TokenRight } from '../security/access-tokens.js';
import { type AuthenticationDeps, authorizeEntity, tokenOf } from './authenticate.js';
import { RequestRefused } from './envelope.js';
import { type Form, parseFormText } from './form.js';

/** Who asks, before the route looks at the request. */
export interface Caller {
  /** The entity named in the request, or the token's own where none is. */
  readonly entityId: string;
  readonly rights: readonly TokenRight[];
}

/**
 * The entity that a request may act for; undefined where its token is not good for it: the route refuses it then, in its own order.
 * @throws StoreUnavailableError
 */
export async function callerOf(
  deps: AuthenticationDeps,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  try {
    const token = await tokenOf(deps, request.headers.authorization);
    const entityId = namedEntity(request) ?? token.entityId;
    await authorizeEntity(deps.store, token, entityId);
    return { entityId, rights: JSON.parse(token.rights) as TokenRight[] };
  } catch (error) {
    if (error instanceof RequestRefused) return undefined;
    throw error;
  }
}

function namedEntity(request: FastifyRequest): string | undefined {
  const form =
    request.method === 'POST' ? (request.body as Form | undefined) : parseFormText(queryOf(request));
  return form?.parameters.find(([name, value]) => name === 'entityId' && value !== '')?.[1];
}

function queryOf({ url }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}
