import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { PublicDocument } from '../documents/public-document.js';
import { sendDocument } from '../documents/send-document.js';
import { servePanel } from '../panel/serve-panel.js';
import type { ApiCodes } from './api-codes.js';
import { type ApiExamples, withExamples } from './with-examples.js';

/** Where the API docs stand. */
const DOCS_PATH = '/docs';
/** Of a route that an OpenAPI document leaves out. */
const HIDDEN: object = { hide: true };

/** What the API docs show. */
interface ApiDocs {
  /** What `buildPanel` has written of the API reference. */
  readonly page: URL;
  /** Makes the OpenAPI document. */
  readonly document: () => object;
  /** The file with the examples of its operations, which join the document. */
  readonly examples: URL;
  /** Makes the tables of errors and result codes. */
  readonly codes: () => ApiCodes | Promise<ApiCodes>;
}

/**
 * `/docs`: the page of the API reference; `/docs/openapi.json`: the document; `/docs/codes.json`: errors and result codes. Each is made with
 * the first request for it, and stays as bytes.
 */
export function showApiDocs(server: FastifyInstance, { page, document, examples, codes }: ApiDocs): void {
  servePanel(server, page, { pages: [DOCS_PATH, `${DOCS_PATH}/`], files: `${DOCS_PATH}/panel/` });
  const made = {
    'openapi.json': () => withExamples(document(), JSON.parse(readFileSync(examples, 'utf8')) as ApiExamples),
    'codes.json': codes,
  };
  for (const [name, make] of Object.entries(made)) {
    let bytes: Promise<PublicDocument> | undefined;
    server.get(`${DOCS_PATH}/${name}`, { schema: HIDDEN }, async (request, reply) => {
      bytes ??= Promise.resolve(make()).then(PublicDocument.json);
      return sendDocument(request, reply, await bytes);
    });
  }
}
