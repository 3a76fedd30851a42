import { showApiDocs } from '@tillbridge/platform/api-docs/viewer.js';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../../kernel/api/openapi/document.js';
import { ENDPOINTS } from '../../../kernel/api/openapi/endpoints.js';

/** `/docs` and `/docs/openapi.json`. They list the endpoints that are served, so this comes after all other routes. */
export function docsRoutes(server: FastifyInstance, version: string): void {
  showApiDocs(server, 'Payment platform API', () => documentOf(server, version));
}

function documentOf(server: FastifyInstance, version: string): object {
  const endpoints = ENDPOINTS.filter(({ method, path }) =>
    server.hasRoute({
      method: method.toUpperCase() as Uppercase<typeof method>,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
    }),
  );
  return openApiDocument({ version, serverUrl: '/', endpoints });
}
