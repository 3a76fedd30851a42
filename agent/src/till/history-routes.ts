import type { FastifyInstance } from 'fastify';
import type { HistoryView } from '../history/store-history.js';
import { HISTORY_ANSWER, responses } from './answers.js';
import { demand } from './sign-in.js';

/** `GET /v1/history`: how the link and the exposure were over the last hours. */
export function historyRoutes(server: FastifyInstance, history: () => HistoryView): void {
  server.get(
    '/v1/history',
    {
      schema: {
        tags: ['totals'],
        summary: 'How the link to the gateway and the exposure were over the last hours.',
        response: responses(HISTORY_ANSWER),
      },
    },
    async (request) => {
      demand(request, 'report');
      const { sinceMs, untilMs, link, exposure } = history();
      return {
        since: iso(sinceMs),
        until: iso(untilMs),
        link: link.map(changeAnswer),
        exposure: exposure.map(changeAnswer),
      };
    },
  );
}

function changeAnswer<T extends { readonly atMs: number }>({ atMs, ...change }: T) {
  return { at: iso(atMs), ...change };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
