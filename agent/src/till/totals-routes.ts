import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance } from 'fastify';
import type { StoreConfig } from '../sale/receipts/store.js';
import type { SaleService } from '../sale/service/sale-service.js';
import { TOTALS_BY, type TotalsBy } from '../sale/totals/totals.js';
import { type Totals, totalsPage } from '../sale/totals/totals-page.js';
import { responses, TOTALS_ANSWER } from './answers.js';
import { oneOf } from './bodies.js';
import { PERIOD_QUERY, periodOf } from './sales-query.js';
import { demand } from './sign-in.js';

const QUERY = Type.Object({
  ...PERIOD_QUERY,
  by: Type.Optional(
    oneOf<TotalsBy>(TOTALS_BY, 'What to group by; default: terminal. Currencies are never added.'),
  ),
  format: Type.Optional(
    oneOf(['json', 'html'], '`html`: a page to print, in the language of the store.', {
      expected: 'json or html',
    }),
  ),
});

/** What the totals stand on. */
interface TotalsDeps {
  readonly service: SaleService;
  readonly store: StoreConfig;
  readonly clock: Clock;
}

/** `GET /v1/totals`: what a period came to, for the close of a day. */
export function totalsRoutes(server: FastifyInstance, { service, store, clock }: TotalsDeps): void {
  server.get<{ Querystring: Static<typeof QUERY> }>(
    '/v1/totals',
    {
      schema: {
        tags: ['totals'],
        summary: 'What the sales of a period come to, as they now stand.',
        querystring: QUERY,
        response: responses(TOTALS_ANSWER),
      },
    },
    async (request, reply) => {
      demand(request, 'report');
      const { by = 'terminal', format = 'json' } = request.query;
      const { timeZone } = store;
      const period = periodOf(request.query, { timeZone, nowMs: clock.nowMs() });
      const totals: Totals = {
        since: new Date(period.sinceMs).toISOString(),
        until: new Date(period.untilMs).toISOString(),
        timeZone,
        by,
        groups: await service.totals(period, by),
      };
      if (format === 'json') return totals;
      // Sent as it is: the serializer is only for JSON.
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .serializer((page: unknown) => String(page))
        .send(totalsPage(totals, store, clock.nowMs()));
    },
  );
}
