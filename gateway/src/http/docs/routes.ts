import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { openApiDocument } from '@tillbridge/protocol/api/openapi/document.js';
import { ENDPOINTS } from '@tillbridge/protocol/api/openapi/endpoints.js';
import type { FastifyInstance } from 'fastify';
import { emptyForms, withoutEmptyFields } from './empty-forms.js';

/** Where the API docs stand. */
const DOCS_PATH = '/docs';

/** What the viewer may load: its own files; it styles elements in place, and holds its icons as data. */
const VIEWER_POLICY = {
  'default-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * `/docs`: the viewer, with all its files from here; `/docs/openapi.json`: the document. Both tell of the endpoints that are served, so
 * this comes after all other routes.
 */
export function docsRoutes(server: FastifyInstance, version: string): void {
  const endpoints = ENDPOINTS.filter(({ method, path }) =>
    server.hasRoute({
      method: method.toUpperCase() as Uppercase<typeof method>,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
    }),
  );
  const document = openApiDocument({ version, serverUrl: '/', endpoints });
  server.get(`${DOCS_PATH}/openapi.json`, async () => document);
  // The plugin's type wants every literal of the specification; the document is checked against its schema where it is made.
  server.register(swagger, { mode: 'static', specification: { document: document as never } });
  // Without a validator: the viewer would send the document's address to a public service.
  const uiConfig = {
    url: `${DOCS_PATH}/openapi.json`,
    validatorUrl: null,
    plugins: [emptyForms],
    requestInterceptor: withoutEmptyFields,
  };
  const theme = { title: 'Payment platform API' };
  server.register(swaggerUi, { routePrefix: DOCS_PATH, uiConfig, theme, staticCSP: VIEWER_POLICY });
}
