import { apiErrors } from '@tillbridge/platform/api-docs/api-codes.js';
import { showApiDocs } from '@tillbridge/platform/api-docs/show-api-docs.js';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { resultCodeRows } from '@tillbridge/wire/payment/result-codes/result-code-rows.js';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../../kernel/api/openapi/document.js';
import { ENDPOINTS } from '../../../kernel/api/openapi/endpoints.js';
import { REST_ERRORS } from '../../../kernel/errors/error-table.js';

const PACKAGE = packageFolder(import.meta.url);

/** `/docs` and its documents. They list the endpoints that are served, so this comes after all other routes. */
export function docsRoutes(server: FastifyInstance, version: string): void {
  showApiDocs(server, {
    page: new URL('dist/api-reference/', PACKAGE),
    document: () => documentOf(server, version),
    examples: new URL('data/api-examples.json', PACKAGE),
    codes: () => ({ errors: apiErrors(REST_ERRORS), ...resultCodeRows() }),
  });
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
