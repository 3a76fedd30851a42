import swagger from '@fastify/swagger';
import { openApiDocument } from '@tillbridge/protocol/api/openapi/document.js';
import { ENDPOINTS } from '@tillbridge/protocol/api/openapi/endpoints.js';
import { showApiDocs } from '@tillbridge/protocol/platform/api-docs/viewer.js';
import type { FastifyInstance } from 'fastify';

/** `/docs` and `/docs/openapi.json`. They list the endpoints that are served, so this comes after all other routes. */
export function docsRoutes(server: FastifyInstance, version: string): void {
  const endpoints = ENDPOINTS.filter(({ method, path }) =>
    server.hasRoute({
      method: method.toUpperCase() as Uppercase<typeof method>,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
    }),
  );
  const document = openApiDocument({ version, serverUrl: '/', endpoints });
  // The plugin's type wants every literal of the specification; the document is checked against its schema where it is made.
  server.register(swagger, { mode: 'static', specification: { document: document as never } });
  showApiDocs(server, 'Payment platform API', () => document);
}
