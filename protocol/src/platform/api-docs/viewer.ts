import type {} from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
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
 * `/docs`: the viewer, with all its files from here; `/docs/openapi.json`: the document. `@fastify/swagger` must be registered before.
 * @param document the OpenAPI document, asked for when it is sent
 */
export function showApiDocs(server: FastifyInstance, title: string, document: () => object): void {
  server.get(`${DOCS_PATH}/openapi.json`, { schema: { hide: true } }, async () => document());
  // Without a validator: the viewer would send the document's address to a public service.
  const uiConfig = {
    url: `${DOCS_PATH}/openapi.json`,
    validatorUrl: null,
    plugins: [emptyForms],
    requestInterceptor: withoutEmptyFields,
  };
  server.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    uiConfig,
    theme: { title },
    staticCSP: VIEWER_POLICY,
  });
}
