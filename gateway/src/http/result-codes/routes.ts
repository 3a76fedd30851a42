import { resultCodeList } from '@tillbridge/protocol/api/result-codes/result-codes.js';
import type { FastifyInstance } from 'fastify';

/** `GET /v1/resultcodes`: every code with its text, for anybody (reference §1.3). */
export function resultCodeRoutes(server: FastifyInstance): void {
  const answer = { resultCodes: resultCodeList() };
  server.get('/v1/resultcodes', { config: { right: 'public' } }, async () => answer);
}
