import type { AdmitStranger } from '@tillbridge/platform/net/admit-strangers.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, maySee, type TillRight } from '../access/rights.js';
import type { StreamTokens } from '../access/stream-tokens.js';
import type { Credentials } from '../access/token.js';
import type { SaleAnswer } from '../sale/machine/state/answer.js';
import { SaleError, type SaleService } from '../sale/service/sale-service.js';
import { CALLER_ANSWER, responses } from './answers.js';
import { TillError } from './till-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set on every route that needs a token. */
    caller: Caller;
    /** Whether the browser is still signed in, and not locked; absent for a caller with a token of its own. */
    isSignedIn?: (() => boolean) | undefined;
  }
}

/** The route that takes a stream token in its address, as browsers cannot send a header there. */
export const EVENTS_PATH = '/v1/events';

/** What a customer display shows. */
export const DISPLAY_PATH = '/v1/display';

/** All that a customer display may request. */
const DISPLAY_PATHS: ReadonlySet<string> = new Set([DISPLAY_PATH, EVENTS_PATH, `${EVENTS_PATH}/token`]);

/** Refuses requests without a token, and sets the caller of the others. */
export function signIn(
  server: FastifyInstance,
  check: (request: FastifyRequest) => Credentials,
  streamTokens: StreamTokens,
  admitStranger: AdmitStranger,
): void {
  server.decorateRequest('caller', null as unknown as Caller);
  server.decorateRequest('isSignedIn');
  const byStreamToken = (request: FastifyRequest, token: string): Credentials => {
    const holder = streamTokens.redeem(token);
    request.isSignedIn = holder?.isSignedIn;
    return holder?.caller ?? 'wrong';
  };
  server.addHook('onRequest', async (request, reply) => {
    const token = streamToken(request);
    const credentials = token === undefined ? check(request) : byStreamToken(request, token);
    if (typeof credentials === 'object') {
      request.caller = credentials;
      if (credentials.display !== undefined && !DISPLAY_PATHS.has(request.routeOptions.url ?? ''))
        throw new TillError('not-authorized', 'a customer display may show its terminal, and nothing else');
      return;
    }
    if (!(await admitStranger(request, reply))) return reply;
    if (credentials === 'locked') throw new TillError('pin-needed', 'the till is locked: send its PIN');
    if (credentials === 'wrong') throw new TillError('not-authorized', 'this token is not known here');
    reply.header('www-authenticate', 'Bearer');
    throw new TillError('not-authenticated', 'send Authorization: Bearer TOKEN');
  });
}

/** `GET /v1/caller`: whose token the call came with. */
export function callerRoute(server: FastifyInstance): void {
  server.get(
    '/v1/caller',
    {
      schema: {
        tags: ['tills'],
        summary: 'Whose token this is, and what it may do.',
        response: responses(CALLER_ANSWER),
      },
    },
    async ({ caller }) => caller,
  );
}

/** The token in the address of a request for events; undefined for every other route. */
function streamToken({ routeOptions, query, method }: FastifyRequest): string | undefined {
  if (method !== 'GET' || routeOptions.url !== EVENTS_PATH) return undefined;
  const { token } = query as { readonly token?: unknown };
  return typeof token === 'string' ? token : undefined;
}

/** @throws TillError `not-authorized` where the caller has not one of these rights */
export function demand({ caller }: FastifyRequest, ...oneOf: readonly TillRight[]): void {
  if (oneOf.some((right) => caller.rights.includes(right))) return;
  throw new TillError('not-authorized', `this till has not the right to ${oneOf.join(' or ')}`);
}

/** @throws TillError `not-authorized` where a till calls: only the store manages its tills */
export function demandStore({ caller }: FastifyRequest): void {
  if (caller.till !== undefined)
    throw new TillError('not-authorized', 'only the token of the store may do this');
}

/**
 * A sale that the caller may see. One of another till is not there for it.
 * @throws SaleError `unknown-reference`
 */
export async function seenSale(
  { caller }: FastifyRequest,
  service: SaleService,
  reference: string,
): Promise<SaleAnswer> {
  const sale = await service.get(reference);
  if (maySee(caller, sale)) return sale;
  throw new SaleError('unknown-reference', `reference: no sale ${reference} on this agent`);
}
