import type { Static } from '@tillbridge/platform/schema/type.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TillRight } from '../access/rights.js';
import type { SaleAnswer } from '../sale/machine/state/answer.js';
import type { StoreConfig } from '../sale/receipts/store.js';
import { SaleError, type SaleService } from '../sale/service/sale-service.js';
import { REFUNDS_ANSWER, responses, SALES_ANSWER } from './answers.js';
import {
  CAPTURE_BODY,
  captureRequest,
  NO_BODY,
  RESOLUTION_BODY,
  SALE_BODY,
  SALE_PARAMS,
  saleRequest,
  VOICE_BODY,
} from './bodies.js';
import { pageOf, periodOf, SALES_QUERY } from './sales-query.js';
import { demand, seenSale } from './sign-in.js';
import { TillError } from './till-error.js';

interface OnSale {
  readonly Params: Static<typeof SALE_PARAMS>;
}

/** Schema of a call on one sale, which answers with the sale. */
const onSale = <B>(summary: string, body?: B) => ({
  schema: {
    tags: ['sales'],
    summary,
    params: SALE_PARAMS,
    ...(body !== undefined && { body }),
    response: responses('Sale'),
  },
});

/** What the routes of sales work with. */
interface SaleDeps {
  readonly service: SaleService;
  readonly store: StoreConfig;
  readonly clock: Clock;
}

/** Routes of sales: start, list, look, cancel, reverse, capture (interfaces, "Agent REST"). */
export function saleRoutes(server: FastifyInstance, deps: SaleDeps): void {
  startRoute(server, deps);
  listRoute(server, deps);
  callRoutes(server, deps);
}

function startRoute(server: FastifyInstance, { service }: SaleDeps): void {
  server.post<{ Body: Static<typeof SALE_BODY> }>(
    '/v1/sales',
    {
      schema: {
        tags: ['sales'],
        summary:
          'Sell, refund or preauthorize. The same call again joins the running sale, or gives its answer.',
        headers: {
          type: 'object',
          properties: {
            prefer: { type: 'string', description: '`respond-async`: answer at once, with 202 (RFC 7240).' },
          },
        },
        body: SALE_BODY,
        response: responses('Sale', 200, 202),
      },
    },
    async (request, reply) => {
      const wait = !prefersAsync(request);
      demand(request, request.body.type === 'refund' ? 'refund' : 'sell');
      if (request.body.tip !== undefined) demand(request, 'tip');
      if (request.body.cashBack !== undefined) demand(request, 'cash-back');
      const requested = saleRequest(request.body, request.caller.till);
      const answer = await service.request(requested, { wait }).catch((error: unknown) => {
        throw withField(error);
      });
      if (wait) return answer;
      reply.code(202).header('preference-applied', 'respond-async');
      reply.header('location', `/v1/sales/${encodeURIComponent(answer.reference)}`);
      return answer;
    },
  );
}

function listRoute(server: FastifyInstance, { service, store, clock }: SaleDeps): void {
  server.get<{ Querystring: Static<typeof SALES_QUERY> }>(
    '/v1/sales',
    {
      schema: {
        tags: ['sales'],
        summary:
          'The sales that were accepted within a time, to reconcile with. A till without the right to report gets its own.',
        querystring: SALES_QUERY,
        response: responses(SALES_ANSWER),
      },
    },
    async ({ query, caller }) => {
      const { after, limit } = pageOf(query);
      const period = periodOf(query, { timeZone: store.timeZone, nowMs: clock.nowMs() });
      const own = caller.till === undefined || caller.rights.includes('report') ? {} : { till: caller.till };
      const newestFirst = query.order === 'newest';
      const page = await service.sales({ ...period, ...own, newestFirst }, after, limit);
      return { ...page, ...(page.next !== undefined && { next: String(page.next) }) };
    },
  );
}

/** Requests about one sale. */
function callRoutes(server: FastifyInstance, { service }: SaleDeps): void {
  server.get<OnSale>('/v1/sales/:reference', onSale('The sale as it now stands.'), (request) =>
    seenSale(request, service, request.params.reference),
  );

  server.get<OnSale>(
    '/v1/sales/:reference/refunds',
    {
      schema: {
        tags: ['sales'],
        summary: 'What refunds of a sale have given back, and what is left.',
        params: SALE_PARAMS,
        response: responses(REFUNDS_ANSWER),
      },
    },
    async (request) => {
      demand(request, 'refund');
      const { reference } = await seenSale(request, service, request.params.reference);
      return service.refunds(reference);
    },
  );

  const call = <Body>(
    name: string,
    schema: ReturnType<typeof onSale>,
    rights: readonly TillRight[],
    work: (sale: SaleAnswer, body: Body, till: string | undefined) => Promise<SaleAnswer>,
  ) =>
    server.post<OnSale & { Body: Body }>(`/v1/sales/:reference/${name}`, schema, async (request) => {
      demand(request, ...rights);
      const sale = await seenSale(request, service, request.params.reference);
      return work(sale, request.body as Body, request.caller.till);
    });

  call(
    'cancel',
    onSale('Ask a running sale to stop.', NO_BODY),
    ['sell', 'refund'],
    ({ reference }, _, till) => service.cancel(reference, till),
  );
  call('reversal', onSale('Reverse an approved sale.', NO_BODY), ['refund'], ({ reference }, _, till) =>
    service.reverse(reference, till),
  );
  call<Static<typeof CAPTURE_BODY>>(
    'capture',
    onSale('Capture a preauthorization, or a part of it.', CAPTURE_BODY),
    ['sell'],
    ({ reference, currency }, body) => {
      const { amount, options } = captureRequest(body, currency);
      return service.capture(reference, amount, options);
    },
  );
  call<Static<typeof VOICE_BODY>>(
    'voice-authorization',
    onSale('End a referral with the approval code of the issuer.', VOICE_BODY),
    ['sell'],
    ({ reference }, { approvalCode }) => service.approveByVoice(reference, approvalCode),
  );

  server.post<OnSale & { Body: Static<typeof RESOLUTION_BODY> }>(
    '/v1/sales/:reference/resolution',
    onSale('State how a parked sale ended.', RESOLUTION_BODY),
    async (request) => {
      demand(request, 'resolve');
      const { outcome, note } = request.body;
      return service.resolve(request.params.reference, outcome, note.trim(), request.caller.till);
    },
  );
}

/** In a body a reference that is not known is a wrong field; only in a path it is a thing not found. */
function withField(error: unknown): unknown {
  if (!(error instanceof SaleError)) return error;
  if (error.code === 'unknown-reference')
    return new TillError('bad-request', error.message, 'originalReference');
  if (error.code === 'unknown-terminal') return new TillError(error.code, error.message, 'terminalId');
  return error;
}

/** `Prefer: respond-async` (RFC 7240 §4.1), alone or among others. */
function prefersAsync(request: FastifyRequest): boolean {
  const prefer = request.headers.prefer;
  const text = Array.isArray(prefer) ? prefer.join(',') : (prefer ?? '');
  return text.split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}
