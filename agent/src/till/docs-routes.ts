import swagger from '@fastify/swagger';
import { apiErrors } from '@tillbridge/platform/api-docs/api-codes.js';
import { showApiDocs } from '@tillbridge/platform/api-docs/show-api-docs.js';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { plainSchema } from '@tillbridge/platform/schema/rule.js';
import type { FastifyInstance } from 'fastify';
import { TILL_ERRORS } from '../errors/error-table.js';

const PACKAGE = packageFolder(import.meta.url);

/** What one wants to do, by the tags of the routes, in the order of the API reference. */
const TAGS = [
  tag('sales', 'Sell, refund, reserve', 'A sale at a terminal, and what follows it.'),
  tag('events', 'Follow what happens', 'Server-sent events, which a till or a page listens to.'),
  tag('terminals', 'Look after the terminals', 'Their state, and what each reports of itself.'),
  tag(
    'queue',
    'See what waits for the gateway',
    'Offline sales, reversals and captures that are still to be sent.',
  ),
  tag('totals', 'Close the day', 'What sales come to, and how the store was connected.'),
  tag('tills', 'Give tills their tokens', 'Each till has a token of its own with its rights.'),
  tag('operation', 'Watch the agent', 'Its state, for people and for monitoring.'),
];

function tag(name: string, title: string, description: string) {
  return { name, description, 'x-displayName': title };
}

/** `/docs` and its documents, made from the schemas of all routes that are registered in plugins after this. */
export function docsRoutes(server: FastifyInstance, version: string): void {
  server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'tillbridge agent',
        version,
        description:
          'Sales, terminals and the queue of one store. Every call needs the bearer token of the tills.',
      },
      servers: [{ url: '/' }],
      tags: TAGS,
      components: { securitySchemes: { till: { type: 'http', scheme: 'bearer' } } },
      security: [{ till: [] }],
    },
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) },
  });
  server.register(async (docs) =>
    showApiDocs(docs, {
      page: new URL('dist/api-reference/', PACKAGE),
      document: () => plainSchema(docs.swagger()),
      examples: new URL('data/api-examples.json', PACKAGE),
      // Six hundred codes that no sale needs.
      codes: async () => {
        const { resultCodeRows } = await import('@tillbridge/wire/payment/result-codes/result-code-rows.js');
        return { errors: apiErrors(TILL_ERRORS), ...resultCodeRows() };
      },
    }),
  );
}
