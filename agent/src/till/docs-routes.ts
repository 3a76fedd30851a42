import swagger from '@fastify/swagger';
import { showApiDocs } from '@tillbridge/platform/api-docs/viewer.js';
import { plainSchema } from '@tillbridge/platform/schema/rule.js';
import type { FastifyInstance } from 'fastify';

/** `/docs` and `/docs/openapi.json`, made from the schemas of all routes that are registered in plugins after this. */
export function docsRoutes(server: FastifyInstance, version: string): void {
  const title = 'tillbridge agent';
  server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version,
        description:
          'Sales, terminals and the queue of one store. Every call needs the bearer token of the tills.',
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { till: { type: 'http', scheme: 'bearer' } } },
      security: [{ till: [] }],
    },
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) },
  });
  server.register(async (docs) => showApiDocs(docs, title, () => plainSchema(docs.swagger())));
}
