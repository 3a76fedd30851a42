import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance } from 'fastify';
import type { StoreConfig } from '../sale/receipts/store.js';
import type { SaleService } from '../sale/service/sale-service.js';
import { type CarriedOver, closedTotals, type DayClose } from '../sale/totals/day-close.js';
import type { TotalsGroup } from '../sale/totals/totals.js';
import { dayClosePage } from '../sale/totals/totals-page.js';
import { DAY_CLOSE_ANSWER, DAY_CLOSES_ANSWER, responses } from './answers.js';
import { DAY_CLOSE_BODY, oneOf } from './bodies.js';
import { demand } from './sign-in.js';
import { TillError } from './till-error.js';

/** Day closes of a page. */
export const DAY_CLOSE_PAGE = 50;

const LIST_QUERY = Type.Object({
  before: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,8}$',
      description: '`next` of the page before.',
      expected: '`next` of the page before',
    }),
  ),
});

const PARAMS = Type.Object({
  number: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Number of the day close.' }),
});

const QUERY = Type.Object({
  format: Type.Optional(
    oneOf(['json', 'html'], '`html`: a page to print, in the language of the store.', {
      expected: 'json or html',
    }),
  ),
});

/** One of `GET /v1/day-closes`. */
export interface DayCloseAnswer {
  readonly number: number;
  readonly reference: string;
  readonly till?: string;
  /** ISO 8601 in UTC. */
  readonly since: string;
  readonly until: string;
  readonly timeZone: string;
  readonly rows: { readonly from: number; readonly to: number };
  readonly carriedOver: CarriedOver;
  readonly terminals: readonly TotalsGroup[];
  readonly brands: readonly TotalsGroup[];
  readonly currencies: readonly TotalsGroup[];
}

/** What the routes work with. */
interface DayCloseDeps {
  readonly service: SaleService;
  readonly store: StoreConfig;
  readonly clock: Clock;
}

/** Routes of day closes: close, list, look and print. */
export function dayCloseRoutes(server: FastifyInstance, { service, store, clock }: DayCloseDeps): void {
  const answer = (close: DayClose) => dayCloseAnswer(close, store);

  server.post<{ Body: Static<typeof DAY_CLOSE_BODY> }>(
    '/v1/day-closes',
    {
      schema: {
        tags: ['totals'],
        summary:
          'Close the day: record what sales came to since the last close. The same reference again is the same close.',
        body: DAY_CLOSE_BODY,
        response: responses(DAY_CLOSE_ANSWER),
      },
    },
    async (request) => {
      demand(request, 'report');
      return answer(await service.closeDay(request.body.reference, request.caller.till));
    },
  );

  server.get<{ Querystring: Static<typeof LIST_QUERY> }>(
    '/v1/day-closes',
    {
      schema: {
        tags: ['totals'],
        summary: 'The day closes, newest first.',
        querystring: LIST_QUERY,
        response: responses(DAY_CLOSES_ANSWER),
      },
    },
    async (request) => {
      demand(request, 'report');
      const { before } = request.query;
      const page = await service.dayCloses(
        before === undefined ? undefined : Number(before),
        DAY_CLOSE_PAGE + 1,
      );
      const last = page[DAY_CLOSE_PAGE - 1];
      return {
        dayCloses: page.slice(0, DAY_CLOSE_PAGE).map(answer),
        ...(page.length > DAY_CLOSE_PAGE && last && { next: String(last.number) }),
      };
    },
  );

  server.get<{ Params: Static<typeof PARAMS>; Querystring: Static<typeof QUERY> }>(
    '/v1/day-closes/:number',
    {
      schema: {
        tags: ['totals'],
        summary: 'One day close, or its page to print.',
        params: PARAMS,
        querystring: QUERY,
        response: responses(DAY_CLOSE_ANSWER),
      },
    },
    async (request, reply) => {
      demand(request, 'report');
      const number = Number(request.params.number);
      const [close] = await service.dayCloses(number + 1, 1);
      if (close?.number !== number) throw new TillError('not-found', `there is no day close ${number}`);
      if (request.query.format !== 'html') return answer(close);
      // Sent as it is: the serializer is only for JSON.
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .serializer((page: unknown) => String(page))
        .send(dayClosePage(close, store, clock.nowMs()));
    },
  );
}

function dayCloseAnswer(close: DayClose, { timeZone }: StoreConfig): DayCloseAnswer {
  const { number, reference, till, sinceMs, untilMs, fromRow, toRow, carriedOver } = close;
  return {
    ...{ number, reference, ...(till !== undefined && { till }) },
    since: new Date(sinceMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    ...{ timeZone, rows: { from: fromRow, to: toRow }, carriedOver },
    terminals: closedTotals(close, 'terminal'),
    brands: closedTotals(close, 'brand'),
    currencies: closedTotals(close, 'currency'),
  };
}
