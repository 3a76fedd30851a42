import { PublicDocument } from '@tillbridge/platform/documents/public-document.js';
import { sendDocument } from '@tillbridge/platform/documents/send-document.js';
import { resultCodeList } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import type { FastifyInstance } from 'fastify';

/** `GET /v1/resultcodes`: every code with its text, for anybody (docs/result-codes.md). */
export function resultCodeRoutes(server: FastifyInstance): void {
  const document = PublicDocument.json({ resultCodes: resultCodeList() });
  server.get('/v1/resultcodes', { config: { right: 'public' } }, (request, reply) =>
    sendDocument(request, reply, document),
  );
}
