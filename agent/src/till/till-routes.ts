import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import type { Static } from '@tillbridge/platform/schema/type.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance } from 'fastify';
import type { Till } from '../access/rights.js';
import { SIGN_IN_CODE_LIMITS, type SignInCodes } from '../access/sign-in-codes.js';
import { MAX_TILLS, type TillRegistry } from '../access/till-registry.js';
import type { AgentLog } from '../log/log.js';
import { CODE_ANSWER, NEW_TILL_ANSWER, responses, TILLS_ANSWER } from './answers.js';
import { NO_BODY, TILL_BODY, TILL_PARAMS } from './bodies.js';
import { demandStore } from './sign-in.js';
import { TillError } from './till-error.js';

/** One till of `GET /v1/tills`. */
export type TillAnswer = ReturnType<typeof tillAnswer>;

/** Routes that manage the tills and their tokens: only for the token of the store. */
export function tillRoutes(
  server: FastifyInstance,
  tills: TillRegistry,
  { codes, clock, log }: { readonly codes: SignInCodes; readonly clock: Clock; readonly log: AgentLog },
): void {
  server.get(
    '/v1/tills',
    { schema: { tags: ['tills'], summary: 'The tills with a token.', response: responses(TILLS_ANSWER) } },
    async (request) => {
      demandStore(request);
      return tills.list().map(tillAnswer);
    },
  );

  server.post<{ Body: Static<typeof TILL_BODY> }>(
    '/v1/tills',
    {
      schema: {
        tags: ['tills'],
        summary: 'Give a till a token. It is shown here and never again.',
        body: TILL_BODY,
        response: responses(NEW_TILL_ANSWER),
      },
    },
    async (request) => {
      demandStore(request);
      const { id, rights, pin } = request.body;
      if (tills.list().length >= MAX_TILLS)
        throw new TillError('not-allowed', `a store has at most ${MAX_TILLS} tills: revoke one`);
      const made = tills.create(id, rights, clock.nowMs(), pin);
      if (!made) throw new TillError('not-allowed', `till ${id} has a token: revoke it first`);
      log.warn({ ...securityEvent('token-created'), till: id, rights }, 'a till was given a token');
      return { ...tillAnswer(made.till), token: made.token };
    },
  );

  server.post<{ Params: Static<typeof TILL_PARAMS> }>(
    '/v1/tills/:id/code',
    {
      schema: {
        tags: ['tills'],
        summary: 'A one-time code that signs a browser in as the till, soon. An earlier one is void.',
        params: TILL_PARAMS,
        body: NO_BODY,
        response: responses(CODE_ANSWER),
      },
    },
    async (request, reply) => {
      demandStore(request);
      const { id } = request.params;
      if (!tills.get(id)) throw new TillError('unknown-till', `no till ${id} has a token`);
      log.warn({ ...securityEvent('sign-in-code'), till: id }, 'a code was made that signs a till in');
      reply.header('cache-control', 'no-store');
      return { code: codes.issue({ till: id }), expiresInSeconds: SIGN_IN_CODE_LIMITS.lifetimeMs / 1_000 };
    },
  );

  server.delete<{ Params: Static<typeof TILL_PARAMS> }>(
    '/v1/tills/:id',
    {
      schema: {
        tags: ['tills'],
        summary: 'Revoke the token of a till, at once. Its sales stay.',
        params: TILL_PARAMS,
        response: responses(TILLS_ANSWER),
      },
    },
    async (request) => {
      demandStore(request);
      const { id } = request.params;
      codes.revoke(id);
      if (!tills.revoke(id)) throw new TillError('unknown-till', `no till ${id} has a token`);
      log.warn({ ...securityEvent('token-revoked'), till: id }, 'the token of a till was taken away');
      return tills.list().map(tillAnswer);
    },
  );
}

function tillAnswer({ id, rights, createdAtMs, hasPin }: Till) {
  return { id, rights, createdAt: new Date(createdAtMs).toISOString(), ...(hasPin && { hasPin }) };
}
