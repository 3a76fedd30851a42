import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type FastifyInstance, fastify } from 'fastify';
import { emptyForms, withoutEmptyFields } from './empty-forms.js';

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
 * The viewer's page and files below `path`, as a server that does not listen. It looks for the document at `json` there, which the server
 * around it has: that of the plugin that it needs is empty.
 */
export function viewerServer(path: string, title: string): FastifyInstance {
  const server = fastify();
  server.register(swagger, { mode: 'static', specification: { document: {} as never } });
  // Without a validator: the viewer would send the document's address to a public service.
  const uiConfig = {
    validatorUrl: null,
    plugins: [emptyForms],
    requestInterceptor: withoutEmptyFields,
  };
  server.register(swaggerUi, {
    routePrefix: path,
    uiConfig,
    theme: { title },
    staticCSP: VIEWER_POLICY,
  });
  return server;
}
